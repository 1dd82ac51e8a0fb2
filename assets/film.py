#!/usr/bin/env python3
"""Takes the moving pictures of the README from the examples `soldier` and `squad`: `python3 assets/film.py`.

Needs Rust, Pillow, and a display (`xvfb-run -a -s "-screen 0 1280x720x24"` serves). The units walk by the game's own
time, so that a film is the same on a slow machine.
"""

import subprocess
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
SCREENSHOTS = ROOT / "assets" / "screenshots"
# The part of the window that each film shows, 720 by 480 pixels: left, top, right, bottom.
FILMS = {"soldier": (250, 212, 970, 692), "squad": (185, 190, 905, 670)}
COLORS = 96
# Milliseconds; a step of the game's time is 100.
SHOWN_FOR = 80
LAST_SHOWN_FOR = 2500


def take(example, folder):
    """Let the example play its film, and return the pictures in their order."""
    command = ["cargo", "run", "--quiet", "--example", example, "--", "--film", folder]
    subprocess.run(command, cwd=ROOT, check=True)
    files = sorted(Path(folder).glob("*.png"))
    return [Image.open(file).convert("RGB") for file in files[2:]]  # the first are from before the first act


def one_palette(pictures):
    """The same colors for all pictures, so that what stays is equal and costs nothing."""
    some = pictures[:: max(1, len(pictures) // 6)]
    sheet = Image.new("RGB", (pictures[0].width, pictures[0].height * len(some)))
    for row, picture in enumerate(some):
        sheet.paste(picture, (0, row * picture.height))
    palette = sheet.quantize(COLORS)
    return [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]


def main():
    for example, part in FILMS.items():
        with tempfile.TemporaryDirectory() as folder:
            pictures = [picture.crop(part) for picture in take(example, folder)]
        frames = one_palette(pictures)
        durations = [SHOWN_FOR] * (len(frames) - 1) + [LAST_SHOWN_FOR]
        film = SCREENSHOTS / f"{example}.gif"
        frames[0].save(film, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)
        print(f"{film.relative_to(ROOT)}: {len(frames)} pictures, {film.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
