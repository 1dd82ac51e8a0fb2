//! Distinct cells for all units of a formation.

use super::{
    flood::{Flood, KnownFlood},
    kinds::Kind,
    query::FormationQuery,
    shape::{Block, Points, Shape},
    slice::{Slice, Stop},
    vectors,
};
use crate::{
    cell::Cell,
    finder::{PathFinder, outcome::QueryError},
    topology::Topology,
};
use rustc_hash::FxHashSet;
use std::mem;

/// The maximum distance of points from the goal, in cells. In a line of thousands, the other units
/// stand around the goal.
const FARTHEST: u64 = 256;

/// The number of points that are tried beyond four times the number of units. Then the other units
/// stand around the goal.
const SPARE: usize = 16;

/// The number of points or places that are tried for one unit of work.
const TRIED: u64 = 4;

/// Returns the places of each kind, the most important first: as many as the kind has units, or
/// fewer if ground is short.
///
/// A slice without an answer leaves its floods in `known`. The next slice chooses all places again,
/// from the floods that are known by then.
pub(super) fn places(
    finder: &PathFinder,
    query: &FormationQuery,
    kinds: &[Kind],
    heading: (i32, i32),
    known: &mut Vec<KnownFloods>,
    slice: &mut Slice,
) -> Result<Vec<Vec<Cell>>, Stop> {
    let asked = Asked { finder, query, kinds, heading };
    known.resize_with(kinds.len(), KnownFloods::default);
    let mut given = Given::new(&asked, known)?;
    let found = choose(&asked, &mut given, slice);
    let tried = given.tried;
    let places = given.give_back(known);
    slice.spend(tried / TRIED);
    found.map(|()| places)
}

fn choose<'map>(asked: &Asked<'map>, given: &mut Given<'map>, slice: &mut Slice) -> Result<(), Stop> {
    let kinds = asked.kinds;
    let shape = asked.query.formation.shape();
    if let Shape::Points(points) = &shape {
        fill_shape(points, asked, given, slice)?;
    }
    // The smallest first: larger units are placed last, because they cannot walk in between others.
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by_key(|&kind| kinds[kind].side);
    for number in order {
        let Kind { side, units, .. } = &kinds[number];
        if let Shape::Gathered(away) = &shape
            && let Some(behind) = behind_smaller(*away, asked, *side)
            && given.floods[number].is_near(behind, u64::MAX, slice)?
        {
            given.gather_behind(asked, number, behind)?;
        }
        let Given { floods, taken, places, tried, .. } = &mut *given;
        let flood = &mut floods[number];
        flood.rewind();
        while places[number].len() < units.len()
            && let Some(cell) = flood.next_cell(slice)?
        {
            *tried += 1;
            if taken.admits(cell, *side) {
                taken.take(cell, *side);
                places[number].push(cell);
            }
        }
    }
    Ok(())
}

/// The known part of the floods of one kind, kept from one slice to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownFloods {
    around: Option<KnownFlood>,
    /// The flood that stays inside the outline of the shape.
    inside: Option<KnownFlood>,
    /// The flood around a cell behind the smaller units.
    behind: Option<KnownFlood>,
}

/// The input of a query for places.
pub(super) struct Asked<'a> {
    pub(super) finder: &'a PathFinder,
    pub(super) query: &'a FormationQuery,
    pub(super) kinds: &'a [Kind],
    pub(super) heading: (i32, i32),
}

impl Asked<'_> {
    fn topology(&self) -> Topology {
        self.finder.grid().topology()
    }
}

/// The places given so far, and the flood from which each kind takes more.
struct Given<'map> {
    floods: Vec<Flood<'map>>,
    /// For each kind, the flood that stays inside the outline of the shape.
    inside: Vec<Flood<'map>>,
    /// For each kind, the flood around its anchor, if the kind gathers behind smaller units.
    left_behind: Vec<Option<Flood<'map>>>,
    /// For each kind, what is known of the flood behind smaller units.
    behind: Vec<Option<KnownFlood>>,
    taken: Taken,
    places: Vec<Vec<Cell>>,
    /// The number of points and places tried.
    tried: u64,
}

impl<'map> Given<'map> {
    fn new(asked: &Asked<'map>, known: &mut [KnownFloods]) -> Result<Self, QueryError> {
        let mut taken = Taken::default();
        asked.query.taken.iter().for_each(|&cell| taken.take(cell, 1));
        let mut floods = |of: fn(&mut KnownFloods) -> &mut Option<KnownFlood>| {
            let kinds = asked.kinds.iter().zip(&mut *known);
            let flood = |(kind, known): (&Kind, &mut KnownFloods)| {
                Flood::new(asked, kind, (kind.anchor, asked.query.goal), of(known).take())
            };
            kinds.map(flood).collect::<Result<Vec<_>, _>>()
        };
        let (around, inside) = (floods(|known| &mut known.around)?, floods(|known| &mut known.inside)?);
        Ok(Self {
            floods: around,
            inside,
            left_behind: asked.kinds.iter().map(|_| None).collect(),
            behind: known.iter_mut().map(|known| known.behind.take()).collect(),
            taken,
            places: vec![Vec::new(); asked.kinds.len()],
            tried: asked.query.taken.len() as u64,
        })
    }

