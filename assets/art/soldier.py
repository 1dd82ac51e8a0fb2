"""The soldier: four directions, two frames of standing and six of walking, drawn as text."""

from PIL import ImageOps

from .palette import blank, outline, sheet, stamp

WIDTH, HEIGHT = 24, 28
LEFT, TOP = 6, 3  # where the body's own picture begins
LEGS = 17  # its first row below the skirt

COLOURS = {
    "P": "r2", "R": "r3", "p": "r1",  # plume
    "W": "white", "s": "s4", "S": "s3", "d": "s2", "D": "s1",  # steel
    "y": "y1", "Y": "y2",  # gold
    "K": "k2", "k": "k1", "q": "k0", "e": "ink",  # face, hands, eyes
    "B": "b1", "b": "b2", "L": "b3", "n": "b0",  # tabard
    "C": "r2", "c": "r1", "x": "r0",  # cloak
    "l": "e1", "t": "e2", "T": "e3", "u": "e0",  # leather, boots
}

FRONT = [
    ".....RP.....",
    "....RPPp....",
    "...sRPPpS...",
    "..sWsPpSSd..",
    "..sWsssSSd..",
    "..sssssSSd..",
    "..yYYYyyyy..",
    "..dKKKKKKd..",
    "..dKeKKeKd..",
    "...kKKKKk...",
    "..CCkkkkCC..",
    "..bLbbbbBn..",
    "..bLbYYbBn..",
    "..bbbYYbBn..",
    "..llyYYyll..",
    "..bLbbbbBn..",
    "..bBbnnbBn..",
]

BACK = [
    ".....RP.....",
    "....RPPp....",
    "...sRPPpS...",
    "..sWsPpSSd..",
    "..sWsPpSSd..",
    "..sssPpSSd..",
    "..yYYYyyyy..",
    "..dSSSSSdd..",
    "..DdSSSSdD..",
    "...qkkkkq...",
    "..CCCCCCCc..",
    "..RCCCCCCc..",
    "..RCcCCcCc..",
    "..RCcCCcCc..",
    "..CCcCCcCx..",
    "..CCcCCcCx..",
    "..CcxCCxcx..",
]

SIDE = [
    "....RPP.....",
    "..pPPPPPR...",
    ".pPPsssSp...",
    ".pPsWsSSSd..",
    ".pp.sWssSSd.",
    "..p.ssssSSd.",
    "....yYYYyyy.",
    "...dSdKKKK..",
    "...dSdKKeK..",
    "....ddkKKk..",
    "...CCCkkb...",
    "..cCCLbbbb..",
    "..cCCbbbbB..",
    "..cCCbbbbB..",
    "..cCCllyll..",
    "..xcCbbbbB..",
    "..x.xbbbBn..",
]

ARM_FRONT_LEFT = ["ss", "sS", "Sd", "KK"]
ARM_FRONT_RIGHT = ["Ss", "Sd", "dd", "kK"]
ARM_SIDE = ["sS...", "SSSKK", ".ddkK"]

SHIELD = [".TTTT.", "TCCWWt", "TCCWWt", "TyYYyt", "TWWCct", "TWWCct", ".tttt."]
SHIELD_SIDE = [".TT.", "TCWt", "TCWt", "TYyt", "TWct", "TWct", ".tt."]
SPEAR = ["W", "s", "s", "d"] + ["T", "t"] * 8

