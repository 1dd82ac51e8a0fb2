"""The town's buildings besides its cottages: church, windmill, watchtower, gate, stalls, fountain and small things."""

import math

from .noise import hashed, unit
from .objects import ground_shadow
from .palette import blank, box, outline, put, sheet


def masonry(image, x, y, width, height, seed, tones=("s2", "s3", "s4"), gap="s1"):
    """A wall of cut stones, lit from the left."""
    for row in range(height):
        course = row // 4
        for column in range(width):
            stone = (column + (course % 2) * 4) // 8
            if row % 4 == 3 or (column + (course % 2) * 4) % 8 == 7:
                tone = gap
            else:
                pick = hashed(stone, course, seed) % 4
                tone = tones[0] if pick == 0 else tones[2] if pick == 3 else tones[1]
            if column < 2 and tone != gap:
                tone = tones[2]
            if column >= width - 3:
                tone = gap if row % 4 == 3 else tones[0]
            put(image, x + column, y + row, tone)


def gable(image, left, right, top, bottom, roof, overhang=0.0):
    """A roof seen from its long side: courses of shingles, wider towards the eaves."""
    dark, low, mid, high = roof
    for y in range(top, bottom):
        inset = overhang * (bottom - y) / (bottom - top)
        for x in range(round(left + inset), round(right - inset)):
            course = (y - top) // 4
            shingle = (x + (course % 2) * 3) // 6
            tone = mid
            if (y - top) % 4 == 3 or (x + (course % 2) * 3) % 6 == 0 or unit(shingle, course, 404) < 0.12:
                tone = low
            elif (y - top) % 4 == 0 and unit(shingle, course, 403) < 0.45:
                tone = high
            if y >= bottom - 2:
                tone = dark
            put(image, x, y, tone)


def spire(image, middle, top, bottom, half, roof):
    """A pointed roof."""
    dark, low, mid, high = roof
    for y in range(top, bottom):
        width = half * (y - top + 1) / (bottom - top)
        for x in range(math.floor(middle - width), math.ceil(middle + width)):
            side = (x + 0.5 - middle) / max(width, 0.5)
            tone = high if side < -0.45 else mid if side < 0.2 else low
            if (y - top) % 4 == 3:
                tone = low if side < 0.2 else dark
            put(image, x, y, tone)
    box(image, math.floor(middle - half), bottom - 1, 2 * half, 1, dark)


def arch(image, x, y, width, height, inner, frame):
    """A round-topped opening."""
    for row in range(height):
        for column in range(width):
            dx = column + 0.5 - width / 2
            dy = width / 2 - row - 0.5
            if dy > 0 and math.hypot(dx, dy) > width / 2:
                continue
            rim = column in (0, width - 1) or (dy > 0 and math.hypot(dx, dy) > width / 2 - 1.2)
            put(image, x + column, y + row, frame if rim else inner)


SLATE = ("s0", "s1", "s2", "s3")
RED = ("r0", "r1", "r2", "r3")
BLUE = ("b0", "b1", "b2", "b3")


def church():
    """A church with its tower on the left, 64 x 96."""
    image = blank(64, 96)
    masonry(image, 22, 60, 36, 32, 701)
    box(image, 22, 88, 36, 4, "s1")
    for x in (29, 39, 49):
        arch(image, x, 66, 6, 15, "w2", "s5")
        box(image, x + 2, 70, 1, 10, "y2")
        box(image, x + 3, 72, 1, 6, "r3")
    gable(image, 18, 62, 40, 62, BLUE, 5.0)
    box(image, 22, 39, 36, 2, "b3")
    masonry(image, 5, 34, 22, 58, 702)
    box(image, 4, 88, 24, 4, "s1")
    box(image, 4, 33, 24, 2, "s5")
    spire(image, 16, 8, 34, 13, BLUE)
    box(image, 15, 1, 2, 8, "y1")
    box(image, 13, 3, 6, 2, "y2")
    arch(image, 12, 40, 8, 11, "s0", "s5")
    box(image, 14, 45, 4, 4, "y0")
    box(image, 15, 44, 2, 1, "y2")
    for y in range(15):
        for x in range(8):
            if math.hypot(x - 3.5, y - 3.5) < 3.9 and y < 8:
                put(image, 12 + x, 55 + y, "w3" if (x + y) % 3 else "p2")
    arch(image, 10, 74, 12, 18, "e1", "e5")
    box(image, 15, 76, 2, 16, "e0")
    put(image, 14, 84, "y2")
    outline(image)
    ground_shadow(image, 32.0, 92.0, 30.0, 4.0)
    return image


