//! Random maps whose steps have prices, and the price of a step from the rules in words.
//!
//! Nothing here calls the core, except to make the same world for it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use testkit::{DIRECTIONS, HEXAGON_DIRECTIONS};
use tilepath::{
    Cell, CostTable, Crossing, Diagonals, Direction, Edit, Grid, Movement, Size, StepCosts, Topology,
};

pub(crate) type Place = (i32, i32);

/// Random numbers that are equal on every machine (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// Makes the numbers of a world.
    pub(crate) fn of_world(kind: Kind, number: u32) -> Self {
        Self(u64::from(number) << 2 | kind as u64)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Returns a number from the first to below the other.
    pub(crate) fn between<T: TryFrom<u64>>(&mut self, first: u64, end: u64) -> T {
        T::try_from(first + self.next() % (end - first)).unwrap_or_else(|_| unreachable!("it is small"))
    }

    /// Returns one of some items.
    pub(crate) fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.between::<usize>(0, items.len() as u64)]
    }

    pub(crate) fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }
}

/// The prices that a world may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    StepCosts,
    Edges,
    Both,
}

/// The edges that one cell crosses: closed, an end of the turn, costs. Less is better.
type Crossed = (bool, bool, u64);

const NAMES: [&str; 3] = ["river", "cliff", "ditch"];

/// A map and a movement as plain data.
#[derive(Clone, Debug)]
pub(crate) struct PriceWorld {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) is_hexagonal: bool,
    /// The class of each cell; `None` for a void cell.
    pub(crate) classes: Vec<Option<u8>>,
    table: [u64; 5],
    units: [u64; 2],
    diagonals: Diagonals,
    pub(crate) size: i32,
    smell: BTreeMap<Place, u64>,
    smells: bool,
    /// The exits that are closed.
    closed: BTreeSet<(Place, usize)>,
    class_steps: BTreeMap<(u8, u8), u64>,
    /// The edges by name, as sides of cells.
    edges: BTreeSet<(&'static str, Place, usize)>,
    crossings: BTreeMap<&'static str, Crossing>,
}

fn ahead((x, y): Place, direction: usize) -> Place {
    (x + DIRECTIONS[direction].0, y + DIRECTIONS[direction].1)
}

impl PriceWorld {
    pub(crate) fn random(random: &mut Random, kind: Kind) -> Self {
        let (width, height) = (random.between(1, 9), random.between(1, 9));
        let is_hexagonal = random.chance(25);
        let (walls, count): (u64, u64) = (random.between(0, 40), random.between(1, 5));
        let class = |random: &mut Random| match random.between::<u64>(0, 100) {
            number if number < walls => Some(0),
            99 => None,
            _ => Some(random.between(1, count + 1)),
        };
        let classes = (0..width * height).map(|_| class(random)).collect();
        let straight: u64 = random.between(1, 21);
        let steps = [(10, 14), (70, 99), (straight, straight + random.between::<u64>(0, straight + 1))];
        let (straight, diagonal) = random.one_of(&steps);
        let mut world = Self {
            width,
            height,
            is_hexagonal,
            classes,
            table: [0; 5].map(|_: u64| random.between(1, 7)),
            units: [straight, if is_hexagonal { straight } else { diagonal }],
            diagonals: random.one_of(&Diagonals::ALL),
            size: if !is_hexagonal && random.chance(15) { random.between(2, 4) } else { 1 },
            smell: BTreeMap::new(),
            smells: random.chance(20),
            closed: BTreeSet::new(),
            class_steps: BTreeMap::new(),
            edges: BTreeSet::new(),
            crossings: BTreeMap::new(),
        };
        world.table[0] = 0;
        if kind != Kind::Edges {
            let most = if random.chance(10) { 900 } else { 9 };
            for _ in 0..random.between(1, 8) {
                let pair = (random.between(0, 5), random.between(0, 5));
                let cost = if random.chance(20) { 0 } else { random.between(1, most + 1) };
                world.class_steps.insert(pair, cost);
            }
        }
        if kind != Kind::StepCosts {
            for name in NAMES {
                let crossing = match random.between::<u64>(0, 5) {
                    0 => continue,
                    1 => Crossing::Closed,
                    2 => Crossing::EndsTurn,
                    _ => Crossing::Costs(random.between(0, 12)),
                };
                world.crossings.insert(name, crossing);
            }
        }
        for _ in 0..12 {
            world.change(random, kind);
        }
        world
    }

