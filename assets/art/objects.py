"""Things that stand on the ground: bridge tiles, trees, bushes, a cottage, a well, a shadow."""

import math

from .noise import hashed, unit
from .palette import TILE, blank, box, outline, put, sheet, stamp

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8


def bridge_tile(rails):
    """One bridge tile with railings on the given sides; the planks lie across the way that is open."""
    image = blank(TILE, TILE)
    upright = bool(rails & (EAST | WEST)) and not rails & (NORTH | SOUTH)
    for y in range(TILE):
        for x in range(TILE):
            along, across = (y, x) if upright else (x, y)
            plank = along // 4
            tone = "e3" if plank % 2 else "e4"
            if along % 4 == 3:
                tone = "e1"
            elif unit(across // 4, along, 201) < 0.14:
                tone = "e3" if tone == "e4" else "e2"
            put(image, x, y, tone)
    if rails & WEST:
        box(image, 0, 0, 1, TILE, "ink")
        box(image, 1, 0, 1, TILE, "e4")
        box(image, 2, 0, 1, TILE, "e2")
        box(image, 3, 0, 1, TILE, "e1")
    if rails & EAST:
        box(image, 12, 0, 1, TILE, "e1")
        box(image, 13, 0, 1, TILE, "e4")
        box(image, 14, 0, 1, TILE, "e2")
        box(image, 15, 0, 1, TILE, "ink")
    if rails & NORTH:
        box(image, 0, 0, TILE, 1, "ink")
        box(image, 0, 1, TILE, 1, "e5")
        box(image, 0, 2, TILE, 1, "e2")
        box(image, 0, 3, TILE, 1, "e0")
        box(image, 0, 4, TILE, 1, "e2")
    if rails & SOUTH:
        box(image, 0, 10, TILE, 1, "e1")
        box(image, 0, 11, TILE, 1, "e5")
        box(image, 0, 12, TILE, 1, "e3")
        box(image, 0, 13, TILE, 2, "e1")
        box(image, 0, 15, TILE, 1, "ink")
    if rails & NORTH:
        post(image, 1, 0)
        post(image, 11, 0)
    if rails & SOUTH:
        post(image, 1, 9)
        post(image, 11, 9)
    return image


def post(image, x, y):
    """A railing post."""
    stamp(image, x, y, ["iii.", "ilmi", "ilmi", "ilmi", "imdi", "imdi", ".ii."],
          {"i": "ink", "l": "e5", "m": "e3", "d": "e2"})


def leaf_ball(image, cx, cy, radius, seed, tones):
    """A round clump of leaves, lit from the upper left."""
    for y in range(int(cy - radius) - 1, int(cy + radius) + 2):
        for x in range(int(cx - radius) - 1, int(cx + radius) + 2):
            dx, dy = x - cx, y - cy
            ragged = radius - 0.9 * unit(int(math.atan2(dy, dx) * 6) + 40, int(radius), seed)
            if math.hypot(dx, dy * 1.05) > ragged:
                continue
            light = (-dx * 0.55 - dy * 0.85) / radius
            light += 0.55 * (unit(x // 2, y // 2, seed + 1) - 0.5) + 0.25 * (unit(x, y, seed + 2) - 0.5)
            index = 0 if light < -0.55 else 1 if light < -0.05 else 2 if light < 0.55 else 3
            put(image, x, y, tones[index])


def ground_shadow(image, cx, cy, rx, ry, alpha=95):
    """A soft flat shadow: a darker heart and a lighter rim."""
    for y in range(image.height):
        for x in range(image.width):
            if image.getpixel((x, y))[3]:
                continue
            distance = math.hypot((x + 0.5 - cx) / rx, (y + 0.5 - cy) / ry)
            if distance <= 0.72:
                put(image, x, y, "ink", alpha)
            elif distance <= 1.0:
                put(image, x, y, "ink", alpha // 2)


def trunk(image, x, top, bottom):
    """A short trunk with roots."""
    for y in range(top, bottom):
        put(image, x, y, "e3")
        put(image, x + 1, y, "e2")
        put(image, x + 2, y, "e2" if (y % 3) else "e1")
        put(image, x + 3, y, "e1")
    put(image, x - 1, bottom - 1, "e2")
    put(image, x + 4, bottom - 1, "e1")


OAK = ("g0", "g1", "g2", "g4")
YOUNG = ("g1", "g2", "g3", "g5")
AUTUMN = ("r1", "y0", "y1", "y2")


def oak(tones, seed):
    """A round tree of three clumps, 32 x 40, its foot at the picture's bottom centre."""
    image = blank(32, 40)
    trunk(image, 14, 26, 37)
    clumps = [(16, 23, 8.5), (9.5, 19, 7.5), (22.5, 19.5, 7.5), (12, 12, 7.5), (20, 12.5, 7.5), (16, 8.5, 6.5)]
    for index, (cx, cy, radius) in enumerate(clumps):
        leaf_ball(image, cx, cy, radius, seed + 10 * index, tones)
    outline(image)
    ground_shadow(image, 16.0, 36.0, 12.0, 4.0)
    return image


def pine(seed):
    """A fir of four skirts, 32 x 40."""
    image = blank(32, 40)
    trunk(image, 14, 31, 37)
    tones = ("g0", "g0", "g1", "g2")
    for tier, (top, bottom, half) in enumerate(((17, 33, 10), (11, 25, 8), (5, 18, 6.5), (1, 11, 4.5))):
        for y in range(top, bottom):
            width = half * (y - top + 1.5) / (bottom - top)
            ragged = 1.4 * (hashed(y, tier, seed) % 3) / 2 if (y - top) % 3 else 0
            for x in range(int(16 - width + ragged), int(16 + width - ragged) + 1):
                side = (x - 16) / max(width, 1)
                light = -side * 0.8 + (bottom - y) / (bottom - top) * 0.5 + 0.7 * (unit(x, y // 2, seed + tier) - 0.5)
                if y >= bottom - 2:
                    light -= 0.6
                put(image, x, y, tones[0 if light < -0.45 else 1 if light < 0.1 else 2 if light < 0.75 else 3])
    outline(image)
    ground_shadow(image, 16.0, 36.0, 10.5, 3.6)
    return image


def bush():
    """A low bush with berries, 32 x 40 like the trees."""
    image = blank(32, 40)
    for index, (cx, cy, radius) in enumerate(((11.5, 31, 5), (20.5, 31, 5), (16, 28, 6))):
        leaf_ball(image, cx, cy, radius, 320 + index, YOUNG)
    for x, y in ((12, 29), (15, 25), (19, 28), (21, 32), (16, 31), (10, 33)):
        put(image, x, y, "r2")
        put(image, x, y - 1, "r3")
    outline(image)
    ground_shadow(image, 16.0, 35.5, 11.0, 3.4)
    return image


ROOFS = (  # red and blue tiles, straw, slate
    ("r0", "r1", "r2", "r3"), ("b0", "b1", "b2", "b3"), ("e2", "y0", "e4", "e5"), ("s0", "s1", "s2", "s3"),
)


def cottage(roof):
    """A timbered cottage, 64 x 64, its ground line at the picture's bottom."""
    dark, low, mid, high = roof
    image = blank(64, 64)
    # walls
    box(image, 8, 36, 48, 24, "e6")
    for y in range(36, 60):
        for x in range(8, 56):
            if unit(x // 3, y // 2, 401) < 0.12:
                put(image, x, y, "e5")
    box(image, 8, 36, 48, 3, "e4")
    for x in (8, 22, 39, 53):
        box(image, x, 36, 3, 24, "e2")
        box(image, x, 36, 1, 24, "e3")
    box(image, 8, 46, 48, 2, "e2")
    # a foundation of stones
    box(image, 8, 56, 48, 4, "s2")
    for x in range(8, 56, 6):
        box(image, x, 56, 5, 2, "s3")
        box(image, x + 2, 58, 5, 2, "s1" if x % 4 else "s2")
    # door
    box(image, 26, 44, 12, 16, "e1")
    box(image, 27, 45, 10, 15, "e2")
    for x in (29, 32, 35):
        box(image, x, 45, 1, 15, "e1")
    box(image, 27, 45, 10, 1, "e3")
    put(image, 35, 53, "y2")
    put(image, 35, 54, "y0")
    box(image, 25, 59, 14, 1, "s4")
    # windows with flower boxes
    for x in (13, 44):
        box(image, x - 1, 40, 8, 9, "e1")
        box(image, x, 41, 6, 7, "w1")
        box(image, x, 41, 6, 2, "y2")
        box(image, x, 43, 3, 2, "y1")
        box(image, x + 2, 41, 1, 7, "e1")
        box(image, x, 44, 6, 1, "e1")
        box(image, x - 2, 49, 10, 2, "e1")
        for flower in range(x - 2, x + 8, 2):
            put(image, flower, 48, "r2" if flower % 4 else "y1")
            put(image, flower + 1, 48, "g3")
    # roof: rows of shingles, the eaves wider than the ridge
    for y in range(8, 40):
        inset = max(0, (20 - y) * 0.55)
        left, right = int(4 + inset), int(60 - inset)
        row = (y - 8) // 4
        for x in range(left, right):
            shingle = (x + (row % 2) * 3) % 6
            tone = mid
            if (y - 8) % 4 == 3:
                tone = low
            elif shingle == 0:
                tone = low
            elif (y - 8) % 4 == 0 and shingle < 5:
                tone = high if unit((x + (row % 2) * 3) // 6, row, 403) < 0.45 else mid
            if unit((x + (row % 2) * 3) // 6, row, 404) < 0.10:
                tone = low
            if y >= 38:
                tone = dark
            put(image, x, y, tone)
    box(image, 10, 7, 44, 2, high)
    box(image, 10, 9, 44, 1, dark)
    # chimney
    box(image, 43, 0, 8, 12, "s2")
    box(image, 43, 0, 8, 2, "s4")
    for y in range(3, 12, 3):
        box(image, 43, y, 8, 1, "s1")
        put(image, 45 + (y % 2) * 3, y + 1, "s1")
    box(image, 50, 2, 1, 10, "s1")
    outline(image)
    ground_shadow(image, 32.0, 60.0, 29.0, 4.0)
    return image


def well():
    """A village well, 32 x 40 like the trees."""
    image = blank(32, 40)
    box(image, 8, 26, 16, 10, "s2")
    for y in range(26, 36, 3):
        for x in range(8, 24, 4):
            box(image, x + (y % 2) * 2, y, 3, 2, "s3" if hashed(x, y, 501) % 3 else "s4")
    box(image, 7, 24, 18, 3, "s4")
    box(image, 9, 25, 14, 2, "w0")
    box(image, 11, 26, 8, 1, "w2")
    for x in (8, 22):
        box(image, x, 13, 2, 12, "e2")
        box(image, x, 13, 1, 12, "e3")
    box(image, 15, 14, 1, 7, "e4")
    box(image, 13, 20, 5, 4, "e2")
    box(image, 13, 20, 5, 1, "e4")
    for step in range(7):
        box(image, 5 + step, 13 - step, 22 - 2 * step, 1, "r2" if step % 2 else "r1")
        put(image, 5 + step, 13 - step, "r3")
    outline(image)
    ground_shadow(image, 16.0, 36.0, 12.0, 3.4)
    return image


def shadow():
    """The soft shadow under a walker."""
    image = blank(16, 8)
    ground_shadow(image, 8.0, 4.0, 6.5, 3.2, 110)
    return image


def draw(save):
    """Write every object."""
    save("tiles/bridge.png", sheet([bridge_tile(rails) for rails in range(16)], 4))
    trees = [oak(OAK, 101), oak(YOUNG, 131), oak(AUTUMN, 161), pine(301), pine(331), bush(), well()]
    save("sprites/trees.png", sheet(trees, 7))
    save("sprites/cottages.png", sheet([cottage(roof) for roof in ROOFS], len(ROOFS)))
    save("sprites/shadow.png", shadow())
