#!/usr/bin/env python3
"""Draws the tilesets of the maps in this folder: `python3 editors/assets/draw_tiles.py`. Needs nothing but Python 3.

The pictures are our own work, see ../README.md. The result is the same on every machine.
"""

import struct
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLEAR = (0, 0, 0, 0)
GRASS = ((104, 159, 56), (124, 179, 66))
MUD = ((121, 85, 72), (141, 110, 99))
WATER = ((30, 136, 229), (100, 181, 246))
ROCK = ((97, 97, 97), (158, 158, 158))
WALL = ((78, 52, 46), (188, 170, 164))
PLANKS = ((161, 136, 127), (109, 76, 65))
FLOWER = ((255, 241, 118), (236, 64, 122))


def chunk(kind, data):
    """One part of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def save(name, rows):
    """Write rows of RGBA pixels as a picture."""
    height, width = len(rows), len(rows[0])
    lines = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in rows)
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")
    (HERE / name).write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    print(f"{name}: {width} x {height}")


def everywhere(x, y, width, height):
    """A square or a rectangle."""
    return True


def diamond(x, y, width, height):
    """A tile of an isometric map."""
    return abs(2 * x + 1 - width) * height + abs(2 * y + 1 - height) * width <= width * height


def hexagon(x, y, width, height):
    """A tile of a hexagonal map whose sides are upright; the sloping ones are a quarter of its height."""
    from_middle, below = abs(2 * x + 1 - width), min(2 * y + 1, 2 * height - 2 * y - 1)
    return from_middle * height <= 2 * width * below


def planks(x, y):
    """Planks across the tile."""
    return y % 4 == 3


def bricks(x, y):
    """Courses of bricks."""
    return y % 4 == 3 or (x + 4 * (y // 4 % 2)) % 8 == 7


def specks(x, y):
    """Specks that form no line."""
    return (x * 7 + y * 11) % 19 == 0


def flower(x, y):
    """The middle of a flower."""
    return 7 <= x <= 8 and 7 <= y <= 8


def petals(x, y, width, height):
    """A flower and nothing around it."""
    return abs(2 * x - 15) + abs(2 * y - 15) <= 8


def tileset(name, width, height, tiles):
    """Draw tiles beside each other: of each its colours, what has the second colour, and its outline."""
    rows = [[] for _ in range(height)]
    for (ground, mark), marked, inside in tiles:
        for y, row in enumerate(rows):
            for x in range(width):
                colour = mark if marked(x, y) else ground
                row.append((*colour, 255) if inside(x, y, width, height) else CLEAR)
    save(name, rows)


def terrain(inside):
    """Grass, mud, water and rock, in the order of the tilesets."""
    return [(colours, specks, inside) for colours in (GRASS, MUD, WATER, ROCK)]


def main():
    tileset("ground.png", 16, 16, terrain(everywhere))
    tileset("diamonds.png", 32, 16, terrain(diamond))
    tileset("hexagons.png", 16, 16, terrain(hexagon))
    buildings = [(WALL, bricks, everywhere), (PLANKS, planks, everywhere), (FLOWER, flower, petals)]
    tileset("buildings.png", 16, 16, buildings)


if __name__ == "__main__":
    main()
