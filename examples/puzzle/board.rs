//! The 8-puzzle as a space of states: boards, and slides between them.

use tilepath::state_space::StateSpace;

/// Tiles row by row, from the top; 0 is the gap.
pub(crate) type Board = [u8; 9];

const SOLVED: Board = [1, 2, 3, 4, 5, 6, 7, 8, 0];
/// One of the two boards that need the most slides: 31.
pub(crate) const HARDEST: Board = [8, 6, 7, 2, 5, 4, 3, 0, 1];

/// The puzzle, searched by A* if it has an estimate, else by Dijkstra's algorithm.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EightPuzzle {
    pub(crate) has_estimate: bool,
}

/// Returns the board after the tile at `place` has slid into the gap; `None` if it is not beside the gap.
pub(crate) fn slide(board: &Board, place: usize) -> Option<Board> {
    let gap = board.iter().position(|&tile| tile == 0)?;
    let is_beside = (place % 3).abs_diff(gap % 3) + (place / 3).abs_diff(gap / 3) == 1;
    let mut next = *board;
    (place < 9 && is_beside).then(|| {
        next.swap(gap, place);
        next
    })
}

impl StateSpace for EightPuzzle {
    type State = Board;
    type Cost = u32;

    fn successors(&self, board: &Board, mut emit: impl FnMut(Board, u32)) {
        for next in (0..9).filter_map(|place| slide(board, place)) {
            emit(next, 1);
        }
    }

    /// Returns the columns and rows between all tiles and their places. A slide moves one tile by one place, so the
    /// estimate is never too high.
    fn estimate(&self, board: &Board) -> u32 {
        let distance = |(place, &tile): (usize, &u8)| {
            let home = usize::from(tile).checked_sub(1)?;
            Some((place % 3).abs_diff(home % 3) + (place / 3).abs_diff(home / 3))
        };
        if self.has_estimate {
            board.iter().enumerate().filter_map(distance).sum::<usize>() as u32
        } else {
            0
        }
    }

    fn is_goal(&self, board: &Board) -> bool {
        *board == SOLVED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardest_board_takes_31_slides_and_the_estimate_saves_most_of_the_work() {
        let [led, blind] = [true, false].map(|has_estimate| {
            let mut search = EightPuzzle { has_estimate }.begin(HARDEST);
            while search.advance(10_000) == tilepath::SearchStatus::Running {}
            let expanded = search.expanded();
            (search.finish().unwrap().unwrap().cost, expanded)
        });
        assert!(led.0 == 31 && blind.0 == 31 && led.1 * 5 < blind.1, "{led:?} {blind:?}");
    }

    #[test]
    fn only_tiles_beside_the_gap_slide() {
        let slides: Vec<usize> = (0..12).filter(|&place| slide(&SOLVED, place).is_some()).collect();
        assert_eq!(slides, [5, 7]);
    }
}
