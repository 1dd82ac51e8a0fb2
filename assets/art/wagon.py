"""The wagon: a horse before a covered cart, as deep and as wide as two by two tiles. Rows and columns as the soldier's."""

import math

from PIL import ImageOps

from .objects import ground_shadow
from .palette import blank, box, outline, put, sheet, stamp

WIDTH, HEIGHT = 56, 52
# The middle of the four tiles.
MIDDLE_X, MIDDLE_Y = 28, 32

COLOURS = {
    "h": "e3", "H": "e4", "d": "e2", "D": "e1", "m": "e0", "x": "ink",  # coat, mane, eyes
    "w": "e6", "r": "r2", "R": "r1", "y": "y1",  # blaze, collar and its buckle
    "K": "k2", "k": "k1", "b": "b2", "B": "b1", "f": "y1", "F": "y0",  # the driver, with a straw hat
}

HORSE_SIDE = [
    "...........m......",
    "..........mhh.....",
    ".........mmHHhh...",
    ".........mmHHxhh..",
    "........mmmHHHHhw.",
    "........mmhHHhhww.",
    ".......mmhHHHd.dd.",
    ".......mmhHHhd....",
    "m.hhhhhhrrHHhd....",
    "mhHHHHHHHryHHd....",
    "mhHHHHHHHrrHhd....",
    "mhhHHHHHHHrRhd....",
    "mmhhhhhhhhhrhd....",
    ".mdhhdddddhhd.....",
]
HORSE_FRONT = [
    "..h....h..",
    "..hm..mh..",
    "..hmmmmh..",
    "..hHwwHh..",
    "..xHwwHx..",
    "..hHwwHd..",
    "..hHwwHd..",
    "...HwwH...",
    "...dwwd...",
    ".hhHddHhh.",
    "hHrrrrrrHd",
    "hHHryyrHHd",
    "hHHHrrHHHd",
    "hhHHHHHHdd",
    ".hhHHHHdd.",
]
HORSE_BACK = [
    "..h....h..",
    "..hm..mh..",
    "..hmmmmh..",
    "..hHmmHh..",
    "..hHmmHd..",
    "...Hmmd...",
    ".hHHmmHHd.",
    "hHrrrrrrHd",
    "hHHHHHHHHd",
    "hHHHmmHHdd",
    "hHHHmmHHdd",
]
DRIVER = [
    "..fff..",
    ".fffff.",
    "FFFFFFF",
    "..KKk..",
    "..KKk..",
    ".bbbbB.",
    "bbbbbbB",
    "bKbbbkB",
]
BOB = [1, 0, 0, 1, 0, 0]
# How far a leg is ahead of where it is joined: near and far legs of a pair are half a stride apart.
STRIDES = [3, 2, -1, -3, -2, 1]


def pose(frame):
    """(how far the horse's body sinks, the stride of the near legs, how far the wheels have turned)."""
    if frame < 2:
        return frame, 0, 0
    return BOB[frame - 2], STRIDES[frame - 2], (frame - 2) / 6 * math.pi / 2


def wheel(image, cx, cy, radius, turn):
    """A wheel seen from the side, with four spokes."""
    for y in range(cy - radius - 1, cy + radius + 2):
        for x in range(cx - radius - 1, cx + radius + 2):
            dx, dy = x - cx, y - cy
            d = math.hypot(dx, dy)
            if d > radius + 0.4:
                continue
            spoke = min(abs(math.sin(math.atan2(dy, dx) - turn)), abs(math.cos(math.atan2(dy, dx) - turn))) * d < 0.6
            if d > radius - 1.2:
                put(image, x, y, "e4" if dx + dy < 0 else "e2")
            elif d < 1.3:
                put(image, x, y, "y1")
            elif spoke:
                put(image, x, y, "e3")
            else:
                put(image, x, y, "e0")


def canvas_tone(light):
    """The tone of the cover: lit from the upper left."""
    return "white" if light > 0.62 else "e6" if light > 0.2 else "e5" if light > -0.35 else "e4"


def leg(image, top_x, foot_x, top, foot, near):
    """One leg and its hoof."""
    for y in range(top, foot + 1):
        along = (y - top) / max(foot - top, 1)
        x = round(top_x + (foot_x - top_x) * along)
        tone = "m" if y >= foot - 1 else ("h" if near else "D")
        stamp(image, x, y, [tone + ("d" if near and tone == "h" else tone)], COLOURS)


