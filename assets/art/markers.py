"""Marks on the map: goal flag, goal ring, cursor, path dots, the ring of the chosen unit."""

import math

from .palette import blank, outline, put, sheet, stamp


def flag(frame):
    """A pennant that waves in four frames, 24 x 28 with its foot at (8, 24)."""
    image = blank(24, 28)
    for y in range(3, 25):
        put(image, 7, y, "e5" if y % 5 else "e3")
        put(image, 8, y, "e2")
    put(image, 7, 2, "y2")
    put(image, 8, 2, "y1")
    for x in range(12):
        wave = round(1.3 * math.sin((x / 11) * 4.4 - frame * math.pi / 2) * min(1.0, x / 4))
        half = 8 - (x * 5) // 12
        for row in range(half):
            y = 4 + (8 - half) // 2 + row + wave
            slope = math.cos((x / 11) * 4.4 - frame * math.pi / 2)
            tone = "r3" if slope > 0.35 else "r1" if slope < -0.45 else "r2"
            put(image, 9 + x, y, tone)
        if x in (3, 4):
            put(image, 9 + x, 7 + wave, "y2")
            put(image, 9 + x, 8 + wave, "y1")
    outline(image)
    return image


def ring(frame):
    """The ring around the goal's foot: four frames of a slow pulse, 24 x 16."""
    image = blank(24, 16)
    radius = (8.0, 8.7, 9.4, 8.7)[frame]
    for y in range(16):
        for x in range(24):
            d = math.hypot(x + 0.5 - 12, (y + 0.5 - 8) * 1.55)
            if abs(d - radius) < 0.9:
                put(image, x, y, "y2" if y < 8 else "y1")
            elif abs(d - radius) < 1.7:
                put(image, x, y, "ink", 150)
    return image


def chosen(across, deep):
    """The ring around the chosen unit, 56 x 40, with gaps at its four sides."""
    image = blank(56, 40)
    for y in range(40):
        for x in range(56):
            dx, dy = (x + 0.5 - 28) / across, (y + 0.5 - 20) / deep
            d = (math.hypot(dx, dy) - 1) * min(across, deep)
            if min(abs(dx), abs(dy)) < 0.2:
                continue
            if abs(d) < 0.8:
                put(image, x, y, "white" if y < 20 else "g6")
            elif abs(d) < 1.7:
                put(image, x, y, "ink", 170)
    return image


def cursor(name_light, name_dark):
    """Four corners around a tile, 20 x 20."""
    image = blank(20, 20)
    for a, b in ((1, 1), (18, 1), (1, 18), (18, 18)):
        sx, sy = (1 if a == 1 else -1), (1 if b == 1 else -1)
        for step in range(6):
            name = name_light if step < 4 else name_dark
            put(image, a + sx * step, b, name)
            put(image, a, b + sy * step, name)
            if step < 5:
                put(image, a + sx * (step + 1), b + sy, name_dark)
                put(image, a + sx, b + sy * (step + 1), name_dark)
    outline(image)
    return image


def dot(rows):
    """A small mark of the path, 8 x 8."""
    image = blank(8, 8)
    stamp(image, (8 - len(rows[0])) // 2, (8 - len(rows)) // 2, rows, {"w": "white", "y": "y2", "o": "y1"})
    outline(image)
    return image


def waypoint():
    """A waypoint: a bright stud in a dark ring, to be tinted, 14 x 14."""
    image = blank(14, 14)
    for y in range(14):
        for x in range(14):
            d = math.hypot(x + 0.5 - 7, y + 0.5 - 7)
            if d < 2.2:
                put(image, x, y, "white")
            elif d < 3.1:
                put(image, x, y, "s3")
            elif d < 5.0:
                put(image, x, y, "white" if x + y < 15 else "s5")
            elif d < 6.4:
                put(image, x, y, "ink")
    return image


def arrow():
    """The head of a one-way way, pointing right, to be tinted, 12 x 12."""
    image = blank(12, 12)
    stamp(image, 2, 1, ["ww......", "wwww....", ".wwwww..", "..wwwwww", "..wwwwww", ".wwwwww.", ".wwwww..", "wwww....",
                        "ww......"], {"w": "white"})
    outline(image)
    return image


def draw(save):
    """Write every marker."""
    save("sprites/flag.png", sheet([flag(f) for f in range(4)], 4))
    save("sprites/ring.png", sheet([ring(f) for f in range(4)], 4))
    save("sprites/chosen.png", sheet([chosen(13, 8.5), chosen(26, 17)], 2))
    save("sprites/cursor.png", sheet([cursor("white", "s4"), cursor("r3", "r2"), cursor("y2", "y1")], 3))
    save("sprites/waypoint.png", waypoint())
    save("sprites/arrow.png", arrow())
    save("sprites/path.png", sheet([dot(["yyyy", "yyyy", "yoyo", "oooo"]), dot(["ww", "ww"])], 2))
