#!/usr/bin/env python3
"""Draws the pictures of the guide. Needs Pillow 10.1 or later; run from anywhere: `python3 docs/guide/pictures.py`.

The pictures are our own work and have the licence of the project: MIT OR Apache-2.0.
"""

import heapq
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FOLDER = Path(__file__).resolve().parent / "src" / "pictures"
SCALE = 2  # drawn at twice the size, then scaled down
CELL = 40
MARGIN = 14

GROUND = {
    ".": "#efe9d9", "#": "#4b4f58", "=": "#d8c08a", ",": "#b5d597", "~": "#8fbfe0", "3": "#86b57c", "9": "#a58e6b", " ": "#ffffff",
}
COST = {".": 1, "=": 1, ",": 2, "3": 3, "9": 9}
INK, GREY, BLUE, RED, GREEN, ORANGE, PURPLE = "#24262b", "#8a8a8a", "#1f5fbf", "#c23b32", "#2f7d3a", "#d97a16", "#7a4fa3"


def font(size):
    """The font that Pillow brings along, so that every machine draws the same."""
    return ImageFont.load_default(size * SCALE)


def find(rows, start, goal, cost=COST, closed=()):
    """The cheapest path by the default rules: 10 and 14, no diagonal step past a wall."""

    def at(cell):
        x, y = cell
        if not (0 <= y < len(rows) and 0 <= x < len(rows[0])) or cell in closed:
            return 0
        return cost.get(rows[len(rows) - 1 - y][x], 0)

    best, queue = {start: 0}, [(0, start, None)]
    came = {}
    while queue:
        total, cell, before = heapq.heappop(queue)
        if cell in came:
            continue
        came[cell] = before
        if cell == goal:
            path = []
            while cell is not None:
                path.append(cell)
                cell = came[cell]
            return path[::-1]
        x, y = cell
        for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]:
            step = (x + dx, y + dy)
            if not at(step) or (dx and dy and not (at((x + dx, y)) and at((x, y + dy)))):
                continue
            new = total + (14 if dx and dy else 10) * at(step)
            if new < best.get(step, 1 << 30):
                best[step] = new
                heapq.heappush(queue, (new, step, cell))
    return []