# legs, one picture a frame: standing, then six of a walk
FRONT_STAND = ["..Dd..Dd..", "..Dd..Dd..", "..lt..lt..", ".ltt..ltt."]
FRONT_WALK = [
    ["..Dd..Dd..", "..Dd..lt..", "..Dd..ltt.", "..lt......", ".ltt......"],
    ["..Dd..Dd..", "..Dd..Dd..", "..lt..lt..", ".ltt......"],
    ["..Dd..Dd..", "..Dd..Dd..", "..lt..lt..", ".ltt..ltt."],
    ["..Dd..Dd..", "..lt..Dd..", ".ltt..Dd..", "......lt..", "......ltt."],
    ["..Dd..Dd..", "..Dd..Dd..", "..lt..lt..", "......ltt."],
    ["..Dd..Dd..", "..Dd..Dd..", "..lt..lt..", ".ltt..ltt."],
]
SIDE_STAND = ["...DddD...", "...DddD...", "...lttl...", "...lttttt."]
SIDE_WALK = [
    ["...DDdd...", "..DD..dd..", ".ul....lt.", ".uu....ltt"],
    ["...DDdd...", "...DD.dd..", "..ul..lt..", "..uu..ltt."],
    ["....Ddd...", "....Ddd...", "...uult...", "....ultt.."],
    ["...ddDD...", "..dd..DD..", ".lt....ul.", ".ltt...uuu"],
    ["...ddDD...", "...dd.DD..", "..lt..ul..", "..ltt.uuu."],
    ["....ddD...", "....ddD...", "...lttu...", "...ltt...."],
]
BOB = [1, 0, 0, 1, 0, 0]  # the body sinks when a foot lands
SWING = [1, 0, -1, -1, 0, 1]  # the arm's way


def front(frame):
    """Facing the viewer; frame 0 and 1 stand, 2 to 7 walk."""
    return facing(frame, FRONT, True)


def back(frame):
    """Facing away."""
    return facing(frame, BACK, False)


def pose(frame):
    """(how far the body sinks, how far the arms swing, index of the walk frame or None)."""
    if frame < 2:
        return frame, 0, None
    return BOB[frame - 2], SWING[frame - 2], frame - 2


def facing(frame, body, towards):
    image = blank(WIDTH, HEIGHT)
    sink, swing, step = pose(frame)
    legs = FRONT_STAND if step is None else FRONT_WALK[step]
    stamp(image, LEFT + 1, TOP + LEGS, legs, COLOURS)
    y = TOP + sink
    if not towards:
        stamp(image, LEFT + 11, y + 2 - swing, [*SPEAR], COLOURS)
        stamp(image, LEFT - 1, y + 10 + swing, SHIELD_SIDE, COLOURS)
    stamp(image, LEFT, y, body, COLOURS)
    if towards:
        stamp(image, LEFT, y + 11 - swing, ARM_FRONT_LEFT, COLOURS)
        stamp(image, LEFT, y + 1 - swing, [*SPEAR], COLOURS)
        stamp(image, LEFT, y + 14 - swing, ["KK"], COLOURS)
        stamp(image, LEFT + 8, y + 10 + swing, SHIELD, COLOURS)
    else:
        stamp(image, LEFT + 10, y + 11 - swing, ARM_FRONT_RIGHT, COLOURS)
    outline(image)
    return image


def side(frame):
    """Facing right."""
    image = blank(WIDTH, HEIGHT)
    sink, swing, step = pose(frame)
    legs = SIDE_STAND if step is None else SIDE_WALK[step]
    stamp(image, LEFT + 1, TOP + LEGS, legs, COLOURS)
    y = TOP + sink
    stamp(image, LEFT, y, SIDE, COLOURS)
    stamp(image, LEFT + 12 + swing, y + 1, [*SPEAR], COLOURS)
    stamp(image, LEFT + 8 + swing, y + 12, ARM_SIDE, COLOURS)
    stamp(image, LEFT + 4 - (swing + 1) // 2, y + 11, SHIELD_SIDE, COLOURS)
    outline(image)
    return image


def draw(save):
    """One row a direction: down, left, right, up; eight columns."""
    frames = [front(f) for f in range(8)]
    frames += [ImageOps.mirror(side(f)) for f in range(8)]
    frames += [side(f) for f in range(8)]
    frames += [back(f) for f in range(8)]
    save("sprites/soldier.png", sheet(frames, 8))