    /// Changes the map at random, and returns the edits that change the core's map in the same way.
    pub(crate) fn change(&mut self, random: &mut Random, kind: Kind) -> Vec<Edit> {
        let place = (random.between(0, self.width as u64), random.between(0, self.height as u64));
        let cell = Cell::from(place);
        let direction = random.one_of(self.directions());
        match random.between::<u64>(0, 10) {
            0..3 => {
                let class = random.between(0, 5);
                *self.class_mut(place) = Some(class);
                vec![Edit::terrain(cell, class)]
            }
            3 if self.smells => {
                let value = random.one_of(&[0, 2, 7, u64::from(Grid::CLOSING)]);
                self.smell.insert(place, value);
                vec![Edit::overlay("smell", cell, value as u16)]
            }
            4 if random.chance(40) && self.contains(ahead(place, direction)) => {
                let (other, is_fence) = (ahead(place, direction), random.chance(50));
                self.closed.insert((other, (direction + 4) % 8));
                if is_fence {
                    self.closed.insert((place, direction));
                }
                let to = Cell::from(other);
                vec![if is_fence { Edit::fence(cell, to) } else { Edit::one_way(cell, to) }]
            }
            5 if random.chance(5) => {
                self.edges.retain(|&(name, ..)| name != "river");
                vec![Edit::clear_edges("river")]
            }
            _ if kind == Kind::StepCosts => Vec::new(),
            _ => {
                let name = random.one_of(&NAMES);
                let sides: Vec<usize> = self.sides().filter(|_| random.chance(40)).collect();
                let sides = sides.into_iter().filter(|&side| self.contains(ahead(place, side)));
                let sides: Vec<usize> = sides.collect();
                self.edges.retain(|&(known, at, _)| (known, at) != (name, place));
                self.edges.extend(sides.iter().map(|&side| (name, place, side)));
                vec![Edit::edges(name, cell, sides.iter().map(|&side| Direction::ALL[side]))]
            }
        }
    }

    fn class_mut(&mut self, (x, y): Place) -> &mut Option<u8> {
        &mut self.classes[(y * self.width + x) as usize]
    }

    pub(crate) fn grid(&self) -> Grid {
        let bounds = tilepath::Bounds::new(Cell::new(0, 0), self.width as u32, self.height as u32).unwrap();
        let mut grid = Grid::from_cells(bounds, &self.classes).unwrap().with_topology(if self.is_hexagonal {
            Topology::Hexagonal
        } else {
            Topology::Square
        });
        let smells = self.smell.iter().map(|(&place, &value)| (Cell::from(place), value as u16));
        grid.set_overlay("smell", smells).unwrap();
        let closed = self
            .closed
            .iter()
            .map(|&(place, direction)| Edit::one_way(Cell::from(ahead(place, direction)), Cell::from(place)));
        grid.edit(&closed.collect::<Vec<_>>()).unwrap();
        let cells: BTreeSet<(&str, Place)> =
            self.edges.iter().map(|&(name, place, _)| (name, place)).collect();
        for (name, place) in cells {
            let of_cell = self.edges.iter().filter(|&&(known, at, _)| (known, at) == (name, place));
            let sides = of_cell.map(|&(.., side)| Direction::ALL[side]);
            grid.edit(&[Edit::edges(name, Cell::from(place), sides)]).unwrap();
        }
        grid
    }

