"""The town of the example `waypoints`: its ground with the ways of the graph trodden into it, and its river.

The ways are read from `waypoints/town.waypoints.xml`, so that the picture and the graph agree. In that file y is up, in
pictures it is down.
"""

import math
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image

from . import objects, terrain
from .noise import facets, layered, smooth, unit, value_noise
from .palette import TILE, blank, box, put, sheet

WIDTH, HEIGHT = 640, 360
PERIOD = 128
GRAPH = Path(__file__).resolve().parent.parent / "waypoints" / "town.waypoints.xml"

PAVED = {("west gate", "market"), ("market", "west bank")}
OVER_WATER = {("west bank", "east bank"), ("weir", "far weir"), ("harbour", "landing")}

# the middle of the river at heights of the picture, from the top
RIVER = ((-20, 390), (54, 382), (112, 368), (176, 374), (244, 376), (316, 356), (380, 350))
RIVER_HALF = 17.5
RIVER_LEFT, RIVER_WIDTH = 320, 104
FIELDS = ((512, 150, 104, 44), (512, 206, 104, 36))


def read_ways():
    """The ways as (from, to, is paved), ends as places of the picture."""
    root = ElementTree.parse(GRAPH).getroot()
    places = {node.get("id"): (float(node.get("x")), HEIGHT - float(node.get("y"))) for node in root.iter("node")}
    ways = []
    for node in root.iter("node"):
        for other in filter(None, (node.get("join") or "").split(",")):
            ends = (node.get("id"), other)
            if ends not in OVER_WATER:
                ways.append((places[ends[0]], places[ends[1]], ends in PAVED))
    # roads that leave the town
    ways.append(((-20, HEIGHT - 180), places["west gate"], True))
    ways.append((places["south gate"], (190, HEIGHT + 20), False))
    ways.append((places["east bank"], (470, HEIGHT - 192), False))
    ways.append(((470, HEIGHT - 192), (WIDTH + 20, HEIGHT - 180), False))
    return places, ways


def distance(x, y, begin, end):
    """From a point to a stretch of line."""
    (ax, ay), (bx, by) = begin, end
    dx, dy = bx - ax, by - ay
    share = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
    share = min(1.0, max(0.0, share))
    return math.hypot(x - ax - share * dx, y - ay - share * dy)


def ragged(x, y, seed):
    """What makes borders wander: a slow sway and a fine fray, about -1 to 1."""
    return 1.3 * (value_noise(x, y, 16, PERIOD, seed) - 0.5) + 0.8 * (value_noise(x, y, 4, PERIOD, seed + 1) - 0.5)


def inside(depth):
    """How far inside as the overlays count it: a half at the border."""
    return min(1.0, max(0.0, 0.5 + depth * 0.075))


def river_middle(y):
    """Where the middle of the river is."""
    for (top, left), (bottom, right) in zip(RIVER, RIVER[1:]):
        if top <= y <= bottom:
            return left + (right - left) * smooth((y - top) / (bottom - top))
    return RIVER[-1][1]


def river_depth(x, y):
    """Pixels inside the river."""
    return RIVER_HALF - abs(x - river_middle(y)) + 2.6 * ragged(x, y, 611)


def pave(x, y, here):
    """Paving stones, worn by wheels."""
    if here < 0.5:
        return ("g2", 120) if here > 0.40 else None
    if here < 0.56:
        return "s1"
    edge, number, dx, dy = facets(x, y, 4, PERIOD, 621)
    if edge < 0.55:
        return "s2"
    if dx + dy < -1.4:
        return "s4"
    return ("s3", "s3", "k1", "s3", "e4", "s3")[number % 6] if dx + dy < 1.6 else "s2"


