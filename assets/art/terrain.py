"""Ground: grass, and the edge overlays of mud, road, water and rock.

The overlays are drawn for a grid that is shifted by half a tile: one overlay tile lies between the centres of
four cells, so four corners (north-west 1, north-east 2, south-west 4, south-east 8) say what it looks like and
sixteen pictures are enough for every border that can be painted. Each of them exists for every place of a
larger seamless pattern, so the eye finds no repetition.
"""

from .noise import facets, hashed, layered, smooth, unit, value_noise
from .palette import PALETTE, TILE, blank, put, rgba, sheet, stamp

NAMES = {rgba(name)[:3]: name for name in PALETTE}


def spot(image, x, y, rows, colours):
    """Stamp onto a seamless pattern: what leaves on one side comes in on the other."""
    for row, line in enumerate(rows):
        for column, letter in enumerate(line):
            if letter not in ". ":
                put(image, (x + column) % image.width, (y + row) % image.height, colours[letter])


def scatter(image, spacing, seed, chance):
    """Places on a jittered lattice of a seamless pattern."""
    for j in range(image.height // spacing):
        for i in range(image.width // spacing):
            if unit(i, j, seed) < chance:
                dx = hashed(i, j, seed + 1) % spacing
                dy = hashed(i, j, seed + 2) % spacing
                yield i * spacing + dx, j * spacing + dy, hashed(i, j, seed + 3)


def grass_pattern(period=128):
    """A calm meadow: two close greens in soft clouds, and short blades."""
    image = blank(period, period)
    for y in range(period):
        for x in range(period):
            cloud = layered(x, y, 32, period, 11) + 0.10 * (unit(x, y, 12) - 0.5)
            put(image, x, y, "g4" if cloud > 0.52 else "g3")
    blades = [["d.d", ".d."], ["d", "d"], ["l.l", ".l."], [".l", "l."], ["d.", ".d"], ["l", "d"]]
    for x, y, pick in scatter(image, 8, 31, 0.66):
        light = layered(x, y, 32, period, 11) > 0.52
        shade = {"d": "g3" if light else "g2", "l": "g5" if light else "g4"}
        spot(image, x, y, blades[pick % len(blades)], shade)
    return image


def field(mask, px, py, noise, wobble):
    """How far inside the terrain a pixel lies: 1 deep inside, 0 far outside, the border at a half."""
    u, v = smooth((px + 0.5) / TILE), smooth((py + 0.5) / TILE)
    corners = [1.0 if mask & bit else 0.0 for bit in (1, 2, 4, 8)]
    top = corners[0] * (1 - u) + corners[1] * u
    bottom = corners[2] * (1 - u) + corners[3] * u
    value = top * (1 - v) + bottom * v
    if mask in (6, 9):  # two opposite corners: keep them joined
        value += 2.2 * u * (1 - u) * v * (1 - v)
    return value + (noise - 0.5) * wobble


def overlay(period, paint, wobble, seed, frames=1):
    """All pictures of one overlay: for each place of the pattern, each mask, each frame."""
    side = period // TILE
    pictures = []
    for place in range(side * side):
        ox, oy = (place % side) * TILE, (place // side) * TILE
        for mask in range(16):
            for frame in range(frames):
                image = blank(TILE, TILE)

                def level(px, py, mask=mask, ox=ox, oy=oy):
                    return field(mask, px, py, value_noise(ox + px, oy + py, 4, period, seed), wobble)

                for py in range(TILE):
                    for px in range(TILE):
                        here = level(px, py)
                        slope = (level(px + 1, py) - level(px - 1, py), level(px, py + 1) - level(px, py - 1))
                        colour = paint(ox + px, oy + py, here, slope, frame)
                        if colour is not None:
                            put(image, px, py, *(colour if isinstance(colour, tuple) else (colour,)))
                pictures.append(image)
    return pictures


def road_pattern(period):
    """Trodden earth with pebbles and small dents."""
    image = blank(period, period)
    for y in range(period):
        for x in range(period):
            cloud = layered(x, y, 16, period, 41) + 0.16 * (unit(x, y, 42) - 0.5)
            put(image, x, y, "e4" if cloud < 0.44 else "e5")
    pebbles = [(["lm", "md"], 0.5), (["l", "d"], 0.3), (["ddd"], 0.2), (["lmm", "mmd", ".dd"], 0.1)]
    for x, y, pick in scatter(image, 8, 43, 0.5):
        rows = pebbles[pick % 4][0]
        spot(image, x, y, rows, {"l": "e6", "m": "e4", "d": "e3"})
    return image


def road_pixel(pattern, x, y, here, slope):
    """One pixel of a road: a light track with a worn, darker rim."""
    period = pattern.width
    if here < 0.5:
        return ("g2", 90) if here > 0.40 and unit(x % period, y % period, 5) < 0.75 else None
    if here < 0.58:
        return "e2" if slope[1] > 0.02 or unit(x % period, y % period, 6) < 0.35 else "e3"
    if here < 0.70 and unit(x % period, y % period, 8) < 0.55:
        return "e4"
    return pixel_name(pattern, x, y)


def road(period=64):
    """The road's pictures."""
    pattern = road_pattern(period)

    def paint(x, y, here, slope, _frame):
        return road_pixel(pattern, x, y, here, slope)

    return overlay(period, paint, 0.30, 47)


PUDDLES = [
    ["..dddd...", ".dwwwwdd.", "dwwwwwwwd", "dwwwwhhwl", ".lwwwwwl.", "..lllll.."],
    [".ddd.", "dwwwd", "dwhwl", ".lll."],
    ["..ddd...", ".dwwwdd.", "dwwwwwwd", ".lwwhhwl", "..lllll."],
    [".dd.", "dwwd", ".ll."],
]


def mud_pattern(period):
    """Dark wet earth with puddles that catch the sky, and green slime."""
    image = blank(period, period)
    for y in range(period):
        for x in range(period):
            cloud = layered(x, y, 16, period, 61) + 0.12 * (unit(x, y, 62) - 0.5)
            put(image, x, y, "m3" if cloud > 0.60 else ("m1" if cloud < 0.33 else "m2"))
    specks = [["d.d"], ["dd"], ["h"], ["d", "h"], ["g"], ["hh", ".d"]]
    for x, y, pick in scatter(image, 8, 67, 0.6):
        spot(image, x, y, specks[pick % 6], {"d": "m1", "h": "m4", "g": "g2"})
    for x, y, pick in scatter(image, 16, 69, 0.62):
        spot(image, x, y, PUDDLES[pick % 4], {"d": "m0", "w": "w1", "h": "w4", "l": "m4"})
    return image


def mud(period=64):
    """The swamp: dark, with a mossy rim."""
    pattern = mud_pattern(period)

    def paint(x, y, here, slope, _frame):
        if here < 0.5:
            return ("g2", 150) if here > 0.36 and unit(x % period, y % period, 9) < 0.8 else None
        if here < 0.60:
            return "m1" if slope[1] > 0.01 else "m3"
        if here < 0.74 and unit(x % period, y % period, 10) < 0.4:
            return "m3"
        return pixel_name(pattern, x, y)

    return overlay(period, paint, 0.42, 71)


def pixel_name(pattern, x, y):
    """The palette name of one pixel of a seamless pattern."""
    return NAMES[pattern.getpixel((x % pattern.width, y % pattern.height))[:3]]


def water_surface(x, y, period, frame):
    """Open water: slow swell in two blues and short bright ripples that travel with the frames."""
    swell = layered(x, y, 16, period, 81) + 0.06 * ((x + y) % 2)
    name = "w6" if swell > 0.56 else "w2"
    row, shift = y // 4, frame * 2
    if y % 4 == 1:
        along = (x + shift + hashed(row % (period // 4), 0, 83) % period) % period
        segment = along // 8
        if unit(segment, row % (period // 4), 84) < 0.24 and along % 8 < 3 + hashed(segment, row, 85) % 3:
            phase = (hashed(segment, row % (period // 4), 86) + frame) % 4
            return (name, "w3", "w4", "w5")[phase]
    return name


def water_pixel(x, y, here, slope, frame, period=32):
    """One pixel of a river or pond: an earth bank where the land lies behind, foam along the shore."""
    behind = slope[1] > 0.045  # deeper to the south: the land's face is seen
    if here < 0.5:
        if here > 0.40:
            return "g5" if behind else "g2"
        if here > 0.33:
            return ("g2", 110)
        return None
    bank = 0.30 if behind else 0.05
    if here < 0.5 + bank:
        if behind:
            return "e3" if here < 0.58 else ("e2" if here < 0.70 else "e1")
        return "e2"
    foam = 0.5 + bank + 0.11 + (0.05 if (frame + (x // 5)) % 4 in (0, 1) else 0.0)
    if here < foam:
        return "w5" if unit((x + frame) % period, y % period, 87) < 0.75 else "w4"
    if behind and here < foam + 0.07:
        return "w1"
    return water_surface(x, y, period, frame)


def water(period=32, frames=4):
    """The pictures of rivers and ponds."""

    def paint(x, y, here, slope, frame):
        return water_pixel(x, y, here, slope, frame, period)

    return overlay(period, paint, 0.22, 89, frames)


def rock(period=64):
    """Rock that stands above the ground: a lit top, a dark face to the south."""

    def paint(x, y, here, slope, _frame):
        front = slope[1] < -0.03  # higher to the north: this is the face towards the viewer
        lit = slope[0] + slope[1] > 0.06
        if here < 0.5:
            return ("g0", 130) if here > 0.32 and (front or slope[0] < -0.03) else None
        if here < 0.55:
            return "s0"
        edge, number, dx, dy = facets(x, y, 8, period, 95)
        if front and here < 0.90:
            split = value_noise(x, 0, 2, period, 93)
            if split < 0.30:
                return "s0"
            return "s1" if here < 0.80 or split < 0.55 else "s2"
        if lit and here < 0.66:
            return "s5" if number % 3 else "s4"
        if here < 0.64:
            return "s1"
        if edge < 0.9:
            return "s1" if dx + dy > 0 else "s2"
        tone = 3 if dx + dy > 1.5 else (4 if dx + dy < -2.0 else 3)
        tone -= 1 if number % 4 == 0 else 0
        return ("s1", "s2", "s3", "s4")[tone - 1]

    return overlay(period, paint, 0.30, 91)


DECOR = [
    [],  # 0: nothing
    [(3, 9, [".a.", "aya", ".a.", ".s."], {"a": "white", "y": "y1", "s": "g1"}),
     (9, 4, [".a.", "aya", ".a.", ".s."], {"a": "white", "y": "y1", "s": "g1"}),
     (11, 11, ["a", "s"], {"a": "white", "s": "g1"})],
    [(4, 5, ["rr", "rR", "s."], {"r": "r2", "R": "r3", "s": "g1"}),
     (9, 9, ["rr", "Rr", ".s"], {"r": "r2", "R": "r3", "s": "g1"}),
     (12, 3, ["r", "s"], {"r": "r3", "s": "g1"})],
    [(3, 4, [".p.", "pPp", ".s."], {"p": "p2", "P": "p1", "s": "g1"}),
     (8, 10, [".p.", "pPp", ".s."], {"p": "p2", "P": "p1", "s": "g1"}),
     (11, 5, ["p", "s"], {"p": "p2", "s": "g1"})],
    [(5, 8, [".y", "yY", "s."], {"y": "y2", "Y": "y1", "s": "g1"}),
     (10, 5, ["y.", "Yy", ".s"], {"y": "y2", "Y": "y1", "s": "g1"}),
     (3, 3, ["y", "s"], {"y": "y2", "s": "g1"})],
    [(3, 6, ["l...l", ".l.l.", "dl.ld", ".dld.", "..d.."], {"l": "g5", "d": "g1"}),
     (9, 3, ["l.l", "dld", ".d."], {"l": "g5", "d": "g1"})],
    [(4, 6, ["..l..", "l.l.l", "dldld", ".ddd."], {"l": "g6", "d": "g2"})],
    [(4, 7, [".ss.", "sSSs", "dssd", ".dd."], {"s": "s3", "S": "s5", "d": "s1"}),
     (10, 11, ["sS", "dd"], {"s": "s4", "S": "s5", "d": "s1"})],
    [(5, 6, [".rr.", "rwrr", "rrwr", ".kk.", ".kd."], {"r": "r2", "w": "white", "k": "e6", "d": "e4"}),
     (11, 9, ["rr", "kd"], {"r": "r1", "k": "e6", "d": "e4"})],
    [(3, 3, [".ll.l", "lllll", "lldll", ".lll."], {"l": "g3", "d": "g1"}),
     (9, 9, ["ll.l", "lldl", ".ll."], {"l": "g4", "d": "g2"}),
     (5, 3, ["pw"], {"p": "p2", "w": "white"})],
    [(3, 2, ["t...t.", "t.t.t.", "b.t.bt", "g.b.gb", "g.g.gg", "ggg.gg", ".gggg.", "..gg.."],
      {"t": "e2", "b": "e1", "g": "g2"})],
    [(6, 4, ["l..l", ".ll.", "d.ld", ".dd."], {"l": "g3", "d": "g0"}),
     (3, 10, ["l.l", ".d."], {"l": "g4", "d": "g1"})],
]


def decor():
    """Small things on the ground, each a transparent tile."""
    pictures = []
    for things in DECOR:
        image = blank(TILE, TILE)
        for x, y, rows, colours in things:
            stamp(image, x, y, rows, colours)
        pictures.append(image)
    return pictures


def draw(save):
    """Write every ground picture."""
    save("tiles/grass.png", grass_pattern())
    save("tiles/mud.png", sheet(mud(), 16))
    save("tiles/road.png", sheet(road(), 16))
    save("tiles/water.png", sheet(water(), 16))
    save("tiles/rock.png", sheet(rock(), 16))
    save("tiles/decor.png", sheet(decor(), 4))
