#!/usr/bin/env python3
"""Makes the picture of the entry in Bevy Assets from a screenshot: `python3 docs/bevy_assets/picture.py`. Needs Pillow."""

from pathlib import Path

from PIL import Image

HERE = Path(__file__).resolve().parent
SCREENSHOT = HERE.parent.parent / "assets" / "screenshots" / "soldier.png"
# The part of the window without the panel and the legend: left, top, right, bottom.
PART = (0, 0, 990, 680)
SIZE = (600, 412)
COLORS = 128

picture = Image.open(SCREENSHOT).convert("RGB").crop(PART).resize(SIZE, Image.Resampling.LANCZOS)
picture.quantize(COLORS, dither=Image.Dither.NONE).save(HERE / "bevy_tilepath.png", optimize=True)