def plough(image, left, top, width, height):
    """A field: furrows with green rows of corn in front of them."""
    for y in range(top, top + height):
        for x in range(left, left + width):
            depth = min(x - left, left + width - 1 - x, y - top, top + height - 1 - y) + 1.6 * ragged(x, y, 631)
            if depth < 0:
                continue
            if depth < 1.2:
                put(image, x, y, "e1")
                continue
            row = (y - top) % 6
            tone = ("e1", "e2", "e2", "e3", "e2", "e1")[row]
            if row in (2, 3) and unit(x // 2, y, 632) < 0.72:
                tone = "e4" if unit(x, y, 633) < 0.55 else "y0"
            elif row == 1 and unit(x // 2, y, 634) < 0.6:
                tone = "e5"
            put(image, x, y, tone)


def grow(image, is_free):
    """Flowers and tufts where nobody walks."""
    things = terrain.decor()
    choice = (1, 4, 5, 6, 5, 11, 2, 7, 5, 3, 11, 8)
    for row in range(HEIGHT // TILE + 1):
        for column in range(WIDTH // TILE):
            if unit(column, row, 641) > 0.34:
                continue
            x, y = column * TILE, row * TILE
            if all(is_free(x + dx, y + dy) for dx in (2, 8, 14) for dy in (2, 8, 14)):
                thing = things[choice[int(unit(column, row, 642) * 12) % 12]]
                image.alpha_composite(thing.crop((0, 0, TILE, min(TILE, HEIGHT - y))), (x, y))


def ground():
    """Meadow, market place, ways and fields."""
    places, ways = read_ways()
    meadow, trodden = terrain.grass_pattern(), terrain.road_pattern(64)
    image = Image.new("RGBA", (WIDTH, HEIGHT))
    for y in range(0, HEIGHT, PERIOD):
        for x in range(0, WIDTH, PERIOD):
            image.paste(meadow, (x, y))
    market = places["market"]

    def depths(x, y):
        sway = ragged(x, y, 601)
        earth = max(6.0 - distance(x, y, begin, end) for begin, end, is_paved in ways if not is_paved)
        yards = max(9.0 - math.hypot(x - px, (y - py) * 1.25) for px, py in places.values())
        stone = max(7.5 - distance(x, y, begin, end) for begin, end, is_paved in ways if is_paved)
        square = 34.0 - math.hypot(x - market[0], (y - market[1]) * 1.3)
        return max(earth, yards) + 2.4 * sway, max(stone, square) + 1.2 * sway

    field = [[depths(x, y) for x in range(-1, WIDTH + 1)] for y in range(-1, HEIGHT + 1)]
    for y in range(HEIGHT):
        for x in range(WIDTH):
            earth, stone = field[y + 1][x + 1]
            if earth > -2 or stone > -2:
                slope = inside(field[y + 2][x + 1][0]) - inside(field[y][x + 1][0])
                for colour in (terrain.road_pixel(trodden, x, y, inside(earth), (0.0, slope)),
                               pave(x, y, inside(stone))):
                    if isinstance(colour, tuple):
                        blend(image, x, y, *colour)
                    elif colour is not None:
                        put(image, x, y, colour)
    for left, top, width, height in FIELDS:
        plough(image, left, top, width, height)

    def is_free(x, y):
        if not (0 <= x < WIDTH and 0 <= y < HEIGHT):
            return True
        on_field = any(left - 2 <= x < left + width + 2 and top - 2 <= y < top + height + 2
                       for left, top, width, height in FIELDS)
        return max(field[y + 1][x + 1]) < -3 and river_depth(x, y) < -6 and not on_field

    grow(image, is_free)
    return image


def blend(image, x, y, name, alpha):
    """Lay a colour thinly over a pixel."""
    over = blank(1, 1)
    put(over, 0, 0, name, alpha)
    under = image.crop((x, y, x + 1, y + 1))
    image.paste(Image.alpha_composite(under, over), (x, y))


def planks(image, left, top, width, height):
    """A jetty: planks across, posts at the corners."""
    for x in range(left, left + width):
        for y in range(top, top + height):
            tone = "e1" if (x - left) % 4 == 3 else ("e3" if ((x - left) // 4) % 2 else "e4")
            put(image, x, y, tone)
    box(image, left, top + height, width, 2, "e1")
    box(image, left, top + height + 2, width, 1, "ink")
    box(image, left, top - 1, width, 1, "ink")
    for x in range(left + 2, left + width, 10):
        box(image, x, top - 2, 2, 4, "e5")
        box(image, x, top + height - 1, 2, 5, "e2")


def river(frame):
    """The river with its bridges, jetties and the ferry's rope, one frame of its waves."""
    image = blank(RIVER_WIDTH, HEIGHT)
    depth = [[inside(river_depth(x, y)) for x in range(RIVER_LEFT - 1, RIVER_LEFT + RIVER_WIDTH + 1)]
             for y in range(-1, HEIGHT + 1)]
    for y in range(HEIGHT):
        for x in range(RIVER_WIDTH):
            slope = (depth[y + 1][x + 2] - depth[y + 1][x], depth[y + 2][x + 1] - depth[y][x + 1])
            colour = terrain.water_pixel(RIVER_LEFT + x, y, depth[y + 1][x + 1], slope, frame)
            if colour is not None:
                put(image, x, y, *(colour if isinstance(colour, tuple) else (colour,)))
    span(image, 346 - RIVER_LEFT, 162, 4, True)
    span(image, 358 - RIVER_LEFT, 46, 3, False)
    ferry(image, HEIGHT - 44)
    return image


def span(image, left, top, tiles, is_broad):
    """A bridge of planks: twice as broad for carts."""
    north, south = objects.bridge_tile(objects.NORTH), objects.bridge_tile(objects.SOUTH)
    narrow = objects.bridge_tile(objects.NORTH | objects.SOUTH)
    height = 24 if is_broad else TILE
    for y in range(3):
        for x in range(left, left + tiles * TILE):
            if image.getpixel((x, top + height + y))[2] > 90:  # a shadow on water, not on the bank
                blend(image, x, top + height + y, "ink", 110)
    for tile in range(tiles):
        x = left + tile * TILE
        if is_broad:
            image.paste(north.crop((0, 0, TILE, 12)), (x, top))
            image.paste(south.crop((0, 4, TILE, TILE)), (x, top + 12))
        else:
            image.paste(narrow, (x, top))


def ferry(image, y):
    """Two jetties, a rope between them, and the boat."""
    left, right = 322 - RIVER_LEFT, 374 - RIVER_LEFT
    planks(image, left, y - 5, 22, 10)
    planks(image, right, y - 5, 20, 10)
    for x in range(left + 22, right):
        sag = round(2.0 * math.sin((x - left - 22) / (right - left - 22) * math.pi))
        put(image, x, y - 7 + sag, "e5" if x % 3 else "e2")
        put(image, x, y - 6 + sag, "ink", 120)


def draw(save):
    """Write the town's ground and its river."""
    save("town/ground.png", ground().convert("RGB").quantize(128, dither=Image.Dither.NONE))
    save("town/river.png", sheet([river(frame) for frame in range(4)], 4))
