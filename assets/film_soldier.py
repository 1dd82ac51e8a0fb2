#!/usr/bin/env python3
"""Takes the moving picture of the README from the example `soldier`: `python3 assets/film_soldier.py`.

Needs Rust, Pillow, and a display (`xvfb-run -a -s "-screen 0 1280x720x24"` serves). The soldier walks by the game's
own time, so that the film is the same on a slow machine.
"""

import subprocess
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
FILM = ROOT / "assets" / "screenshots" / "soldier.gif"
# The map without panel and legend, which cannot be read at half the size.
MAP = (0, 0, 992, 684)
# Each pixel of the art is drawn as two by two.
ZOOM = 2
COLOURS = 160
# Milliseconds; a step of the game's time is 100.
SHOWN_FOR = 80
LAST_SHOWN_FOR = 1500


def take(folder):
    """Let the soldier walk, and return its pictures in their order."""
    command = ["cargo", "run", "--quiet", "--example", "soldier", "--", "--film", folder]
    subprocess.run(command, cwd=ROOT, check=True)
    return [Image.open(file) for file in sorted(Path(folder).glob("*.png"))]


def small(picture):
    """The map at the size of the art."""
    width, height = MAP[2] - MAP[0], MAP[3] - MAP[1]
    return picture.crop(MAP).resize((width // ZOOM, height // ZOOM), Image.Resampling.NEAREST)


def main():
    with tempfile.TemporaryDirectory() as folder:
        pictures = [small(picture) for picture in take(folder)]
    # One palette for all pictures, so that what stays is equal and costs nothing.
    sheet = Image.new("RGB", (pictures[0].width, pictures[0].height * 3))
    for row, picture in enumerate([pictures[0], pictures[len(pictures) // 2], pictures[-1]]):
        sheet.paste(picture, (0, row * picture.height))
    palette = sheet.quantize(COLOURS)
    frames = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    durations = [SHOWN_FOR] * (len(frames) - 1) + [LAST_SHOWN_FOR]
    frames[0].save(FILM, save_all=True, append_images=frames[1:], duration=durations, loop=0, optimize=True)
    print(f"{FILM.relative_to(ROOT)}: {len(frames)} pictures, {FILM.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
