//! The entries of a map's legend.

use super::{
    Scene,
    canvas::{Colour, mix},
    ground::MAX_LISTED,
    legend::{Entry, Sign},
    overlay_opacity, palette,
};

/// Colours of a gradient.
const GRADIENT: u32 = 24;

impl Scene {
    /// Returns an entry for each colour of this picture.
    pub(super) fn legend(&self) -> Vec<Entry> {
        let mut entries = self.ground.legend();
        entries.extend(self.overlay_entry());
        entries.extend(self.heat_entry());
        entries.extend(self.turn_entries());
        if !self.unseen.is_empty() {
            let colour = self.on_ground(palette::UNSEEN, palette::UNSEEN_OPACITY);
            entries.push(Entry::area(colour, "not seen"));
        }
        let marked = self.marked.iter().filter(|marked| !marked.cells.is_empty());
        entries.extend(marked.map(|marked| Entry::area(marked.colour, marked.word)));
        let edges = self.closed_edges();
        if edges.iter().any(|edge| !edge.is_one_way) {
            entries.push(Entry::new(Sign::PlainLine(palette::EDGE), "closed edge"));
        }
        if edges.iter().any(|edge| edge.is_one_way) {
            entries.push(Entry::new(Sign::Arrow(palette::EDGE, palette::RING), "one-way edge"));
        }
        if self.path.len() > 1 {
            entries.push(Entry::new(Sign::Line(self.path_colour(), palette::RIM), "path"));
        }
        // The goal hides a start on its cell.
        if self.all_starts().iter().any(|&start| Some(start) != self.goal) {
            entries.push(Entry::new(Sign::Mark(palette::START), "start"));
        }
        if self.goal.is_some() {
            entries.push(Entry::new(Sign::Mark(palette::GOAL), "goal"));
        }
        entries
    }

    fn overlay_entry(&self) -> Option<Entry> {
        let values = || self.overlaid.iter().map(|&(_, value)| value);
        let (least, most) = (values().min()?, values().max()?);
        let over = |value: f32| self.on_ground(palette::OVERLAY, value);
        let (low, high) = (overlay_opacity(least, most), overlay_opacity(most, most));
        if least == most {
            return Some(Entry::area(over(high), format!("overlay +{most}")));
        }
        let colours = gradient(|share| over(low + (high - low) * share));
        Some(Entry::new(Sign::Area(colours), format!("overlay +{least} to +{most}")))
    }

    /// Returns the entry for the expanded cells.
    fn heat_entry(&self) -> Option<Entry> {
        if self.expanded.is_empty() {
            return None;
        }
        let colours = gradient(|share| self.on_ground(palette::heat(share), palette::HEAT_OPACITY));
        Some(Entry::new(Sign::Area(colours), "expanded, first to last"))
    }

    /// Returns an entry for each turn, or one entry if there are many turns.
    fn turn_entries(&self) -> Vec<Entry> {
        let mut turns: Vec<u32> = self.reached.iter().map(|&(_, turn)| turn).collect();
        turns.dedup();
        let colour = |&turn: &u32| self.on_ground(self.turn_colour(turn), palette::HEAT_OPACITY);
        match &turns[..] {
            [first, .., last] if turns.len() > MAX_LISTED => {
                let colours = turns.iter().map(colour).collect();
                vec![Entry::new(Sign::Area(colours), format!("turn {first} to {last}"))]
            }
            _ => turns.iter().map(|turn| Entry::area(colour(turn), format!("turn {turn}"))).collect(),
        }
    }

    /// Returns a colour as it looks over the ground of most cells.
    fn on_ground(&self, above: Colour, opacity: f32) -> Colour {
        let below = self.ground.usual_colour();
        std::array::from_fn(|part| mix(below[part], above[part], opacity))
    }
}

/// Returns the colours of a gradient from 0 to 1.
fn gradient(colour: impl Fn(f32) -> Colour) -> Vec<Colour> {
    (0..GRADIENT).map(|step| colour(step as f32 / (GRADIENT - 1) as f32)).collect()
}

#[cfg(test)]
mod tests {
    use crate::{
        layout::Layout,
        map_file::MapFile,
        picture::{Scene, legend::Entry, palette},
        place::Place,
    };
    use std::path::Path;
    use tilepath::{
        Cell, CostTable, Edit, Exits, Lattice, Movement, MovementId, PathFinder, Size, format,
        turns::TurnQuery,
    };

    fn scene(text: &str) -> Scene {
        let map = MapFile::new(Path::new("a.map"), text.to_owned(), None).unwrap();
        let grid = map.grid().unwrap();
        Scene::new(&map, Layout::new(Lattice::Square, grid.width(), grid.height()).unwrap()).unwrap()
    }

