//! Links that are written and read, and other texts.

use proptest::{collection::vec, prelude::*, sample::select};
use tilepath::{Direction, Topology};

use super::*;

fn racers() -> impl Strategy<Value = Racer> {
    let algorithms = [
        Algorithm::Auto,
        Algorithm::AStar,
        Algorithm::JumpPoint,
        Algorithm::WeightedAStar { percent: 130 },
        Algorithm::Backtracking,
    ];
    prop_oneof![Just(Racer::Landmarks), select(algorithms.to_vec()).prop_map(Racer::Algorithm)]
}

fn links() -> impl Strategy<Value = RaceLink> {
    let map = (1_u32..9, 1_u32..9, select(Lattice::ALL)).prop_flat_map(|(columns, rows, lattice)| {
        let count = (columns * rows) as usize;
        let tile = (0_u32..258, select(vec![0, 0, 0, 3, 9, u16::MAX]), any::<u8>());
        (Just((columns, rows, lattice)), vec(tile, count), 0..count, 0..count)
    });
    let rules = (select(Diagonals::ALL.to_vec()), select(HeuristicKind::ALL.to_vec()), 1_u8..=Size::MAX);
    (map, racers(), proptest::option::of(racers()), rules).prop_map(
        |(((columns, rows, lattice), tiles, start, goal), racer, rival, (diagonals, heuristic, side))| {
            let all: Vec<Cell> = cells(lattice, columns, rows).collect();
            let ground = all.iter().zip(&tiles).filter(|(_, tile)| tile.0 < VOID);
            let ground = ground.map(|(&cell, tile)| (cell, tile.0 as u8));
            let bounds = lattice.bounds_of(columns, rows).unwrap();
            let mut grid = Grid::from_tiles(bounds, ground).unwrap().with_topology(lattice.topology());
            let danger = all.iter().zip(&tiles).map(|(&cell, tile)| (cell, tile.1));
            grid.set_overlay(DANGER, danger).unwrap();
            for (&cell, tile) in all.iter().zip(&tiles) {
                let closed = neighbours(&grid, cell)
                    .filter(|&(direction, _)| !Exits::from_bits(tile.2).contains(direction));
                let edits: Vec<Edit> = closed.map(|(_, to)| Edit::one_way(to, cell)).collect();
                grid.edit(&edits).unwrap();
            }
            let (start, goal, size) = (all[start], all[goal], Size::new(side).unwrap());
            RaceLink { grid, lattice, columns, rows, start, goal, racer, rival, diagonals, heuristic, size }
        },
    )
}

fn assert_same(a: &RaceLink, b: &RaceLink) {
    assert_eq!((a.lattice, a.columns, a.rows), (b.lattice, b.columns, b.rows));
    assert_eq!((a.grid.bounds(), a.grid.topology()), (b.grid.bounds(), b.grid.topology()));
    for cell in a.cells() {
        assert_eq!(a.grid.terrain(cell), b.grid.terrain(cell), "{cell}");
        assert_eq!(exits(&a.grid, cell), exits(&b.grid, cell), "{cell}");
        assert_eq!(a.grid.overlay(DANGER, cell), b.grid.overlay(DANGER, cell), "{cell}");
    }
    assert_eq!((a.start, a.goal, a.racer, a.rival), (b.start, b.goal, b.racer, b.rival));
    assert_eq!((a.diagonals, a.heuristic, a.size), (b.diagonals, b.heuristic, b.size));
}

proptest! {
    #[test]
    fn a_link_is_read_as_it_was_written(link in links()) {
        let text = link.to_string();
        prop_assert!(RaceLink::is_in(&text));
        assert_same(&text.parse().unwrap(), &link);
        let address = format!("https://example.org/page/{text}");
        assert_same(&address.parse().unwrap(), &link);
        let query = text.replace('#', "&");
        assert_same(&query.parse().unwrap(), &link);
        // A chat may write dots and stars by their codes.
        let coded = text.replace('*', "%2A").replace('.', "%2E");
        assert_same(&coded.parse().unwrap(), &link);
    }

    #[test]
    fn a_damaged_link_is_read_or_refused(link in links(), at in any::<prop::sample::Index>(), by in any::<char>()) {
        let mut characters: Vec<char> = link.to_string().chars().collect();
        let at = at.index(characters.len());
        characters[at] = by;
        if let Ok(read) = characters.iter().collect::<String>().parse::<RaceLink>() {
            let _ = read.to_string();
        }
        let _ = characters[..at].iter().collect::<String>().parse::<RaceLink>();
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        let _ = text.parse::<RaceLink>();
    }
}

#[test]
fn option_missing_in_a_link_has_the_default_of_the_command_line() {
    let link: RaceLink = "map=2x1*1x2&from=0.0&to=1.0".parse().unwrap();
    assert_eq!((link.racer, link.rival), (Racer::Algorithm(Algorithm::AStar), None));
    assert_eq!(
        (link.diagonals, link.heuristic, link.size),
        (Diagonals::default(), HeuristicKind::default(), Size::ONE)
    );
    assert_eq!((link.grid.topology(), link.grid.overlay_cells(DANGER).count()), (Topology::Square, 0));
    let east = link.grid.exits(Cell::new(0, 0)).unwrap();
    assert!(east.contains(Direction::East));
}

#[test]
fn every_fault_names_its_parameter() {
    let good = "map=4x2*1x8&from=0.0&to=3.1";
    assert!(good.parse::<RaceLink>().is_ok());
    for (text, said) in [
        ("", "the link has no `map=`"),
        ("https://example.org/?example=squad", "the link has no `map=`"),
        ("map=4x2*1x8&from=0.0", "the link has no `to=`"),
        ("map=4x2*1x8&from=0.0&to=3.1&to=3.1", "`to=` twice"),
        ("map=4x2*1x7&from=0.0&to=3.1", "`map=` in the link: there are 7 numbers instead of 8"),
        ("map=4*1x8&from=0.0&to=3.1", "does not begin with columns and rows"),
        ("map=0x2*1&from=0.0&to=3.1", "0 x 2 is not a map of 1 to 65536 tiles"),
        ("map=65536x65537*1&from=0.0&to=3.1", "is not a map of 1 to 65536 tiles"),
        ("map=4x2*1x8&from=4.0&to=3.1", "`from=` in the link: 4.0 is outside the map of 4 x 2 tiles"),
        ("map=4x2*1x8&from=0,0&to=3.1", "is not a column and a row"),
        ("map=4x2*1x8&from=0.0&to=3.1&danger=70000x8", "`danger=` in the link: `70000x8`"),
        ("map=4x2*1x8&from=0.0&to=3.1&race=quickest", "`race=` in the link"),
        ("map=4x2*1x8&from=0.0&to=3.1&unit=9", "`unit=` in the link: a unit cannot have size 9"),
        ("map=4x2*1x8&from=0.0&to=3.1&lattice=triangles", "`lattice=` in the link"),
    ] {
        let fault = text.parse::<RaceLink>().unwrap_err().to_string();
        assert!(fault.contains(said), "{text}: {fault}");
    }
}