def side(frame):
    """Facing right."""
    image = blank(WIDTH, HEIGHT)
    sink, stride, turn = pose(frame)
    ground = MIDDLE_Y + 8
    horse_x, horse_y = 35, ground - 18 + sink
    lift = 1 if stride else 0
    for at, near in ((horse_x + 3, False), (horse_x + 10, False), (horse_x + 1, True), (horse_x + 8, True)):
        reach = stride if near else -stride
        leg(image, at, at + reach, horse_y + 12, ground - (lift if reach > 0 else 0), near)
    stamp(image, horse_x - 1, horse_y, HORSE_SIDE, COLOURS)
    # the shaft, below the collar
    box(image, 29, ground - 8, 13, 1, "e4")
    box(image, 29, ground - 7, 13, 1, "e1")
    # the cover over its hoops
    for x in range(4, 31):
        out = abs((x - 17) / 14)
        top = round(ground - 12 - 14 * (1 - out**3) ** 0.5) if out < 1 else ground - 12
        for y in range(top, ground - 11):
            light = 1 - (y - top) / 14 * 1.5 - (x - 17) / 40
            tone = canvas_tone(light)
            if (x - 4) % 9 == 4:
                tone = "e4" if light > -0.2 else "e3"
            put(image, x, y, tone)
    # the driver on the bench
    stamp(image, 27, ground - 21 + sink, DRIVER, COLOURS)
    # the bed
    box(image, 3, ground - 11, 30, 6, "e3")
    box(image, 3, ground - 11, 30, 1, "e5")
    box(image, 3, ground - 8, 30, 1, "e1")
    box(image, 3, ground - 6, 30, 1, "e2")
    for x in (3, 12, 22, 31):
        box(image, x, ground - 11, 2, 6, "e2")
    wheel(image, 10, ground - 5, 5, turn)
    wheel(image, 26, ground - 5, 5, turn)
    outline(image)
    ground_shadow(image, 27.0, ground + 0.5, 26.0, 4.5, 110)
    return image


def arch(image, left, right, top, bottom, paint):
    """A cover seen from the front or the back: a round arch."""
    middle, half = (left + right - 1) / 2, (right - left) / 2
    for x in range(left, right):
        out = abs(x - middle) / half
        begin = round(bottom - (bottom - top) * (1 - out**2.6) ** 0.5)
        for y in range(begin, bottom):
            put(image, x, y, paint((x - middle) / half, (y - top) / (bottom - top), y - begin))


def edge_wheel(image, x, bottom, turn):
    """A wheel seen along the way it rolls."""
    for y in range(bottom - 10, bottom + 1):
        mark = (y + round(turn * 4)) % 4 == 0
        put(image, x, y, "e1" if mark else "e3")
        put(image, x + 1, y, "e0" if mark else "e2")
        put(image, x + 2, y, "e0")


def facing(frame, towards):
    image = blank(WIDTH, HEIGHT)
    sink, stride, turn = pose(frame)
    if not towards:
        horse(image, MIDDLE_Y - 22 + sink, HORSE_BACK, stride, MIDDLE_Y - 3)
    wheels = MIDDLE_Y + (4 if towards else 12)
    for x in (16, 37):
        edge_wheel(image, x, wheels, turn if towards else -turn)
    bed = wheels - 9

    def cover(across, down, _depth):
        inner = (across / 0.72) ** 2 + ((1 - down) / 0.82) ** 2 < 1
        if inner:
            return "e0" if down < 0.72 else "e1"
        return canvas_tone(0.75 - across * 0.6 - down * 0.5)

    arch(image, 17, 39, bed - 18, bed + 1, cover)
    if towards:
        stamp(image, 24, bed - 10 + sink, DRIVER, COLOURS)
    else:
        # sacks and a barrel under the cover
        stamp(image, 21, bed - 6, [".ee..", "eEEe.", "eEEEe", "eEEEe", "EEEEE"], {"e": "e5", "E": "e4"})
        stamp(image, 29, bed - 7, [".tt.", "tTTt", "yyyy", "tTTt", "tTTt", "yyyy"], {"t": "e2", "T": "e3", "y": "s2"})
    # the bed's face
    box(image, 18, bed, 20, 6, "e3")
    box(image, 18, bed, 20, 1, "e5")
    box(image, 18, bed + 3, 20, 1, "e1")
    for x in (18, 27, 36):
        box(image, x, bed, 2, 6, "e2")
    if towards:
        horse(image, MIDDLE_Y - 4 + sink, HORSE_FRONT, stride, MIDDLE_Y + 14)
    outline(image)
    ground_shadow(image, 28.0, wheels + 0.5, 17.0, 4.5, 110)
    ground_shadow(image, 28.0, MIDDLE_Y + (13.0 if towards else -3.0), 9.0, 4.0, 110)
    return image


def horse(image, top, body, stride, ground):
    """The horse from the front or the back, with its legs; it has an outline of its own, before the cart."""
    layer = blank(WIDTH, HEIGHT)
    for x, ahead in ((24, stride > 0), (30, stride < 0)):
        foot = ground - (2 if ahead else 0)
        for y in range(top + len(body) - 1, foot + 1):
            stamp(layer, x, y, ["mm" if y >= foot - 1 else "hd"], COLOURS)
    # the shafts at both sides
    for x in (22, 33):
        box(layer, x, top + len(body) - 6, 1, 8, "e4")
    stamp(layer, 23, top, body, COLOURS)
    outline(layer)
    image.alpha_composite(layer)


def draw(save):
    """One row a direction: down, left, right, up; eight columns."""
    frames = [facing(f, True) for f in range(8)]
    frames += [ImageOps.mirror(side(f)) for f in range(8)]
    frames += [side(f) for f in range(8)]
    frames += [facing(f, False) for f in range(8)]
    save("sprites/wagon.png", sheet(frames, 8))