    fn words(scene: &Scene) -> Vec<String> {
        scene.legend().iter().map(|entry| entry.word().to_owned()).collect()
    }

    #[test]
    fn legend_lists_the_terrain_that_occurs() {
        assert_eq!(words(&scene("1 1\n1 1\n")), ["open ground"]);
        assert_eq!(words(&scene("1 0\n1 1\n")), ["wall", "open ground"]);
        assert_eq!(words(&scene("9 0\n2 1\n")), ["wall", "cost 1", "cost 2", "cost 9"]);
        assert_eq!(words(&scene("3 4 5\n")), ["cost 3", "cost 4", "cost 5"]);
        assert_eq!(words(&scene("1 2 3 4\n5 6 7 200\n")), ["cost 1 to 200"]);
        let letters = "type octile\nheight 1\nwidth 6\nmap\n@OTWS.\n";
        assert_eq!(words(&scene(letters)), ["wall", "open ground", "swamp", "trees", "water"]);
        assert_eq!(words(&scene("@#.\n")), ["wall", "open ground", "out of bounds"]);
    }

    #[test]
    fn classes_of_one_colour_share_an_entry() {
        assert_eq!(words(&scene("1 200 201\n")), ["cost 1", "cost 200 or cost 201"]);
        let text = "type octile\nheight 1\nwidth 3\nmap\n.@O\n".to_owned();
        let map = MapFile::new(Path::new("a.map"), text, Some(&"@=2,O=3".parse().unwrap())).unwrap();
        let scene = Scene::new(&map, Layout::new(Lattice::Square, 3, 1).unwrap()).unwrap();
        let shared = "out of bounds, cost 2 or out of bounds, cost 3";
        assert_eq!(words(&scene), ["open ground", shared]);
    }

    #[test]
    fn legend_lists_what_a_movement_pays() {
        let map = scene("1 2\n3 0\n");
        let grid = format::parse_costs("1 2\n3 0\n").unwrap();
        let movement = Movement::new().with_costs(CostTable::identity().with(2, 7).with(3, 0));
        assert_eq!(
            words(&map.with_unit(&grid, &movement)),
            ["wall", "cost 1", "class 2, cost 7", "class 3, closed"]
        );
    }

    #[test]
    fn legend_lists_ends_and_marked_cells_only_if_there_are_some() {
        let place = |column| Place { column, row: 0 };
        let marked = scene("1 1 1\n").with_marked(&[place(1)], "forbidden");
        assert_eq!(words(&marked), ["open ground", "forbidden"]);
        let ends = scene("1 1 1\n").with_ends(&[place(0)], place(2));
        assert_eq!(words(&ends), ["open ground", "start", "goal"]);
        let covered = scene("1 1 1\n").with_ends(&[place(2)], place(2));
        assert_eq!(words(&covered), ["open ground", "goal"], "the goal hides the start");
        assert_eq!(words(&scene("1 1 1\n").with_marked(&[], "forbidden")), ["open ground"]);
    }

    #[test]
    fn legend_lists_each_turn_or_the_range_of_many() {
        let grid = format::parse_costs(&"1 ".repeat(20)).unwrap();
        let finder = PathFinder::new(grid, Movement::new());
        let reached = |turns: u32| {
            let query = TurnQuery::new(Cell::new(0, 0), tilepath::Cost::new(20)).with_turns(turns);
            words(&scene(&"1 ".repeat(20)).with_turns(&finder.solve_turns(&query).unwrap()))
        };
        assert_eq!(reached(2), ["open ground", "turn 1", "turn 2", "start"]);
        assert_eq!(reached(8), ["open ground", "turn 1 to 8", "start"]);
    }

    #[test]
    fn legend_lists_paths_closed_edges_and_void() {
        let mut grid = format::parse_costs("1 1 1\n1 1 1\n").unwrap();
        let edits = [
            Edit::one_way(Cell::new(0, 0), Cell::new(1, 0)),
            Edit::fence(Cell::new(1, 0), Cell::new(2, 0)),
            Edit::void(Cell::new(2, 1)),
        ];
        grid.edit(&edits).unwrap();
        assert_ne!(grid.exits(Cell::new(1, 0)), Some(Exits::ALL));
        let finder = PathFinder::new(grid, Movement::new().with_size(Size::ONE));
        let (from, to) = (Cell::new(0, 0), Cell::new(1, 1));
        let scene = Scene::of_path(&finder, MovementId::FIRST, (from, to), &[from, to]);
        assert_eq!(
            words(&scene),
            ["open ground", "no map", "closed edge", "one-way edge", "path", "start", "goal"]
        );
        let colours: Vec<_> = scene.legend().iter().flat_map(Entry::colours).collect();
        assert!(colours.contains(&palette::PATH) && !colours.contains(&palette::WALL));
    }
}
