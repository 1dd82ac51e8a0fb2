"""The traveller: a messenger with a feathered hat, a satchel and a staff. He walks on the soldier's legs."""

from PIL import ImageOps

from .palette import blank, outline, sheet, stamp
from .soldier import FRONT_STAND, FRONT_WALK, HEIGHT, LEFT, LEGS, SIDE_STAND, SIDE_WALK, TOP, WIDTH, pose

COLOURS = {
    "F": "white", "f": "w5",  # feather
    "H": "r2", "h": "r1", "y": "y1",  # hat and its band
    "a": "e3", "A": "e2",  # hair
    "K": "k2", "k": "k1", "q": "k0", "e": "ink",  # face, hands, eyes
    "G": "r2", "g": "r1", "L": "r3", "n": "r0",  # coat
    "C": "y1", "c": "y0", "x": "e2",  # cloak
    "w": "white", "W": "e6",  # collar
    "b": "e1", "B": "e2", "t": "e4", "T": "e3",  # leather: belt, satchel
    "D": "e2", "d": "e1", "l": "e1", "u": "e0",  # breeches and boots
}
BOOTS = {**COLOURS, "D": "m3", "d": "m2", "l": "e1", "t": "e2", "T": "e3"}

FRONT = [
    "........fF..",
    "...HHHHFF...",
    "..HHHHHFh...",
    "..HHHHHHh...",
    ".yyyyyyyyy..",
    "HHHHHHHHHHhh",
    "..aKKKKKKa..",
    "..aKeKKeKa..",
    "...KKKKKk...",
    "...wkkkkw...",
    "..CCwWWwCC..",
    ".CCGGLLGGCc.",
    ".CGGLLGGGgc.",
    ".CGGLGGGGgc.",
    "..bbbyybbb..",
    "..GGGGGggg..",
    "..GgGGggng..",
]

BACK = [
    "..Ff........",
    "...FFHHHH...",
    "...hFHHHHH..",
    "...hHHHHHH..",
    "..yyyyyyyyy.",
    "hhHHHHHHHHHH",
    "..aaaaaaaa..",
    "..aAaaaaAa..",
    "...aAaaAa...",
    "...wqkkqw...",
    "..CCCCCCCc..",
    ".CCCCCCCCcc.",
    ".CCcCCCcCcc.",
    ".CCcCCCcCcx.",
    ".CCcCCCcCcx.",
    "..CcCCCcCx..",
    "..CcxCCxcx..",
]

SIDE = [
    ".fF.........",
    "..FFHHHH....",
    "...FHHHHH...",
    "...hHHHHHH..",
    "..yyyyyyyyy.",
    "hhHHHHHHHHHH",
    "...aaKKKK...",
    "...aaKKeK...",
    "....akKKk...",
    "....wwkk....",
    "...CCWGG....",
    "..cCCLGGG...",
    "..cCCGGGg...",
    "..cCCGGGg...",
    "..cCbbyyb...",
    "..xcGGGgg...",
    "..x.GgGgn...",
]

ARM_LEFT = ["GG", "Gg", "gg", "KK"]
ARM_RIGHT = ["Gg", "gg", "gn", "kK"]
ARM_SIDE = ["GG...", "GGgKK", ".ggkK"]
SATCHEL = ["BBBB", "TttT", "TyyT", "TTTB"]
STAFF = ["t", "T"] + ["T", "B"] * 9


def front(frame):
    """Facing the viewer; frame 0 and 1 stand, 2 to 7 walk."""
    return facing(frame, FRONT, True)


def back(frame):
    """Facing away."""
    return facing(frame, BACK, False)


def facing(frame, body, towards):
    image = blank(WIDTH, HEIGHT)
    sink, swing, step = pose(frame)
    stamp(image, LEFT + 1, TOP + LEGS, FRONT_STAND if step is None else FRONT_WALK[step], BOOTS)
    y = TOP + sink
    if not towards:
        stamp(image, LEFT + 12, y + 3 - swing, STAFF, COLOURS)
    stamp(image, LEFT, y, body, COLOURS)
    if towards:
        stamp(image, LEFT - 1, y + 11 - swing, ARM_LEFT, COLOURS)
        stamp(image, LEFT - 2, y + 3 - swing, STAFF, COLOURS)
        stamp(image, LEFT - 2, y + 14 - swing, ["KK"], COLOURS)
        stamp(image, LEFT + 10, y + 11 + swing, ARM_RIGHT, COLOURS)
        stamp(image, LEFT + 7, y + 14, SATCHEL, COLOURS)
    else:
        stamp(image, LEFT + 11, y + 11 - swing, ARM_RIGHT, COLOURS)
        stamp(image, LEFT + 1, y + 14, SATCHEL, COLOURS)
    outline(image)
    return image


def side(frame):
    """Facing right."""
    image = blank(WIDTH, HEIGHT)
    sink, swing, step = pose(frame)
    stamp(image, LEFT + 1, TOP + LEGS, SIDE_STAND if step is None else SIDE_WALK[step], BOOTS)
    y = TOP + sink
    stamp(image, LEFT, y, SIDE, COLOURS)
    stamp(image, LEFT + 12 + swing, y + 3, STAFF, COLOURS)
    stamp(image, LEFT + 3 - (swing + 1) // 2, y + 13, SATCHEL, COLOURS)
    stamp(image, LEFT + 8 + swing, y + 12, ARM_SIDE, COLOURS)
    outline(image)
    return image


def draw(save):
    """One row a direction: down, left, right, up; eight columns."""
    frames = [front(f) for f in range(8)]
    frames += [ImageOps.mirror(side(f)) for f in range(8)]
    frames += [side(f) for f in range(8)]
    frames += [back(f) for f in range(8)]
    save("sprites/traveller.png", sheet(frames, 8))