    pub(crate) fn movement(&self) -> Movement {
        let mut table = CostTable::impassable();
        for (class, &cost) in (0..).zip(&self.table) {
            table = table.with(class, cost as u16);
        }
        let [straight, diagonal] = self.units.map(|unit| unit as u16);
        let mut movement = Movement::new()
            .with_costs(table)
            .with_diagonals(self.diagonals)
            .with_steps(StepCosts::new(straight, diagonal).unwrap())
            .with_size(Size::new(self.size as u8).unwrap());
        if self.smells {
            movement = movement.with_overlay("smell");
        }
        for (&(from, to), &cost) in &self.class_steps {
            movement = movement.with_step_cost([from], [to], cost as u16);
        }
        self.crossings
            .iter()
            .fold(movement, |movement, (&name, &crossing)| movement.with_edges(name, crossing))
    }

    pub(crate) fn contains(&self, (x, y): Place) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let (width, height) = (self.width, self.height);
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    fn directions(&self) -> &'static [usize] {
        if self.is_hexagonal { &HEXAGON_DIRECTIONS } else { &[0, 1, 2, 3, 4, 5, 6, 7] }
    }

    /// The directions in which cells share an edge.
    fn sides(&self) -> impl Iterator<Item = usize> + use<> {
        let is_hexagonal = self.is_hexagonal;
        self.directions().iter().copied().filter(move |side| is_hexagonal || side % 2 == 0)
    }

    fn class(&self, (x, y): Place) -> u8 {
        if self.contains((x, y)) { self.classes[(y * self.width + x) as usize].unwrap_or(0) } else { 0 }
    }

    fn covered(&self, (x, y): Place) -> impl Iterator<Item = Place> + Clone + use<> {
        let size = self.size;
        (0..size).flat_map(move |dy| (0..size).map(move |dx| (x + dx, y + dy)))
    }

    fn is_open_cell(&self, place: Place) -> bool {
        let is_shut = self.smells && self.smell.get(&place) == Some(&u64::from(Grid::CLOSING));
        self.contains(place) && self.table[usize::from(self.class(place))] > 0 && !is_shut
    }

    fn has_exit(&self, place: Place, direction: usize) -> bool {
        let next = ahead(place, direction);
        let pair = (self.class(place), self.class(next));
        let is_closed_step = self.contains(next)
            && self.table[usize::from(pair.1)] > 0
            && self.class_steps.get(&pair) == Some(&0);
        !self.closed.contains(&(place, direction)) && !is_closed_step
    }

    fn is_fence(&self, place: Place, direction: usize) -> bool {
        let back = (ahead(place, direction), (direction + 4) % 8);
        self.closed.contains(&(place, direction)) && self.closed.contains(&back)
    }

    fn edge(&self, place: Place, side: usize) -> Crossed {
        let mut crossed = (false, false, 0);
        for (&name, crossing) in &self.crossings {
            let back = (name, ahead(place, side), (side + 4) % 8);
            if self.edges.contains(&(name, place, side)) || self.edges.contains(&back) {
                match crossing {
                    Crossing::Closed => crossed.0 = true,
                    Crossing::EndsTurn => crossed.1 = true,
                    Crossing::Costs(cost) => crossed.2 += u64::from(*cost),
                    other => unreachable!("{other:?} is new"),
                }
            }
        }
        crossed
    }

    fn crossed(&self, place: Place, direction: usize) -> Crossed {
        if self.is_hexagonal || direction.is_multiple_of(2) {
            return self.edge(place, direction);
        }
        let sides = [(direction + 7) % 8, (direction + 1) % 8];
        let ways = [(sides[0], sides[1]), (sides[1], sides[0])].map(|(first, second)| {
            let side = ahead(place, first);
            let (one, two) = (self.edge(place, first), self.edge(side, second));
            let counts =
                self.is_open_cell(side) && self.has_exit(place, first) && self.has_exit(side, second);
            (counts, (one.0 || two.0, one.1 || two.1, one.2 + two.2))
        });
        let better = ways.iter().filter(|way| way.0).map(|way| way.1).min();
        better.unwrap_or_else(|| ways[0].1.max(ways[1].1))
    }

    /// Returns whether the unit may stand on an anchor.
    pub(crate) fn is_open(&self, anchor: Place) -> bool {
        let last = |(x, y): Place, side: usize| {
            if side == 0 { y - anchor.1 == self.size - 1 } else { x - anchor.0 == self.size - 1 }
        };
        let is_split = |place: Place| {
            [0, 2]
                .into_iter()
                .any(|side| !last(place, side) && (self.is_fence(place, side) || self.edge(place, side).0))
        };
        self.covered(anchor).all(|place| self.is_open_cell(place) && !is_split(place))
    }

    /// Returns the cell that a step enters, its cost, and whether it ends the turn.
    pub(crate) fn step(&self, from: Place, direction: usize) -> Option<(Place, u64, bool)> {
        let to = ahead(from, direction);
        let leaves =
            |anchor: Place, direction| self.covered(anchor).all(|place| self.has_exit(place, direction));
        if !self.directions().contains(&direction) || !self.is_open(to) || !leaves(from, direction) {
            return None;
        }
        let is_diagonal = !self.is_hexagonal && direction % 2 == 1;
        if is_diagonal {
            let sides = [(direction + 7) % 8, (direction + 1) % 8];
            let is_free = |first, second| {
                let side = ahead(from, first);
                self.is_open(side) && leaves(from, first) && leaves(side, second)
            };
            let free = usize::from(is_free(sides[0], sides[1])) + usize::from(is_free(sides[1], sides[0]));
            let meets_fence = |place: Place| {
                let [left, right] = sides;
                self.is_fence(place, left)
                    || self.is_fence(place, right)
                    || self.is_fence(ahead(place, left), right)
                    || self.is_fence(ahead(place, right), left)
            };
            let is_allowed = match self.diagonals {
                Diagonals::Never => false,
                Diagonals::OnlyWhenNoObstacles => free == 2,
                Diagonals::IfAtMostOneObstacle => free >= 1,
                Diagonals::Always => !self.covered(from).any(meets_fence),
            };
            if !is_allowed {
                return None;
            }
        }
        let (mut dearest, mut ends) = (0, false);
        for place in self.covered(from) {
            let entered = ahead(place, direction);
            let pair = (self.class(place), self.class(entered));
            let ground = self.class_steps.get(&pair).copied().unwrap_or(self.table[usize::from(pair.1)]);
            let smell = if self.smells { self.smell.get(&entered).copied().unwrap_or(0) } else { 0 };
            let (is_closed, ends_here, edges) = self.crossed(place, direction);
            if is_closed {
                return None;
            }
            ends |= ends_here;
            dearest = dearest.max(ground + smell + edges);
        }
        Some((to, dearest * self.units[usize::from(is_diagonal)], ends))
    }

    pub(crate) fn steps(&self, from: Place) -> impl Iterator<Item = (Place, u64, bool)> + '_ {
        (0..8).filter_map(move |direction| self.step(from, direction))
    }

    /// Returns the costs of the cheapest paths from a cell.
    pub(crate) fn costs_from(&self, start: Place) -> BTreeMap<Place, u64> {
        let mut best = BTreeMap::new();
        let mut waiting = BinaryHeap::from([(Reverse(0), start)]);
        while let Some((Reverse(cost), here)) = waiting.pop() {
            if best.contains_key(&here) {
                continue;
            }
            best.insert(here, cost);
            waiting.extend(self.steps(here).map(|(to, step, _)| (Reverse(cost + step), to)));
        }
        best
    }

    /// Returns the cost of a list of cells, if all of its steps are allowed.
    pub(crate) fn cost_of(&self, cells: &[Cell]) -> Option<u64> {
        let cost = |pair: &[Cell]| {
            let [from, to] = [pair[0], pair[1]].map(|cell| (cell.x, cell.y));
            self.steps(from).find(|step| step.0 == to).map(|step| step.1)
        };
        cells.windows(2).map(cost).sum()
    }
}
