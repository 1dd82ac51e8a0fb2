"""Pictures of the panel: its frame, its buttons, and one icon a terrain."""

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
    image = blank(TILE, TILE)
    image.paste(source.crop((x, y, x + TILE, y + TILE)), (0, 0))
    for i in range(TILE):
        for j in (0, TILE - 1):
            put(image, i, j, "ink")
            put(image, j, i, "ink")
    for x, y in ((0, 0), (15, 0), (0, 15), (15, 15)):
        image.putpixel((x, y), (0, 0, 0, 0))
    return image


def draw(save):
    """Write the panel's pictures; the terrain pictures must exist already."""
    tiles = Path(__file__).resolve().parent.parent / "tiles"

    def opened(name):
        return Image.open(tiles / name).convert("RGBA")

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
