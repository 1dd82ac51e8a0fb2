"""Pictures of the panel: its frame, its buttons, one icon a terrain, and one a unit."""

from pathlib import Path

from PIL import Image

from .palette import TILE, blank, box, put, rgba, sheet


def frame(fill, light, edge, alpha):
    """A nine-slice frame of 24 x 24 with corners of 8."""
    image = Image.new("RGBA", (24, 24), rgba(fill, alpha))
    for i in range(24):
        for j in (0, 23):
            put(image, i, j, "ink")
            put(image, j, i, "ink")
        for j, name in ((1, light), (2, edge)):
            if 1 <= i <= 22:
                put(image, i, j, name)
                put(image, j, i, name)
        for j, name in ((22, edge), (21, light)):
            if 1 <= i <= 22:
                put(image, i, j, name)
                put(image, j, i, name)
    for i in range(3, 21):
        for j in (3, 20):
            put(image, i, j, "ink")
            put(image, j, i, "ink")
    for x, y in ((1, 1), (20, 1), (1, 20), (20, 20)):
        box(image, x, y, 3, 3, "e2")
        box(image, x, y, 2, 2, "y1")
        put(image, x, y, "y2")
    for x, y in ((0, 0), (23, 0), (0, 23), (23, 23)):
        image.putpixel((x, y), (0, 0, 0, 0))
    return image


def icon(source, x, y):
    """A terrain's icon: a tile cut from its picture, with a dark rim."""
    return rimmed(source.crop((x, y, x + TILE, y + TILE)))


def rimmed(image):
    """The same with a dark rim and its corners cut off."""
    right, bottom = image.width - 1, image.height - 1
    for x in range(image.width):
        for y in (0, bottom):
            put(image, x, y, "ink")
    for y in range(image.height):
        for x in (0, right):
            put(image, x, y, "ink")
    for x, y in ((0, 0), (right, 0), (0, bottom), (right, bottom)):
        image.putpixel((x, y), (0, 0, 0, 0))
    return image


def portrait(figures, ground, corner):
    """A unit's icon, 36 x 24: a part of its picture on the ground that is its own."""
    width, height = 36, 24
    image = blank(width, height)
    for x in range(0, width, TILE):
        for y in range(0, height, TILE):
            image.paste(ground, (x, y))
    image.alpha_composite(figures.crop((*corner, corner[0] + width, corner[1] + height)))
    return rimmed(image)


def draw(save):
    """Write the panel's pictures; those of the terrain and of the units must exist already."""
    tiles = Path(__file__).resolve().parent.parent / "tiles"
    sprites = tiles.parent / "sprites"

    def opened(name, folder=tiles):
        return Image.open(folder / name).convert("RGBA")

    save("interface/panel.png", frame("s0", "e3", "e1", 250))
    column = 15 * TILE  # the mask whose four corners are all inside
    meadow = opened("grass.png").crop((0, 0, TILE, TILE))
    icons = [
        icon(Image.alpha_composite(meadow, opened("decor.png").crop((TILE, 0, 2 * TILE, TILE))), 0, 0),
        icon(opened("road.png"), column, 0),
        icon(opened("mud.png"), column, 5 * TILE),
        icon(opened("water.png"), 12 * TILE, 3 * TILE),
        icon(opened("rock.png"), column, 16),
        icon(opened("bridge.png"), TILE, TILE),
    ]
    save("interface/terrain.png", sheet(icons, len(icons)))

    road = opened("road.png").crop((column, 0, column + TILE, TILE))
    river = opened("water.png").crop((12 * TILE, 3 * TILE, 13 * TILE, 4 * TILE))
    soldier = blank(36, 28)
    soldier.paste(opened("soldier.png", sprites).crop((0, 0, 24, 28)), (5, 0))
    units = [
        portrait(soldier, meadow, (0, 3)),
        # Those that face right stand in the third row.
        portrait(opened("wagon.png", sprites), road, (18, 2 * 52 + 17)),
        portrait(opened("boat.png", sprites), river, (2, 2 * 44 + 15)),
    ]
    save("interface/units.png", sheet(units, len(units)))
