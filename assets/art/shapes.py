"""Tiles of the example `shapes`: the same five kinds of ground on squares, diamonds and hexagons.

A tile is a block seen from above and from the south: its top, and below that the sides that the next rows hide. Drawn row
by row from the north, water lies lower than land and rock stands above it without any picture for borders.
"""

from .noise import hashed, unit
from .palette import blank, put, sheet, stamp

# Room above a tile for what stands on it, and below it for its sides.
MARGIN = 12
# How far the sides reach below the tile.
DEPTH = 11

SHAPES = {"square": (16, 16), "diamond": (32, 16), "hexagon": (20, 16)}

FIR = ["....h....", "...hll...", "...lld...", "..hlldd..", "..lllddd.", "...lldd..", "..hlllddd", ".hllllddd",
       ".lllldddd", "....tt...", "....tt..."]
SMALL_FIR = ["...h...", "..hld..", "..lld..", ".hlldd.", "..lld..", ".hllddd", ".lllddd", "...t...", "...t..."]
LEAVES = ({"h": "g3", "l": "g2", "d": "g1", "t": "e1"}, {"h": "g4", "l": "g2", "d": "g1", "t": "e1"})


class Tile:
    """One tile: its shape, and the picture that is drawn."""

    def __init__(self, shape, seed):
        self.shape, self.seed = shape, seed
        self.width, self.height = SHAPES[shape]
        self.image = blank(self.width, self.height + 2 * MARGIN)

    def covers(self, x, y):
        """Whether a pixel belongs to the top; no pixel lies on a border, so that tiles fit without a gap."""
        dx, dy = abs(x + 0.5 - self.width / 2), abs(y + 0.5 - self.height / 2)
        if self.shape == "square":
            return dx < self.width / 2 and dy < self.height / 2
        if self.shape == "diamond":
            return dx / self.width + dy / self.height < 0.5
        return dx < self.width / 2 and 0.4 * dx + dy < self.height / 2

    def top(self):
        """The pixels of the top."""
        for y in range(self.height):
            for x in range(self.width):
                if self.covers(x, y):
                    yield x, y

    def put(self, x, y, name):
        """Set a pixel by its place on the tile."""
        put(self.image, x, y + MARGIN, name)

    def edge(self, x, y):
        """Where a pixel of the top lies: at the lower left, lower right or upper border, or inside."""
        if not self.covers(x, y + 1):
            if self.shape == "square":
                return "right"
            return "left" if x < self.width // 2 else "right"
        if not self.covers(x, y - 1):
            return "upper"
        if not self.covers(x - 1, y) or not self.covers(x + 1, y):
            return "side"
        return "inside"

    def is_rim(self, x, edge):
        """Whether a pixel is a part of the line between two tiles: squares have theirs at the right, too."""
        return edge in ("left", "right") or (self.shape == "square" and x == self.width - 1)

    def block(self, rise, side, paint):
        """The sides in `side(x, depth, is_left)`, the top, which is raised by `rise`, in `paint(x, y, edge)`."""
        for x in range(self.width):
            column = [y for y in range(self.height) if self.covers(x, y)]
            if not column:
                continue  # the tips of a diamond belong to its neighbours
            low = column[-1]
            is_left = self.shape == "square" or x < self.width // 2
            for y in range(low - rise, low + DEPTH + 1):
                name = side(x, y - low + rise, is_left)
                # The foot of the earth is ragged.
                if name and y < low + DEPTH - hashed(x // 2, 0, 977) % 3:
                    self.put(x, y, name)
        for x, y in self.top():
            self.put(x, y - rise, paint(x, y, self.edge(x, y)))

    def inner(self, x, y, inset=2):
        """Whether a pixel and what lies around it belong to the top."""
        near = ((-inset, 0), (inset, 0), (0, -inset), (0, inset), (0, 0))
        return all(self.covers(x + dx, y + dy) for dx, dy in near)

    def spots(self, count, inset, seed):
        """Places on the top, not too near to one another."""
        found = []
        for attempt in range(200):
            x = hashed(attempt, 1, self.seed * 31 + seed) % self.width
            y = hashed(attempt, 2, self.seed * 31 + seed) % self.height
            apart = all(abs(x - a) + 1.5 * abs(y - b) > 5 for a, b in found)
            if self.inner(x, y, inset) and apart:
                found.append((x, y))
            if len(found) == count:
                break
        return found


def earth(first):
    """Sides of earth below a rim."""
    def side(x, depth, is_left):
        if depth <= 1:
            return first
        stone = unit(x // 3, depth // 2, 55) < 0.2
        if is_left:
            return "e3" if stone else "e2"
        return "e2" if stone else "e1"
    return side


def grass(shape, seed):
    """A meadow with some blades."""
    tile = Tile(shape, seed)
    tile.block(0, earth("g2"), lambda x, y, edge: "g3" if tile.is_rim(x, edge) else "g4")
    for index, (x, y) in enumerate(tile.spots(5, 2, 3)):
        shade = "g5" if index % 2 else "g3"
        tile.put(x, y, shade)
        tile.put(x + 1, y - 1, shade)
    if seed % 4 == 2:
        for index, (x, y) in enumerate(tile.spots(2, 3, 9)):
            tile.put(x, y, "white" if index else "y2")
            tile.put(x, y + 1, "g2")
    return tile.image


def road(shape, seed):
    """Trodden earth, a little lower than grass."""
    tile = Tile(shape, seed)
    tile.block(-1, earth("e3"), lambda x, y, edge: "e4" if edge in ("left", "right") else "e5")
    for index, (x, y) in enumerate(tile.spots(6, 2, 5)):
        tile.put(x, y + 1, "e6" if index % 3 == 0 else "e4")
        if index % 3 == 1:
            tile.put(x + 1, y + 1, "e3")
    return tile.image


def wood(shape, seed):
    """Firs on dark grass."""
    tile = Tile(shape, seed)
    tile.block(0, earth("g1"), lambda x, y, edge: "g2" if tile.is_rim(x, edge) else "g3")
    cx, cy = tile.width // 2, tile.height // 2
    wide = tile.width // 4
    trees = [
        [(cx + wide // 2, cy - 2, 1), (cx - wide // 2 - 1, cy + 2, 0), (cx + wide, cy + 4, 1)],
        [(cx - wide // 2, cy - 2, 1), (cx + wide // 2, cy + 2, 0)],
        [(cx, cy - 3, 0), (cx - wide, cy + 2, 1), (cx + wide - 1, cy + 3, 1)],
    ][seed % 3]
    for foot_x, foot_y, kind in sorted(trees, key=lambda tree: tree[1]):
        rows = SMALL_FIR if kind else FIR
        half = len(rows[0]) // 2
        foot_x = min(max(foot_x, half), tile.width - half - 1)
        for dx in range(-half + 1, half + 1):
            if tile.covers(foot_x + dx, foot_y + 1):
                tile.put(foot_x + dx, foot_y + 1, "g1")
        stamp(tile.image, foot_x - half, foot_y + MARGIN - len(rows) + 1, rows, LEAVES[seed % 2])
    return tile.image


def water(shape, frame):
    """Open water, below the land; its glints move."""
    tile = Tile(shape, 3)

    def side(x, depth, is_left):
        return ("w2" if is_left else "w1") if depth < 3 else earth("e1")(x, depth, is_left)

    tile.block(-4, side, lambda x, y, edge: "w2")
    for index, (x, y) in enumerate(tile.spots(4, 3, 7)):
        phase = (frame + index) % 4
        shade = ("w3", "w4", "w3", "w2")[phase]
        for dx in range(-1, 2 + phase % 2):
            if tile.inner(x + dx, y, 1):
                tile.put(x + dx, y + 4, shade)
    return tile.image


def rock(shape, seed):
    """A block of stone that stands above the land: a lit top with cracks, and faces in the shade."""
    tile = Tile(shape, seed)
    rise = (6, 9, 7)[seed % 3]

    def side(x, depth, is_left):
        if depth > rise + 1:
            return earth("e1")(x, depth, is_left)
        crack = unit(x // 2, (depth + hashed(x // 2, 3, seed)) // 4, seed + 61) < 0.3
        if is_left:
            return "s2" if not crack else "s1"
        return "s1" if not crack else "s0"

    def top(x, y, edge):
        if edge in ("left", "right"):
            return "s5"
        lump = unit(x // 4, y // 3, seed + 67)
        return "s4" if lump < 0.42 else "s3"

    tile.block(rise, side, top)
    for x, y in tile.spots(3, 3, 11):
        tile.put(x, y - rise, "s2")
        tile.put(x + 1, y - rise + 1, "s2")
    if seed % 3 == 2:
        for x, y in tile.spots(4, 2, 13):
            tile.put(x, y - rise, "g4")
            tile.put(x + 1, y - rise, "g3")
    return tile.image


def tiles(shape):
    """The pictures of a shape, in the order that the example knows."""
    return (
        [grass(shape, seed) for seed in range(4)]
        + [road(shape, seed) for seed in range(2)]
        + [wood(shape, seed) for seed in range(3)]
        + [rock(shape, seed) for seed in range(3)]
        + [water(shape, frame) for frame in range(4)]
    )


def draw(save):
    """Write a sheet for each shape."""
    for shape in SHAPES:
        save(f"shapes/{shape}.png", sheet(tiles(shape), 16))