def windmill(turn):
    """A windmill of stone and wood, 72 x 96; two positions of its sails."""
    image = blank(72, 96)
    for y in range(44, 92):
        half = 11 + (y - 44) * 7 / 48
        for x in range(math.floor(36 - half), math.ceil(36 + half)):
            side = (x + 0.5 - 36) / half
            tone = "white" if side < -0.35 else "e6" if side < 0.35 else "e5" if side < 0.7 else "e4"
            if unit(x // 4, y // 3, 711) < 0.10:
                tone = "e5"
            put(image, x, y, tone)
        if y >= 86:
            for x in range(math.floor(36 - half), math.ceil(36 + half)):
                put(image, x, y, "s2" if (x // 5 + y // 3) % 2 else "s3")
    spire(image, 36, 28, 48, 15, RED)
    box(image, 33, 74, 8, 18, "e1")
    box(image, 34, 75, 6, 17, "e2")
    put(image, 38, 83, "y2")
    for x, y in ((31, 56), (39, 66)):
        box(image, x, y, 5, 6, "e1")
        box(image, x + 1, y + 1, 3, 4, "y2")
    outline(image)
    hub_x, hub_y = 36, 44
    for sail in range(4):
        angle = math.pi / 2 * sail + (math.pi / 4 if turn else math.pi / 12)
        ux, uy = math.cos(angle), math.sin(angle)
        for step in range(0, 300):
            along = step / 10
            for across in range(-2, 70):
                off = across / 10
                x, y = round(hub_x + ux * along - uy * off), round(hub_y + uy * along + ux * off)
                if off < 1.0:
                    put(image, x, y, "e1")
                elif along > 6 and off < 6.9:
                    lattice = int(along) % 6 == 0 or off > 6.0
                    put(image, x, y, "e2" if lattice else "white" if int(along) % 6 < 4 else "e6")
    for dx in range(-2, 3):
        for dy in range(-2, 3):
            if abs(dx) + abs(dy) < 4:
                put(image, hub_x + dx, hub_y + dy, "e0" if abs(dx) + abs(dy) > 1 else "y1")
    outline(image)
    ground_shadow(image, 36.0, 92.0, 21.0, 4.0)
    return image


def watchtower():
    """A round tower with a wooden crown and a flag, 48 x 80."""
    image = blank(48, 80)
    masonry(image, 12, 34, 24, 42, 721)
    masonry(image, 10, 70, 28, 6, 722)
    box(image, 8, 26, 32, 9, "e2")
    for x in range(8, 40, 4):
        box(image, x, 26, 3, 8, "e3")
        box(image, x, 26, 1, 8, "e4")
    box(image, 8, 34, 32, 2, "e1")
    for x in (10, 21, 36):
        box(image, x, 19, 2, 8, "e2")
    spire(image, 24, 6, 21, 17, SLATE)
    box(image, 23, 0, 2, 7, "e2")
    box(image, 25, 0, 8, 3, "r2")
    box(image, 25, 3, 5, 1, "r1")
    arch(image, 20, 60, 9, 16, "e1", "e5")
    box(image, 23, 42, 3, 8, "s0")
    box(image, 23, 53, 3, 4, "s0")
    outline(image)
    ground_shadow(image, 24.0, 76.0, 19.0, 3.8)
    return image


def gate():
    """A post of the town's gate: a short tower with battlements, 24 x 48."""
    image = blank(24, 48)
    masonry(image, 4, 14, 16, 30, 731)
    masonry(image, 2, 9, 20, 7, 732)
    for x in (2, 9, 16):
        box(image, x, 5, 6, 5, "s3")
        box(image, x, 5, 6, 1, "s5")
    box(image, 9, 21, 6, 12, "r2")
    box(image, 9, 21, 2, 12, "r3")
    box(image, 11, 25, 2, 3, "y2")
    for x, depth in ((9, 2), (10, 1), (13, 1), (14, 2)):
        box(image, x, 33, 1, depth, "r1")
    outline(image)
    ground_shadow(image, 12.0, 44.0, 11.0, 3.2)
    return image


def tower():
    """A tower of the example `towers`, 16 x 24: no higher than its cell and a third, so that a gap behind it is seen."""
    image = blank(16, 24)
    masonry(image, 3, 10, 10, 10, 741)
    box(image, 2, 5, 12, 5, "s1")
    box(image, 3, 6, 10, 3, "s0")
    for x in (2, 6, 11):
        box(image, x, 7, 3, 4, "s4")
        box(image, x, 7, 3, 1, "s5")
    box(image, 5, 9, 6, 2, "s3")
    for x in (2, 12):
        box(image, x, 3, 2, 3, "s3")
        box(image, x, 3, 2, 1, "s5")
    box(image, 6, 13, 4, 4, "r2")
    box(image, 6, 13, 1, 4, "r3")
    box(image, 7, 14, 2, 2, "y2")
    outline(image)
    ground_shadow(image, 8.0, 20.0, 7.0, 2.4)
    return image


def stall(cloth):
    """A market stall under striped cloth, 40 x 36."""
    low, high = cloth
    image = blank(40, 36)
    for x in (6, 32):
        box(image, x, 14, 2, 19, "e2")
        box(image, x, 14, 1, 19, "e3")
    box(image, 5, 23, 30, 3, "e4")
    box(image, 5, 26, 30, 6, "e2")
    for x in range(8, 34, 6):
        box(image, x, 26, 1, 6, "e1")
    for index, (x, name, light) in enumerate(((7, "r2", "r3"), (13, "y1", "y2"), (19, "g4", "g6"), (25, "r1", "r2"))):
        for dot in range(3):
            box(image, x + 2 * dot, 21 + (dot + index) % 2, 2, 2, name)
            put(image, x + 2 * dot, 21 + (dot + index) % 2, light)
    for y in range(5, 17):
        inset = max(0, 9 - y) // 2
        for x in range(3 + inset, 37 - inset):
            stripe = (x // 5) % 2
            tone = high if stripe else "white"
            if y in (5, 6):
                tone = "white" if not stripe else high
            if y >= 13:
                if (x % 5 in (0, 4)) and y == 16:
                    continue
                tone = low if stripe else "e6"
            put(image, x, y, tone)
    outline(image)
    ground_shadow(image, 20.0, 33.0, 18.0, 2.8)
    return image


def fountain(frame):
    """The fountain of the market place, 40 x 36, two frames."""
    image = blank(40, 36)
    for y in range(14, 34):
        for x in range(40):
            d = math.hypot((x + 0.5 - 20) / 17, (y + 0.5 - 24) / 8.5)
            if d > 1:
                continue
            wall = d > 0.80
            tone = "s4" if wall and y < 24 else "s3" if wall else "w3"
            if not wall and (x * 3 + y * 5 + frame * 4) % 11 == 0:
                tone = "w5"
            put(image, x, y, tone)
    for x in range(3, 37):
        for y in range(26, 34):
            d = math.hypot((x + 0.5 - 20) / 17, (y + 0.5 - 24) / 8.5)
            if 0.80 < d <= 1:
                put(image, x, y, "s2" if (x // 4 + y // 3) % 2 else "s3")
    box(image, 18, 10, 4, 15, "s3")
    box(image, 18, 10, 1, 15, "s5")
    box(image, 14, 9, 12, 2, "s4")
    box(image, 15, 11, 10, 1, "s2")
    for side in (-1, 1):
        for step in range(8):
            x = 20 + side * (step + 2)
            y = 5 + round(0.26 * (step - 2) ** 2) + (frame + step) % 2
            put(image, x if side > 0 else x - 1, y, "w5" if step % 2 else "w4")
    box(image, 19, 3 + frame, 2, 6 - frame, "w5")
    outline(image)
    ground_shadow(image, 20.0, 32.0, 18.0, 3.4)
    return image


def graves():
    """Three stones and a cross, 40 x 36."""
    image = blank(40, 36)
    for x, y, height in ((6, 20, 10), (17, 23, 8), (28, 19, 11)):
        box(image, x, y + 1, 6, height - 1, "s3")
        box(image, x + 1, y, 4, 1, "s4")
        box(image, x, y + 1, 2, height - 1, "s4")
        box(image, x + 2, y + 3, 3, 1, "s1")
        box(image, x + 2, y + 5, 3, 1, "s1")
        box(image, x - 1, y + height - 1, 2, 1, "g2")
        box(image, x + 4, y + height - 1, 3, 1, "g2")
    box(image, 22, 6, 2, 12, "e3")
    box(image, 19, 9, 8, 2, "e3")
    outline(image)
    ground_shadow(image, 20.0, 31.0, 16.0, 2.4)
    return image


def hay():
    """A haystack and a barrel, 40 x 36."""
    image = blank(40, 36)
    for y in range(10, 32):
        half = 11 * math.sqrt(max(0.0, 1 - ((31 - y) / 22) ** 2))
        for x in range(math.floor(15 - half), math.ceil(15 + half)):
            side = (x + 0.5 - 15) / max(half, 1)
            tone = "y2" if side < -0.3 else "y1" if side < 0.45 else "y0"
            if unit(x, y // 2, 741) < 0.22:
                tone = "y0" if tone == "y1" else "y1"
            put(image, x, y, tone)
    box(image, 28, 21, 8, 11, "e3")
    box(image, 28, 21, 2, 11, "e4")
    box(image, 34, 21, 2, 11, "e2")
    for y in (23, 29):
        box(image, 28, y, 8, 1, "s1")
    box(image, 29, 20, 6, 1, "e2")
    outline(image)
    ground_shadow(image, 19.0, 32.0, 17.0, 2.8)
    return image


def boat():
    """A rowing boat, 40 x 36 like the other small things."""
    image = blank(40, 36)
    for y in range(22, 31):
        half = 13 - max(0, y - 25) * 1.6
        for x in range(math.floor(20 - half), math.ceil(20 + half)):
            tone = "e4" if y < 24 else "e3" if y % 3 else "e1"
            put(image, x, y, tone)
    box(image, 10, 23, 20, 3, "e0")
    for x in (14, 20, 26):
        box(image, x, 23, 2, 3, "e4")
    outline(image)
    for x in range(6, 34):
        if image.getpixel((x, 32))[3] == 0 and hashed(x, 0, 751) % 3:
            put(image, x, 31, "w5", 170)
    return image


def draw(save):
    """Write the town's buildings."""
    save("town/church.png", church())
    save("town/windmill.png", sheet([windmill(0), windmill(1)], 2))
    save("town/watchtower.png", watchtower())
    save("town/gate.png", gate())
    save("sprites/tower.png", tower())
    stalls = [stall(("r1", "r2")), stall(("b1", "b2")), stall(("y0", "y1"))]
    save("town/small.png", sheet([*stalls, fountain(0), fountain(1), graves(), hay(), boat()], 8))