    /// Lets a kind gather around a cell behind the smaller units.
    fn gather_behind(&mut self, asked: &Asked<'map>, kind: usize, cell: Cell) -> Result<(), QueryError> {
        let behind = Flood::new(asked, &asked.kinds[kind], (cell, cell), self.behind[kind].take())?;
        self.left_behind[kind] = Some(mem::replace(&mut self.floods[kind], behind));
        Ok(())
    }

    /// Gives the floods back, and returns the places.
    fn give_back(self, known: &mut [KnownFloods]) -> Vec<Vec<Cell>> {
        let floods = self.floods.into_iter().zip(self.inside).zip(self.left_behind).zip(self.behind);
        for (known, (((flood, inside), left), behind)) in known.iter_mut().zip(floods) {
            let (around, behind) = match left {
                Some(around) => (around.known, Some(flood.known)),
                None => (flood.known, behind),
            };
            *known = KnownFloods { around: Some(around), inside: Some(inside.known), behind };
        }
        self.places
    }
}

/// Returns the cell around which units of this size gather, behind the smaller units.
fn behind_smaller(away: fn(usize, u8) -> i64, asked: &Asked, side: u8) -> Option<Cell> {
    let smaller = asked.kinds.iter().filter(|kind| kind.side < side);
    let cells: usize = smaller.map(|kind| kind.units.len() * usize::from(kind.side).pow(2)).sum();
    let topology = asked.topology();
    let point = vectors::behind(topology, asked.heading, away(cells, side));
    vectors::anchor_at(topology, asked.query.goal, point, side).filter(|_| cells > 0)
}

/// Fills the points of a shape.
fn fill_shape(points: &Points, asked: &Asked, given: &mut Given, slice: &mut Slice) -> Result<(), Stop> {
    let Asked { query, kinds, heading, .. } = *asked;
    let Given { inside: floods, taken, places, tried, .. } = given;
    let topology = asked.topology();
    let mut sides: Vec<u8> = kinds.iter().map(|kind| kind.side).collect();
    sides.sort_unstable();
    sides.dedup();
    let count_of = |side: u8| -> usize {
        kinds.iter().filter(|kind| kind.side == side).map(|kind| kind.units.len()).sum()
    };
    let all = sides.iter().map(|&side| points.depth(count_of(side), side)).sum();
    let mut behind = 0;
    // Larger units walk through the ranks of smaller ones to their own.
    let mut cells = FxHashSet::default();
    for side in sides {
        let count = count_of(side);
        let block = Block::new(topology, heading, count, side, behind, all);
        behind += points.depth(count, side);
        let mut left = count;
        let cell_at = |number| {
            let cell = vectors::anchor_at(topology, query.goal, (points.point)(&block, number), side);
            cell.filter(|&cell| topology.steps(query.goal, cell) <= FARTHEST)
        };
        let most = if points.goes_on { 4 * count + SPARE } else { count };
        cells.extend((0..most).map_while(cell_at));
        *tried += most as u64;
        for (_, flood) in kinds.iter().zip(&mut *floods).filter(|(kind, _)| kind.side == side) {
            flood.keep_inside(&cells);
        }
        // If points are left out, the shape continues, up to twice its size.
        let farthest = |flood: &Flood| {
            (0..count).filter_map(cell_at).map(|cell| 2 * flood.effort_as_the_crow_flies(cell)).max()
        };
        let farthest: Vec<u64> = floods.iter().map(|flood| farthest(flood).unwrap_or(0)).collect();
        for number in 0..most {
            if left == 0 {
                break;
            }
            *tried += 1;
            let Some(cell) = cell_at(number) else { break };
            if !taken.admits(cell, side) {
                continue;
            }
            // The first kind that may stand there takes the point.
            for kind in 0..kinds.len() {
                if kinds[kind].side == side
                    && places[kind].len() < kinds[kind].units.len()
                    && floods[kind].is_near(cell, farthest[kind], slice)?
                {
                    taken.take(cell, side);
                    places[kind].push(cell);
                    left -= 1;
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The cells that are taken by units.
#[derive(Default)]
struct Taken(FxHashSet<Cell>);

impl Taken {
    fn admits(&self, anchor: Cell, side: u8) -> bool {
        covered(anchor, side).all(|cell| !self.0.contains(&cell))
    }

    fn take(&mut self, anchor: Cell, side: u8) {
        self.0.extend(covered(anchor, side));
    }
}

fn covered(anchor: Cell, side: u8) -> impl Iterator<Item = Cell> {
    let side = i32::from(side);
    (0..side).flat_map(move |y| (0..side).map(move |x| anchor + (x, y)))
}
