//! Movement maps of a map that grows or shrinks.
//!
//! Decision: `docs/decisions/12-growing-maps.md`.

use super::{
    MovementMap,
    area::Area,
    canonical_steps::CanonicalSteps,
    cost_range,
    near_samples::NearSamples,
    plane::DerivedPlane,
    step_prices::{PriceRows, StepPrices},
};
use crate::{bounds::Bounds, grid::Grid};
use std::sync::{Arc, OnceLock};

impl MovementMap {
    /// Returns the movement map after a resize of the map. Data of a cell is kept if the cells
    /// around it are unchanged; data of the other cells is found again. The stops of jump point
    /// scans are dropped.
    ///
    /// # Complexity
    /// O(cells) at the speed of a memory copy, and O(size²) for each cell that is found again. If
    /// this would be more than half of the cells, as for [`MovementMap::new`].
    pub(crate) fn resized(&self, grid: &Grid, before: &Bounds) -> Self {
        let (movement, floor, after) = (&self.movement, &*self.floor, grid.bounds());
        let kept = before.undisturbed(&after, 1, movement.size().side().into());
        if !self.is_in_form(grid) || kept.cell_count() < after.cell_count() / 2 {
            return Self::new(grid, movement.clone());
        }
        let others = |bounds: &Bounds| -> Vec<Area> {
            bounds.outside(&kept).iter().filter_map(|part| Area::of(bounds, part)).collect()
        };
        let (lost, found) = (others(before), others(&after));
        let derived = self.derived.as_ref().map(|derived| {
            let mut derived = derived.moved(before, &after);
            for area in &found {
                derived.find(grid, floor, area);
            }
            derived.count_again();
            derived
        });
        let [columns, rows] = before.shift(&after);
        let mut passable = self.passable.moved(after.width(), after.height(), columns, rows);
        for area in &found {
            for (x, y) in area.cells() {
                let slot = y as usize * after.width() as usize + x as usize;
                let is_open = match &derived {
                    Some(derived) => derived.multipliers()[slot] > 0,
                    None => movement.costs().is_passable(grid.classes()[slot]),
                };
                passable.set(x, y, is_open);
            }
        }
        let neighbour_masks =
            self.neighbour_masks.resized([before, &after], [&self.passable, &passable], [&lost, &found]);
        let listed = self.listed.as_ref().map(|listed| {
            let mut listed = listed.moved(before, &after);
            listed.find(grid, movement, &passable, &neighbour_masks, &found);
            Arc::new(listed)
        });
        let (cheapest, costliest) =
            derived.as_ref().map_or_else(|| cost_range(grid, floor.costs()), DerivedPlane::range);
        let prices = self.prices.as_ref().map(|prices| {
            let mut prices = StepPrices::clone(prices);
            if let PriceRows::OfCells(cells) = &mut prices.rows {
                *cells = cells.moved(before, &after);
                cells.find(grid, movement, &found);
            }
            prices.find_all_near(grid);
            Arc::new(prices)
        });
        let steps = |made: &OnceLock<CanonicalSteps>| {
            let resized = made.get().map(|steps| steps.resized(before, &after, &kept));
            resized.map(OnceLock::from).unwrap_or_default()
        };
        Self {
            movement: movement.clone(),
            floor: Arc::clone(&self.floor),
            passable: Arc::new(passable),
            neighbour_masks: Arc::new(neighbour_masks),
            derived: derived.map(Arc::new),
            listed,
            prices,
            topology: self.topology,
            jump_stops: OnceLock::new(),
            four_way_stops: OnceLock::new(),
            hexagon_stops: OnceLock::new(),
            canonical_steps: steps(&self.canonical_steps),
            reversed_steps: steps(&self.reversed_steps),
            near_samples: NearSamples::default(),
            forward: self.forward.clone(),
            pruned: self.pruned.clone(),
            step_costs: self.step_costs.clone(),
            cheapest,
            costliest,
            chain: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cell::{Cell, Direction},
        edit::Edit,
        movement::{Diagonals, Movement},
        regions::Regions,
        size::Size,
        terrain::CostTable,
        topology::Topology,
    };
    use testkit::Seed;

    /// The cells added to the west, the south, the east and the north.
    const RESIZES: [[i32; 4]; 12] = [
        [64, 0, 0, 0],
        [0, 0, 37, 0],
        [0, 64, 0, 64],
        [-64, 0, 64, 0],
        [0, -64, -1, 0],
        [16, 32, -48, 5],
        [3, 0, 0, 0],
        [0, -5, 0, 1],
        [0, 0, 1, -1],
        [64, 64, 64, 64],
        [0, 0, -64, -64],
        [0, 128, 0, -128],
    ];

    fn movements() -> Vec<Movement> {
        let size = |side| Movement::new().with_size(Size::new(side).unwrap());
        let opened = CostTable::identity().with(0, 2);
        let ruled = Diagonals::ALL.map(|diagonals| Movement::new().with_diagonals(diagonals));
        let others = [size(2), size(3).with_overlay("danger"), size(8), Movement::new().with_costs(opened)];
        ruled.into_iter().chain(others).collect()
    }

    /// Creates a map with some of the parts that a map may have.
    fn grid(kind: usize) -> Grid {
        let seed = Seed::named(&format!("resize {kind}"));
        let map = testkit::noise(150, 140, 4, 20, &seed);
        let mut grid = Grid::from_classes(map.width, map.height, map.classes.clone()).unwrap();
        let cells: Vec<Cell> =
            map.queries(120, &seed).into_iter().map(|(cell, _)| Cell::new(cell.0, cell.1)).collect();
        if kind & 1 > 0 {
            grid.set_overlay("danger", cells[..40].iter().map(|&cell| (cell, 3))).unwrap();
            for &cell in &cells[40..60] {
                grid.edit(&[Edit::void(cell)]).unwrap();
            }
        }
        if kind & 2 > 0 {
            for (number, &cell) in cells.iter().enumerate() {
                let direction = Direction::ALL[number % 4 * 2];
                if grid.bounds().contains(cell + direction.offset()) {
                    grid.edit(&[Edit::fence(cell, cell + direction.offset())]).unwrap();
                }
            }
        }
        grid.with_topology(if kind == 4 { Topology::Hexagonal } else { Topology::Square })
    }

    #[test]
    fn after_any_resize_all_is_as_in_a_fresh_build() {
        for kind in 0..5 {
            for movement in movements() {
                if kind == 4 && movement.size() != Size::ONE {
                    continue;
                }
                let mut grid = grid(kind);
                let mut followed = MovementMap::new(&grid, movement.clone());
                let mut regions = Regions::new(&grid.bounds(), &followed);
                for (step, [west, south, east, north]) in RESIZES.into_iter().enumerate() {
                    let before = grid.bounds();
                    let grown = |length: u32, by: i32| length.saturating_add_signed(by).min(300);
                    let (width, height) =
                        (grown(before.width(), west + east), grown(before.height(), south + north));
                    let after = Bounds::new(before.origin() - (west, south), width, height).unwrap();
                    let class = if step % 4 == 3 { None } else { Some((step % 3) as u8) };
                    grid.resize(after, class);
                    followed = followed.resized(&grid, &before);
                    let fresh = MovementMap::new(&grid, movement.clone());
                    assert_eq!(followed, fresh, "map {kind}, {movement:?}, step {step}");
                    let resized = regions.resized(&before, &after, movement.size());
                    regions = resized.unwrap_or_else(|| Regions::new(&after, &followed));
                    regions.catch_up(followed.rows());
                    assert!(
                        regions == Regions::new(&after, &followed),
                        "regions of map {kind}, {movement:?}, step {step}"
                    );
                }
            }
        }
    }
}
