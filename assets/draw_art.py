#!/usr/bin/env python3
"""Draws every picture of the examples. Needs Pillow; run from anywhere: `python3 assets/draw_art.py`.

The pictures are our own work, see README.md beside this file. The result is the same on every machine.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True

from art import boat, buildings, interface, markers, objects, room, shapes, soldier, terrain, town, traveller, wagon

HERE = Path(__file__).resolve().parent


def save(name, image):
    """Write one picture below the assets folder."""
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path, optimize=True)
    print(f"{name}: {image.width} x {image.height}")


def main():
    for part in (terrain, objects, soldier, wagon, boat, markers, interface, town, buildings, room, traveller, shapes):
        part.draw(save)


if __name__ == "__main__":
    main()
