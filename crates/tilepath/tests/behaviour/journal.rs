//! Revisions and the journal of edits.

use proptest::prelude::*;
use tilepath::{Cell, Grid, GridError, Revision};

use crate::worlds::{cases, edits};

proptest! {
    #![proptest_config(cases(100))]

    /// A reader that copies the changed cells is up to date, or learns that the journal does not
    /// reach back far enough.
    #[test]
    fn a_reader_catches_up_from_any_revision(
        width in 1..=40_u32,
        height in 1..=40_u32,
        origin in (-50..=50, -50..=50),
        edits in edits(0..=80),
    ) {
        let origin = Cell::from(origin);
        let mut grid = Grid::new(width, height, 1).unwrap().with_origin(origin).unwrap();
        let mut readers = vec![(grid.revision(), grid.classes().to_vec())];
        for ((x, y), class) in edits {
            let cell = Cell::new(origin.x + x % width as i32, origin.y + y % height as i32);
            let (before, old) = (grid.revision(), grid.terrain(cell));
            let changed = grid.set_terrain(cell, class).unwrap();
            prop_assert_eq!(changed, old != Some(class));
            prop_assert_eq!(grid.revision() > before, changed, "only a change moves the revision");
            readers.push((grid.revision(), grid.classes().to_vec()));
        }
        let mut nearest_lost = None;
        for (revision, mut classes) in readers {
            let Some(changes) = grid.changes_since(revision) else {
                nearest_lost = Some(revision);
                continue;
            };
            prop_assert!(nearest_lost < Some(revision), "the journal has no holes");
            for cell in changes {
                let slot = grid.bounds().slot(cell).unwrap();
                classes[slot] = grid.terrain(cell).unwrap();
            }
            prop_assert_eq!(&classes[..], grid.classes());
        }
        let total: usize = (0..=u8::MAX).map(|class| grid.class_count(class)).sum();
        prop_assert_eq!(total, grid.classes().len());
    }
}

#[test]
fn the_journal_holds_an_eighth_of_the_cells() {
    let mut grid = Grid::new(8, 8, 1).unwrap();
    let start = grid.revision();
    for x in 0..8 {
        grid.set_terrain(Cell::new(x, 0), 0).unwrap();
    }
    assert_eq!(grid.changes_since(start).unwrap().count(), 8);
    let eight = grid.revision();
    grid.set_terrain(Cell::new(0, 1), 0).unwrap();
    assert!(grid.changes_since(start).is_none(), "nine edits do not fit into 64 / 8 entries");
    assert_eq!(grid.changes_since(eight).unwrap().collect::<Vec<_>>(), [Cell::new(0, 1)]);
    assert_eq!(grid.changes_since(grid.revision()).unwrap().count(), 0);
}

#[test]
fn a_revision_of_the_future_is_not_answered() {
    let mut grid = Grid::new(8, 8, 1).unwrap();
    let other = {
        let mut other = grid.clone();
        other.set_terrain(Cell::new(1, 1), 3).unwrap();
        other.revision()
    };
    assert!(grid.changes_since(other).is_none());
    grid.set_terrain(Cell::new(2, 2), 3).unwrap();
    assert_eq!(Revision::default(), Grid::new(1, 1, 1).unwrap().revision());
}

#[test]
fn an_edit_off_the_map_changes_nothing() {
    let mut grid = Grid::new(4, 3, 1).unwrap();
    let before = grid.revision();
    for cell in [Cell::new(4, 0), Cell::new(0, 3), Cell::new(-1, 0), Cell::new(i32::MIN, i32::MAX)] {
        let error = grid.set_terrain(cell, 0).unwrap_err();
        assert_eq!(error, GridError::OutOfBounds { cell, bounds: grid.bounds() });
        assert!(error.to_string().contains(&cell.to_string()), "{error}");
    }
    assert_eq!(grid.revision(), before);
    assert_eq!(grid.class_count(1), 12);
}
