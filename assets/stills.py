#!/usr/bin/env python3
"""Makes the still pictures of the page from the screenshots of the examples: `python3 assets/stills.py`. Needs Pillow."""

from pathlib import Path

from PIL import Image

ASSETS = Path(__file__).resolve().parent
# What the page shows before its program is there. Screenshots of the laboratory are named after what they show.
SCREENSHOTS = {name: name for name in ("soldier", "squad", "shapes", "towers", "waypoints", "doors", "crowd")}
SCREENSHOTS["path_lab"] = "path_lab_race"
SIZE = (640, 360)
# The most bytes of one: a slow network has it before the program.
MOST_BYTES = 100_000

stills = ASSETS / "stills"
stills.mkdir(exist_ok=True)
for name, screenshot in SCREENSHOTS.items():
    picture = Image.open(ASSETS / "screenshots" / f"{screenshot}.png").convert("RGB")
    file = stills / f"{name}.jpg"
    picture.resize(SIZE, Image.Resampling.LANCZOS).save(file, quality=70, optimize=True, progressive=True)
    bytes_ = file.stat().st_size
    assert bytes_ <= MOST_BYTES, f"{file.name} has {bytes_} bytes"
    print(f"{file.name}: {bytes_} bytes")
