"""The boat: a hull with one striped sail. Rows and columns as the soldier's; it rocks at rest and leaves a wake under way."""

import math

from PIL import ImageOps

from .noise import hashed
from .palette import blank, box, outline, put, sheet, stamp

WIDTH, HEIGHT = 40, 44
# The middle of its tile.
MIDDLE_X, MIDDLE_Y = 20, 33
WATERLINE = MIDDLE_Y + 4

COLOURS = {"H": "e3", "h": "e4", "d": "e2", "D": "e1", "s": "r2", "S": "r1", "l": "r3", "w": "white", "W": "e6", "v": "e5"}
PENNANT = [["bb..", "bbbb", "bb.."], ["bbb.", ".bbb", "bb.."]]
ROCK = [1, 0, 0, 0, 1, 1]


def pose(frame):
    """(how far it sinks, the step of its way or None)."""
    return (frame, None) if frame < 2 else (ROCK[frame - 2], frame - 2)


def stripe(row, rows, light):
    """A sail of broad stripes, rounder and darker towards its foot."""
    band = row * 5 // rows
    if band % 2:
        return "l" if light > 0.55 else "s" if light > -0.2 else "S"
    return "w" if light > 0.2 else "W" if light > -0.5 else "v"


def foam(image, left, right, y, seed):
    """White water along the hull."""
    for x in range(left, right):
        if hashed(x // 2, 0, 900 + seed) % 3 and not image.getpixel((x, y))[3]:
            put(image, x, y, "w5", 210)


def side(frame):
    """Facing right."""
    image = blank(WIDTH, HEIGHT)
    sink, step = pose(frame)
    y0 = WATERLINE - 9 + sink
    # the mast and its pennant
    box(image, 18, y0 - 24, 1, 25, "e4")
    box(image, 19, y0 - 24, 1, 25, "e1")
    stamp(image, 13, y0 - 25, [row[::-1] for row in PENNANT[frame % 2]], {"b": "b2"})
    # the sail, full of wind
    rows = 17
    for row in range(rows):
        swell = math.sin((row + 1.5) / (rows + 1) * math.pi) ** 0.6
        right = round(20 + 9 * swell + row * 0.12)
        left = round(11 + 3.5 * swell)
        for x in range(left, right + 1):
            light = 0.9 - (x - left) / (right - left) * 0.9 - row / rows * 0.7
            stamp(image, x, y0 - 21 + row, [stripe(row, rows, light)], COLOURS)
    box(image, 11, y0 - 22, 11, 1, "e2")
    # the hull: low in the middle, high at stem and stern
    for x in range(8, 34):
        along = (x - 20.5) / 12.5
        top = y0 - round(3.4 * abs(along) ** 2.4) + (0 if along < 0 else -round(1.2 * max(0, along - 0.6) / 0.4))
        bottom = WATERLINE - round(5.5 * max(0.0, abs(along) - 0.35) ** 1.6)
        for y in range(top, bottom + 1):
            depth = y - top
            tone = "v" if depth == 0 else "h" if depth < 3 else "H" if depth < 5 else "d"
            if depth == 3:
                tone = "D"
            stamp(image, x, y, [tone], COLOURS)
    # shields of the crew at the side
    for index, x in enumerate((13, 18, 23)):
        stamp(image, x, y0 + 1, [".aa.", "abba", "abba", ".aa."], {"a": "y1", "b": "b2" if index % 2 else "r2"})
    outline(image)
    if step is None:
        foam(image, 11, 31, WATERLINE + 1 + (frame == 0), frame)
    else:
        foam(image, 7, 33, WATERLINE + 2, step)
        # the bow's wave, and the wake behind
        for index in range(5):
            put(image, 32 + index // 2, WATERLINE - 2 + index - (step % 2), "w5", 230)
        for index in range(3):
            x = 7 - 2 * index + step % 2
            put(image, x, WATERLINE - index % 2, "w5", 220)
            put(image, x - 1, WATERLINE + 2 - index % 2, "w4", 220)
    return image


def facing(frame, towards):
    image = blank(WIDTH, HEIGHT)
    sink, step = pose(frame)
    y0 = WATERLINE - 9 + sink
    box(image, 19, y0 - 24, 1, 26, "e4")
    box(image, 20, y0 - 24, 1, 26, "e1")
    stamp(image, 21, y0 - 25, PENNANT[frame % 2], {"b": "b2"})

    def hull():
        for y in range(y0 - (4 if towards else 2), WATERLINE + 2):
            # towards the viewer the stem rises in the middle
            down = (y - y0) / (WATERLINE - y0)
            half = 7.5 - 4.2 * max(0.0, down) ** 2.2
            for x in range(math.ceil(19.5 - half), math.floor(19.5 + half) + 1):
                out = abs(x - 19.5)
                top = y0 - (4 - out * 0.8 if towards else 2 - (out > 5) * 2)
                if y < top - 0.5:
                    continue
                depth = y - round(top)
                tone = "v" if depth <= 0 else "h" if x < 17 else "H" if x < 23 else "d"
                if depth in (4, 8):
                    tone = "D"
                stamp(image, x, y, [tone], COLOURS)
        if towards:
            box(image, 19, y0 - 6, 2, 14, "e2")
            box(image, 19, y0 - 6, 1, 14, "e5")
            stamp(image, 18, y0 - 7, ["yyyy", ".yo."], {"y": "y1", "o": "y0"})
        else:
            # the rudder
            box(image, 19, y0 - 1, 2, 12, "e1")
            box(image, 19, y0 - 1, 1, 12, "e3")
            box(image, 14, y0 + 1, 12, 1, "y1")

    def sail():
        rows = 17
        for row in range(rows):
            swell = math.sin((row + 2) / (rows + 2) * math.pi) ** 0.5
            half = 8.5 + 2.0 * swell
            for x in range(math.ceil(19.5 - half), math.floor(19.5 + half) + 1):
                light = 0.8 - (x - 19.5 + half) / (2 * half) * 0.9 - row / rows * 0.6
                if not towards:
                    light -= 0.35
                stamp(image, x, y0 - 21 + row, [stripe(row, rows, light)], COLOURS)
        box(image, 10, y0 - 22, 20, 1, "e2")

    if towards:
        sail()
        hull()
    else:
        hull()
        sail()
    outline(image)
    seed = frame if step is None else step
    foam(image, 12, 28, WATERLINE + 3, seed)
    if step is not None:
        for index in range(4):
            shift = (step + index) % 3
            if towards:
                put(image, 12 - index, WATERLINE - index + 2, "w5", 230)
                put(image, 27 + index, WATERLINE - index + 2, "w5", 230)
            else:
                put(image, 16 + shift, WATERLINE + 3 + index, "w5", 220)
                put(image, 23 - shift, WATERLINE + 3 + index, "w5", 220)
    return image


def draw(save):
    """One row a direction: down, left, right, up; eight columns."""
    frames = [facing(f, True) for f in range(8)]
    frames += [ImageOps.mirror(side(f)) for f in range(8)]
    frames += [side(f) for f in range(8)]
    frames += [facing(f, False) for f in range(8)]
    save("sprites/boat.png", sheet(frames, 8))
