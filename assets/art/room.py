"""The inside of a cottage: floor, walls and furniture, a row of tiles."""

from .noise import hashed, unit
from .palette import TILE, blank, box, outline, put, sheet


def floor(variant):
    """Planks along the room; a knot or a nail here and there."""
    image = blank(TILE, TILE)
    for y in range(TILE):
        plank = y // 4
        for x in range(TILE):
            grain = unit(x // 3, y, 71 + variant)
            name = "e3" if (plank + variant) % 3 else "e4"
            if y % 4 == 3:
                name = "e2"
            elif grain > 0.88:
                name = "e4" if name == "e3" else "e3"
            put(image, x, y, name)
        seam = hashed(plank, variant, 72) % TILE
        if y % 4 != 3:
            put(image, seam, y, "e2")
    return image


def wall_top():
    """The top of a wall, seen from above."""
    image = blank(TILE, TILE)
    box(image, 0, 0, TILE, TILE, "s0")
    for x, y in ((2, 3), (9, 2), (5, 8), (12, 9), (3, 13), (10, 13)):
        put(image, x, y, "s1")
        put(image, x + 1, y, "s1")
    return image


def wall_face():
    """A plastered wall with a beam at its foot and one above."""
    image = blank(TILE, TILE)
    box(image, 0, 0, TILE, TILE, "e6")
    for x in range(TILE):
        for y in range(3, 12):
            if unit(x, y, 75) > 0.9:
                put(image, x, y, "e5")
    box(image, 0, 0, TILE, 3, "e1")
    box(image, 0, 2, TILE, 1, "e0")
    box(image, 0, 12, TILE, 3, "e2")
    box(image, 0, 15, TILE, 1, "e0")
    return image


def window():
    """A wall with a window."""
    image = wall_face()
    box(image, 3, 4, 10, 8, "e1")
    box(image, 4, 5, 8, 6, "w3")
    box(image, 4, 5, 8, 2, "w4")
    box(image, 7, 5, 2, 6, "e1")
    box(image, 4, 8, 8, 1, "e1")
    return image


def door():
    """The back door in the wall."""
    image = wall_face()
    box(image, 2, 2, 12, 14, "e0")
    box(image, 3, 3, 10, 13, "e2")
    for x in (3, 6, 9, 12):
        box(image, x, 3, 1, 13, "e1")
    put(image, 11, 9, "y1")
    put(image, 11, 10, "y0")
    return image


def mat():
    """The threshold of the front door, in the room's lower wall."""
    image = floor(0)
    box(image, 2, 3, 12, 9, "y0")
    box(image, 3, 4, 10, 7, "e3")
    for x in range(4, 13, 2):
        box(image, x, 5, 1, 5, "y0")
    return image


def on_floor(paint, variant):
    """A piece of furniture on the floor."""
    piece = blank(TILE, TILE)
    paint(piece)
    outline(piece)
    image = floor(variant)
    image.alpha_composite(piece)
    return image


def table(image):
    """A table with a bowl."""
    box(image, 1, 3, 14, 8, "e4")
    box(image, 1, 3, 14, 2, "e5")
    box(image, 1, 11, 14, 2, "e2")
    box(image, 2, 13, 2, 2, "e1")
    box(image, 12, 13, 2, 2, "e1")
    box(image, 6, 5, 4, 3, "b2")
    box(image, 6, 5, 4, 1, "b3")


def barrel(image):
    """A barrel."""
    box(image, 4, 2, 8, 12, "e3")
    box(image, 3, 4, 10, 8, "e3")
    box(image, 5, 2, 6, 2, "e5")
    for y in (5, 10):
        box(image, 3, y, 10, 1, "s2")
    box(image, 10, 4, 2, 9, "e2")


def bed_head(image):
    """The upper half of a bed."""
    box(image, 2, 1, 12, 15, "e2")
    box(image, 3, 3, 10, 6, "white")
    box(image, 3, 8, 10, 1, "s4")
    box(image, 3, 9, 10, 7, "r2")
    box(image, 3, 9, 10, 2, "r3")


def bed_foot(image):
    """The lower half of a bed."""
    box(image, 2, 0, 12, 14, "e2")
    box(image, 3, 0, 10, 10, "r2")
    box(image, 3, 4, 10, 1, "r1")
    box(image, 2, 10, 12, 4, "e2")
    box(image, 2, 10, 12, 1, "e3")


def chest(image):
    """A chest with a lock."""
    box(image, 2, 4, 12, 10, "e2")
    box(image, 2, 4, 12, 3, "e4")
    box(image, 2, 8, 12, 1, "y0")
    box(image, 7, 7, 2, 3, "y2")


def hearth():
    """A hearth in the wall."""
    image = wall_face()
    box(image, 1, 1, 14, 15, "s1")
    box(image, 1, 1, 14, 3, "s3")
    box(image, 3, 6, 10, 10, "s0")
    for x, height in ((4, 3), (5, 5), (6, 4), (7, 7), (8, 6), (9, 4), (10, 5), (11, 3)):
        box(image, x, 15 - height, 1, height, "r2")
        box(image, x, 15 - height + 2, 1, max(height - 2, 0), "y1")
    return image


def rug():
    """A rug, which can be walked on."""
    image = floor(1)
    box(image, 0, 1, TILE, 14, "b1")
    box(image, 0, 2, TILE, 1, "y1")
    box(image, 0, 13, TILE, 1, "y1")
    for x in range(2, TILE, 4):
        box(image, x, 6, 2, 4, "b3")
    return image


def draw(save):
    """Write the tiles in the order of the letters in `examples/doors/level.rs`."""
    tiles = [floor(0), floor(1), floor(2), floor(3), wall_top(), wall_face(), window(), door(), mat()]
    tiles += [on_floor(piece, 2) for piece in (table, barrel, bed_head, bed_foot, chest)]
    tiles += [hearth(), rug()]
    for tile in tiles:
        tile.putalpha(255)
    save("tiles/room.png", sheet(tiles, 8))