class Board:
    """Tiles from text, the top row first; cell (0, 0) is the lower left one."""

    def __init__(self, text, legend=(), cell=CELL):
        self.rows = [row for row in text.strip("\n").split("\n")]
        self.cell = cell
        self.width, self.height = max(map(len, self.rows)), len(self.rows)
        self.rows = [row.ljust(self.width) for row in self.rows]
        self.legend = legend
        size = (self.width * cell + 2 * MARGIN, self.height * cell + 2 * MARGIN + 26 * len(legend))
        self.image = Image.new("RGB", (size[0] * SCALE, size[1] * SCALE), "white")
        self.draw = ImageDraw.Draw(self.image)
        for row, letters in enumerate(self.rows):
            for x, letter in enumerate(letters):
                self.tile((x, self.height - 1 - row), GROUND[letter])
        for line, (colour, text) in enumerate(legend):
            y = (self.height * cell + 2 * MARGIN + 26 * line + 6) * SCALE
            self.draw.ellipse([MARGIN * SCALE, y - 7 * SCALE, (MARGIN + 14) * SCALE, y + 7 * SCALE], fill=colour, outline=INK, width=SCALE)
            self.draw.text(((MARGIN + 24) * SCALE, y), text, fill=INK, font=font(16), anchor="lm")

    def centre(self, cell):
        x, y = cell
        return ((MARGIN + (x + 0.5) * self.cell) * SCALE, (MARGIN + (self.height - y - 0.5) * self.cell) * SCALE)

    def tile(self, cell, colour, inset=0):
        x, y = self.centre(cell)
        half = self.cell * SCALE / 2 - inset * SCALE
        outline = None if colour == GROUND[" "] else "#c9c3b2"
        self.draw.rectangle([x - half, y - half, x + half, y + half], fill=colour, outline=outline, width=SCALE)

    def frame(self, cell, colour, inset=2, width=3):
        x, y = self.centre(cell)
        half = self.cell * SCALE / 2 - inset * SCALE
        self.draw.rectangle([x - half, y - half, x + half, y + half], outline=colour, width=width * SCALE)

    def write(self, cell, text, colour=INK, size=16):
        self.draw.text(self.centre(cell), text, fill=colour, font=font(size), anchor="mm")

    def cross(self, cell, colour):
        x, y = self.centre(cell)
        arm = self.cell * SCALE * 0.3
        self.draw.line([x - arm, y - arm, x + arm, y + arm], fill=colour, width=4 * SCALE)
        self.draw.line([x - arm, y + arm, x + arm, y - arm], fill=colour, width=4 * SCALE)

    def path(self, cells, colour=BLUE, dashed=False, width=5):
        points = [self.centre(cell) for cell in cells]
        for (x, y), (to_x, to_y) in zip(points, points[1:]):
            if dashed:
                for part in range(0, 8, 2):
                    a, b = part / 8, (part + 1) / 8
                    ends = [x + (to_x - x) * a, y + (to_y - y) * a, x + (to_x - x) * b, y + (to_y - y) * b]
                    self.draw.line(ends, fill=colour, width=width * SCALE)
            else:
                self.draw.line([x, y, to_x, to_y], fill=colour, width=width * SCALE)
                half = width * SCALE / 2
                self.draw.ellipse([to_x - half, to_y - half, to_x + half, to_y + half], fill=colour)
        if len(points) < 2:
            return
        # The arrow head, inside the last cell.
        (x, y), (to_x, to_y) = points[-2:]
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        dx, dy = (to_x - x) / length * 9 * SCALE, (to_y - y) / length * 9 * SCALE
        self.draw.polygon([to_x + dx, to_y + dy, to_x - dx - dy, to_y - dy + dx, to_x - dx + dy, to_y - dy - dx], fill=colour)

    def unit(self, cell, label, colour, side=1):
        x, y = self.centre((cell[0] + (side - 1) / 2, cell[1] + (side - 1) / 2))
        radius = self.cell * (side / 2 - 0.14) * SCALE
        self.draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=colour, outline="white", width=2 * SCALE)
        self.draw.text((x, y), label, fill="white", font=font(round(self.cell * (0.42 if side == 1 else 0.6))), anchor="mm")

    def goal(self, cell, label="G", colour=RED):
        x, y = self.centre(cell)
        radius = self.cell * 0.34 * SCALE
        self.draw.ellipse([x - radius, y - radius, x + radius, y + radius], outline=colour, width=4 * SCALE, fill="white")
        self.draw.text((x, y), label, fill=colour, font=font(round(self.cell * 0.4)), anchor="mm")

    def save(self, name):
        size = (self.image.width // SCALE, self.image.height // SCALE)
        image = self.image.resize(size, Image.Resampling.LANCZOS)
        FOLDER.mkdir(parents=True, exist_ok=True)
        image.quantize(256, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def first_unit():
    board = Board("..........\n..####....\n.....#....\n.....#....", [(BLUE, "the unit and its path"), (RED, "the goal")])
    path = find(board.rows, (3, 1), (8, 0))
    board.path(path)
    board.goal((8, 0))
    board.unit((3, 1), "S", BLUE)
    board.save("01-first-unit")


def terrain():
    board = Board(
        ",,,=,,,,,,\n,,,=,,,,,,\n~~~=~~~~~~\n~~~=~~~~~~\n,,,=,,,,,,\n====,,,,,,",
        [
            (BLUE, "F on foot: over the bridge"),
            (ORANGE, "W wagon of 2 by 2 cells: the bridge is too narrow"),
            (PURPLE, "B boat: on water only"),
        ],
    )
    path = find(board.rows, (0, 0), (0, 5))
    board.path(path)
    board.path(find(board.rows, (4, 2), (9, 3), cost={"~": 1}), PURPLE)
    board.unit((0, 0), "F", BLUE)
    board.unit((6, 0), "W", ORANGE, side=2)
    board.unit((4, 2), "B", PURPLE)
    board.cross((6, 4), ORANGE)
    board.save("02-terrain-and-movements")


def walls():
    board = Board(
        "............\n............\n............\n............\n............",
        [(GREY, "the old path (dashed)"), (BLUE, "the new path, from where the unit stood")],
    )
    house = [(6, 1), (7, 1), (6, 2), (7, 2)]
    for cell in house:
        board.tile(cell, "#9c5a3c")
    board.path([(x, 2) for x in range(3, 12)], GREY, dashed=True)
    board.path(find(board.rows, (3, 2), (11, 2), closed=house))
    board.goal((11, 2))
    board.unit((3, 2), "S", BLUE)
    board.draw.text(board.centre((6.5, 1.5)), "house", fill="white", font=font(18), anchor="mm")
    board.save("03-walls-that-change")


def bodies():
    text = "........#.......\n........#.......\n................\n........#.......\n........#......."
    board = Board(text, [(BLUE, "five members, and the path of the group"), (GREEN, "the place of each member in the wedge")])
    # A point at the goal and two arms behind it.
    places = [(14, 2), (13, 3), (13, 1), (12, 4), (12, 0)]
    for place in places:
        board.frame(place, GREEN)
    board.path(find(board.rows, (1, 2), (14, 2)))
    for number, cell in enumerate([(1, 2), (1, 3), (1, 1), (0, 3), (0, 1)]):
        board.unit(cell, str(number + 1), BLUE)
    board.save("04-bodies-and-groups")


def goals():
    text = "..............\n.###.....##...\n.###.....##...\n..............\n.............."
    board = Board(text, [(BLUE, "G guard, on its path to the thief"), (RED, "T thief, on its own path"), (GREEN, "D dog, follows the guard")])
    board.path(find(board.rows, (8, 1), (13, 0)), RED)
    board.path(find(board.rows, (0, 4), (8, 1))[:-1] + [(8, 1)])
    board.path(find(board.rows, (0, 1), (0, 4))[:-1], GREEN)
    board.unit((0, 4), "G", BLUE)
    board.unit((8, 1), "T", RED)
    board.unit((0, 1), "D", GREEN)
    board.save("05-goals-that-move")


def stops():
    board = Board(
        "..........\n.########.\n.########.\n.########.\n.########.\n..........",
        [(BLUE, "the guard and its round"), (RED, "stops 0 to 3; after the last one comes the first")],
    )
    board.path([(0, 0), (9, 0), (9, 5), (0, 5), (0, 1)])
    for index, stop in enumerate([(9, 0), (9, 5), (0, 5), (0, 0)]):
        board.goal(stop, str(index))
    board.unit((4, 0), "S", BLUE)
    board.save("06-stops-and-patrols")


def turns():
    text = "..........\n...33.....\n..........\n.........."
    board = Board(text, [(BLUE, "K knight; 1 and 2: the turn in which it can stop there"), (GREEN, "F friend: pass, and do not stop"), (RED, "E enemies: walls for this question")])
    knight, friend, enemies = (1, 1), (3, 1), [(5, 1), (5, 0)]
    cost, rows = COST, board.rows

    def at(cell):
        x, y = cell
        inside = 0 <= x < board.width and 0 <= y < board.height and cell not in enemies
        return cost[rows[board.height - 1 - y][x]] if inside else 0

    def reach(sources, points):
        """Every cell within so many points of the sources: what one turn adds."""
        best, queue = {source: 0 for source in sources}, [(0, source) for source in sources]
        heapq.heapify(queue)
        while queue:
            total, (x, y) = heapq.heappop(queue)
            for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]:
                step = (x + dx, y + dy)
                if not at(step) or (dx and dy and not (at((x + dx, y)) and at((x, y + dy)))):
                    continue
                new = total + (14 if dx and dy else 10) * at(step)
                if new <= points and new < best.get(step, 1 << 30):
                    best[step] = new
                    heapq.heappush(queue, (new, step))
        return set(best)

    first = reach([knight], 30)
    second = reach([cell for cell in first if cell != friend], 30)
    for cell in second - first:
        board.tile(cell, "#cfe0f7", inset=2)
        board.write(cell, "2", BLUE)
    for cell in first:
        board.tile(cell, "#8db7ee", inset=2)
        board.write(cell, "1", "#123a78")
    for forest in [(3, 2), (4, 2)]:
        board.frame(forest, "#3f7a35", inset=4, width=2)
    board.unit(knight, "K", BLUE)
    board.unit(friend, "F", GREEN)
    for enemy in enemies:
        board.unit(enemy, "E", RED)
    board.save("07-turn-based-games")


def towers():
    board = Board(
        "..........\n..........\n..........\n..........\n..........",
        [(ORANGE, "towers"), (PURPLE, "an enemy, and its path to the base B"), (RED, "red: a tower here would seal the last path")],
    )
    built = [(4, 0), (4, 1), (4, 2), (4, 4), (6, 3)]
    red = (4, 3)
    board.tile(red, "#f0b3ad")
    board.path(find(board.rows, (0, 2), (9, 2), closed=built), PURPLE)
    board.cross(red, RED)
    for tower in built:
        board.tile(tower, "#6b6f78", inset=2)
        board.unit(tower, "T", ORANGE)
    board.goal((9, 2), "B")
    board.unit((0, 2), "E", PURPLE)
    board.save("08-tower-defence")


def chunks():
    row, gap = "....#...", "........"
    rows = []
    for y in range(4, -1, -1):
        rows.append("".join(gap if y == gap_row else row for gap_row in [1, 3, 0]))
    board = Board("\n".join(rows), [(BLUE, "one path through three tilemaps"), (RED, "the goal: a tile of the third tilemap")], cell=28)
    board.path(find(board.rows, (1, 3), (22, 3)), width=4)
    for chunk in range(3):
        x, y = board.centre((chunk * 8, 0))
        half = board.cell * SCALE / 2
        right, top = board.centre((chunk * 8 + 7, 4))
        board.draw.rectangle([x - half, top - half, right + half, y + half], outline=INK, width=3 * SCALE)
        board.draw.text((x, top), f"chunk {chunk}", fill=INK, font=font(14), anchor="lm")
    board.goal((22, 3))
    board.unit((1, 3), "S", BLUE)
    board.save("09-chunks-tiled-ldtk")


def saving():
    level = "......\n.####.\n.....3"
    board = Board("\n".join(row + "      " + row for row in level.split("\n")), [(BLUE, "saved: the place of the unit, its PathAgent, its goal"), (GREY, "not saved: the path; it is searched again (dashed)")])
    path = find(level.split("\n"), (0, 2), (5, 0))
    saved = path[3]
    board.path(path)
    board.goal((5, 0))
    board.unit(saved, "S", BLUE)
    board.path([(x + 12, y) for x, y in path[3:]], GREY, dashed=True)
    board.goal((17, 0))
    board.unit((saved[0] + 12, saved[1]), "S", BLUE)
    x, y = board.centre((6, 1))
    end, _ = board.centre((11, 1))
    for row, text in [(1.6, "map, place,"), (0.4, "agent, goal")]:
        board.draw.text(board.centre((8.5, row)), text, fill=INK, font=font(17), anchor="mm")
    board.draw.line([x, y, end - 16 * SCALE, y], fill=INK, width=4 * SCALE)
    board.draw.polygon([end, y, end - 18 * SCALE, y - 11 * SCALE, end - 18 * SCALE, y + 11 * SCALE], fill=INK)
    board.save("10-saving")


def testing():
    board = Board("     \n.....\n.999.\n.....", [(BLUE, "the unit after so many ticks"), (RED, "the goal")])
    wide = Image.new("RGB", (board.image.width * 3, board.image.height), "white")
    path = find(board.rows[1:], (0, 1), (4, 1))
    for frame, (at, title) in enumerate([(0, "tick 0"), (2, "tick 37"), (len(path) - 1, "tick 77: Arrived")]):
        # The legend is drawn once.
        picture = Board("     \n.....\n.999.\n.....", board.legend if frame == 0 else [("#ffffff", "")] * 0)
        if at < len(path) - 1:
            picture.path(path[at:])
        picture.goal((4, 1))
        picture.unit(path[at], "S", BLUE)
        picture.draw.text(((picture.image.width) // 2, picture.centre((0, 3))[1]), title, fill=INK, font=font(20), anchor="mm")
        wide.paste(picture.image, (frame * board.image.width, 0))
    board.image = wide
    board.save("11-testing")


def debugging():
    board = Board("..........\n...##.....\n...##.....\n..........\n..........", [(RED, "outlines of walls"), ("#4dbfff", "what is left of the path"), (ORANGE, "a body that waits for another body")])
    # Walls as TilepathDebugPlugin draws them: their outline.
    left, top = board.centre((3, 3))
    right, bottom = board.centre((4, 2))
    half = board.cell * SCALE / 2
    board.draw.rectangle([left - half, top - half, right + half, bottom + half], outline=RED, width=4 * SCALE)
    border = [MARGIN * SCALE, MARGIN * SCALE, (MARGIN + board.width * board.cell) * SCALE, (MARGIN + board.height * board.cell) * SCALE]
    board.draw.rectangle(border, outline=RED, width=4 * SCALE)
    board.path(find(board.rows, (1, 2), (8, 3)), "#4dbfff", width=4)
    board.unit((1, 2), "S", BLUE)
    board.path([(3, 0), (4.3, 0)], ORANGE, width=3)
    for cell, label in [((3, 0), "A"), ((5, 0), "B")]:
        board.frame(cell, ORANGE)
        board.unit(cell, label, BLUE if label == "A" else GREY)
    board.save("12-my-unit-does-not-move")


def lines():
    board = Board(
        "................\n................\n.....99.........\n.....99..###....\n.........###....\n................\n................",
        [
            (GREY, "PathLine::Cells: from centre to centre"),
            (BLUE, "PathLine::Straight"),
            (ORANGE, "straight, and spread: 0.4, three units"),
        ],
    )
    start, turn, goal = (0, 1), (5, 5), (15, 5)
    for x, y in [(4.81, 5.17), (4.62, 4.82), (5.22, 5.28)]:  # their turns, as the plugin lays them
        board.path([start, (x, y), goal], ORANGE, width=2)
    board.path([start, (1, 2), (2, 3), (3, 4)] + [(x, 5) for x in range(4, 16)], GREY, dashed=True, width=4)
    board.path([start, turn, goal], BLUE, width=2)
    board.goal(goal)
    board.unit(start, "S", BLUE)
    board.save("13-lines-and-physics")


HEX_STEPS = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]


def shortest(is_open, start, goal, steps):
    """The path with the least cost over cells, for other neighbours than those of squares: (step, cost) pairs."""
    best, queue, came = {start: 0}, [(0, start, None)], {}
    while queue:
        total, cell, before = heapq.heappop(queue)
        if cell in came:
            continue
        came[cell] = before
        if cell == goal:
            path = []
            while cell is not None:
                path.append(cell)
                cell = came[cell]
            return path[::-1]
        for dx, dy in steps:
            step = (cell[0] + dx, cell[1] + dy)
            is_diagonal = dx and dy and len(steps) == 8
            corners = [(cell[0] + dx, cell[1]), (cell[0], cell[1] + dy)]
            if not is_open(step) or (is_diagonal and not all(map(is_open, corners))):
                continue
            new = total + (14 if is_diagonal else 10)
            if new < best.get(step, 1 << 30):
                best[step] = new
                heapq.heappush(queue, (new, step, cell))
    return []


class Shapes(Board):
    """A board whose cells are polygons: each cell has a centre and corners, in points of the picture."""

    def __init__(self, size, legend):
        super().__init__(" ", legend, cell=1)
        width, height = size
        self.image = Image.new("RGB", (width * SCALE, (height + 26 * len(legend)) * SCALE), "white")
        self.draw = ImageDraw.Draw(self.image)
        self.cell = CELL
        for line, (colour, text) in enumerate(legend):
            y = (height + 26 * line + 6) * SCALE
            self.draw.ellipse([MARGIN * SCALE, y - 7 * SCALE, (MARGIN + 14) * SCALE, y + 7 * SCALE], fill=colour, outline=INK, width=SCALE)
            self.draw.text(((MARGIN + 24) * SCALE, y), text, fill=INK, font=font(16), anchor="lm")

    def centre(self, place):
        return (place[0] * SCALE, place[1] * SCALE)

    def polygon(self, place, corners, colour):
        x, y = self.centre(place)
        points = [(x + dx * SCALE, y + dy * SCALE) for dx, dy in corners]
        self.draw.polygon(points, fill=colour)
        self.draw.line(points + points[:1], fill="#7f9a6e", width=SCALE)


def hexagons():
    level = ["........", "...#....", "...#....", "...#....", "........"]
    rock = {(x, 4 - row) for row, letters in enumerate(level) for x, letter in enumerate(letters) if letter == "#"}
    tiles = [(x, y) for x in range(8) for y in range(5)]
    board = Shapes((740, 240), [(BLUE, "hexagons: every step costs 10, so the path costs 90"), (PURPLE, "diamonds: 10 over a side, 14 over a corner, so the path costs 86")])
    # Hexagons with a corner at the top; odd rows, counted from below, are half a tile to the right.
    wide, high = 38, 44
    hex_place = lambda tile: (30 + wide * (tile[0] + 0.5 * (tile[1] % 2)), 192 - 0.75 * high * tile[1])
    corners = [(0, -high / 2), (wide / 2, -high / 4), (wide / 2, high / 4), (0, high / 2), (-wide / 2, high / 4), (-wide / 2, -high / 4)]
    to_cell = lambda tile: (tile[0] - tile[1] // 2, tile[1])
    cells = {to_cell(tile): tile for tile in tiles}
    for tile in tiles:
        board.polygon(hex_place(tile), corners, GROUND["#" if tile in rock else ","])
    path = shortest(lambda cell: cell in cells and cells[cell] not in rock, to_cell((0, 2)), to_cell((7, 2)), HEX_STEPS)
    assert 10 * (len(path) - 1) == 90
    places = [hex_place(cells[cell]) for cell in path]
    board.path(places)
    board.goal(places[-1])
    board.unit(places[0], "S", BLUE)
    # Diamonds: x grows to the lower right, y to the upper right.
    wide, high = 58, 29
    place = lambda tile: (378 + wide / 2 * (tile[0] + tile[1]), 90 + high / 2 * (tile[0] - tile[1]))
    corners = [(0, -high / 2), (wide / 2, 0), (0, high / 2), (-wide / 2, 0)]
    for tile in tiles:
        board.polygon(place(tile), corners, GROUND["#" if tile in rock else ","])
    eight = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    path = shortest(lambda tile: tile in tiles and tile not in rock, (0, 2), (7, 2), eight)
    assert sum(14 if a[0] != b[0] and a[1] != b[1] else 10 for a, b in zip(path, path[1:])) == 86
    board.cell = 30
    board.path([place(tile) for tile in path], PURPLE)
    board.goal(place((7, 2)))
    board.unit(place((0, 2)), "S", PURPLE)
    board.save("14-hexagons-and-isometric-maps")


def doors():
    text = "               \n........ ......\n###.#### ......\n........ ......\n........ ......"
    board = Board(text, [(BLUE, "P person: opens the door, and takes the stairs"), (ORANGE, "D dog: its movement does not name the class of the door"), (GREEN, "the two ends of the stairs")])
    board.tile((3, 2), "#b98a4a")
    stairs, upstairs = (7, 3), (14, 3)
    for end in (stairs, upstairs):
        board.frame(end, GREEN, inset=3, width=4)
    board.path(find([row[:8] for row in board.rows], (1, 0), stairs))
    board.path([stairs, (8.2, 3.7), (13, 3.7), upstairs], GREEN, dashed=True, width=3)
    board.path([upstairs, (13, 2), (12, 1), (11, 0)])
    board.goal((11, 0))
    board.unit((1, 0), "P", BLUE)
    board.unit((5, 1), "D", ORANGE)
    board.draw.text(board.centre((3, 4.1)), "ground floor", fill=INK, font=font(16), anchor="mm")
    board.draw.text(board.centre((11.5, 4.1)), "upper floor", fill=INK, font=font(16), anchor="mm")
    board.save("15-doors-and-storeys")


def graphs():
    board = Shapes((700, 250), [(GREY, "edges; the thick ones are paved, and walked twice as fast"), (RED, "the bridge breaks: the edge is gone"), (BLUE, "the courier, and its path over the ford")])
    places = {"gate": (50, 130), "inn": (270, 130), "bridge": (430, 40), "ford": (430, 220), "castle": (620, 130)}
    for a, b, width in [("gate", "inn", 3), ("inn", "bridge", 9), ("bridge", "castle", 9), ("inn", "ford", 3), ("ford", "castle", 3)]:
        ends = [*board.centre(places[a]), *board.centre(places[b])]
        board.draw.line(ends, fill="#b9b4a6", width=width * SCALE)
    board.path([places[name] for name in ("inn", "ford", "castle")])
    board.path([places["inn"], (335, 93)], GREY, dashed=True)
    board.cross(((430 + 620) / 2, 85), RED)
    for name, (x, y) in places.items():
        if name != "castle":
            board.goal((x, y), "", INK)
        above = -30 if name != "ford" else -28
        board.draw.text(board.centre((x, y + above)), name, fill=INK, font=font(17), anchor="mm")
    board.goal(places["castle"])
    board.unit(places["inn"], "C", BLUE)
    board.save("16-waypoint-graphs")


def dangers():
    board = Board("\n".join(["............."] * 9), [(RED, "the danger around the guard E: a step costs 11 times as much"), (GREY, "the soldier: its movement does not name the overlay (dashed)"), (PURPLE, "the spy: its movement names the overlay")])
    guard = (6, 4)
    area = [(x, y) for x in range(13) for y in range(9) if (x - guard[0]) ** 2 + (y - guard[1]) ** 2 <= 4]
    for cell in area:
        board.tile(cell, "#f0b3ad")
    rows = [list(row) for row in board.rows]
    for x, y in area:
        rows[len(rows) - 1 - y][x] = "d"
    board.path([(x, 4) for x in range(13)], GREY, dashed=True)
    board.path(find(["".join(row) for row in rows], (0, 4), (12, 4), {".": 1, "d": 11}), PURPLE)
    board.goal((12, 4))
    board.unit(guard, "E", RED)
    board.unit((0, 4), "S", PURPLE)
    board.save("17-dangers-and-forbidden-areas")


def roguelike():
    cave = ["#########", "#.......#", "#..######", "#.......#", "#########"]
    board = Board("\n".join(row + " " + row for row in cave), [(BLUE, "H hero: one cell a turn, to the stairs and down"), (RED, "M monster: it hunts the hero, and loses it at the stairs"), (GREEN, "the two ends of the stairs")])
    stairs, below = (1, 1), (11, 1)
    for end in (stairs, below):
        board.frame(end, GREEN, inset=3, width=4)
    board.path([(2, 1), stairs])
    board.path([(4, 1), (3, 1)], RED)
    board.path([below, (11, 2), (12, 3), (14, 3)])
    board.goal((14, 3))
    board.unit((2, 1), "H", BLUE)
    board.unit((4, 1), "M", RED)
    board.save("18-a-roguelike")


def wire():
    level = "........\n.####...\n........"
    board = Board("\n".join(row + "      " + row for row in level.split("\n")), [(BLUE, "the server: the path, and the place of the unit now"), (PURPLE, "the client: the unit a moment ago, and the corners of its path"), (RED, "the goal")])
    path = find(level.split("\n"), (0, 0), (7, 2))
    board.path(path)
    board.goal((7, 2))
    board.unit(path[5], "S", BLUE)
    there = [(x + 14, y) for x, y in path]
    corners = [a for a, before, after in zip(there[1:], there, there[2:]) if (a[0] - before[0], a[1] - before[1]) != (after[0] - a[0], after[1] - a[1])]
    board.path([there[3], *corners, there[-1]], PURPLE, width=3)
    for corner in [there[0], *corners]:
        board.frame(corner, PURPLE, inset=13, width=3)
    board.goal((21, 2))
    board.unit(there[3], "S", PURPLE)
    x, y = board.centre((8, 1))
    end, _ = board.centre((13, 1))
    for row, text in [(1.6, "corners,"), (0.4, "places")]:
        board.draw.text(board.centre((10.5, row)), text, fill=INK, font=font(17), anchor="mm")
    board.draw.line([x, y, end - 16 * SCALE, y], fill=INK, width=4 * SCALE)
    board.draw.polygon([end, y, end - 18 * SCALE, y - 11 * SCALE, end - 18 * SCALE, y + 11 * SCALE], fill=INK)
    board.save("19-a-server-and-its-clients")


def rollback():
    board = Board(".........\n.........\n.........\n.........\n.........", [(GREEN, "tick 10: the snapshot"), (GREY, "supposed: the unit walks on (dashed)"), (BLUE, "after the late order, the ticks are played again")])
    board.frame((3, 2), GREEN, inset=3, width=4)
    board.path([(0, 2), (3, 2)], GREEN)
    board.path([(3, 2), (8, 2)], GREY, dashed=True)
    board.path([(3, 2), (2, 1), (1, 0)], BLUE)
    board.goal((8, 2), colour=GREY)
    board.goal((0, 0))
    board.unit((3, 2), "S", BLUE)
    board.save("20-rollback")


if __name__ == "__main__":
    for draw in [first_unit, terrain, walls, bodies, goals, stops, turns, towers, chunks, saving, testing, debugging, lines, hexagons, doors, graphs, dangers, roguelike, wire, rollback]:
        draw()
