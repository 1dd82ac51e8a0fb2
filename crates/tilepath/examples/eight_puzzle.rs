//! The 8-puzzle: eight tiles in a frame of nine places.
//!
//! A slide moves one tile into the gap.
//!
//! `cargo run -p tilepath --example eight_puzzle`
//!
//! A state is a board, and a step is a slide. The estimate is the sum of the distances of all tiles
//! to their places. Half of all boards have no solution, which is also an answer.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use tilepath::{
    SearchStatus,
    state_space::{StateSpace, StateSpaceError},
};

/// Tiles row by row; 0 is the gap.
type Board = [u8; 9];

const SOLVED: Board = [1, 2, 3, 4, 5, 6, 7, 8, 0];
/// One of the two boards that need the most slides.
const HARDEST: Board = [8, 6, 7, 2, 5, 4, 3, 0, 1];

struct EightPuzzle {
    has_estimate: bool,
}

/// Returns the places beside a place.
fn neighbours(place: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (place % 3, place / 3);
    [
        (row > 0).then(|| place - 3),
        (column > 0).then(|| place - 1),
        (column < 2).then(|| place + 1),
        (row < 2).then(|| place + 3),
    ]
    .into_iter()
    .flatten()
}

impl StateSpace for EightPuzzle {
    type State = Board;
    type Cost = u32;

    fn successors(&self, board: &Board, mut emit: impl FnMut(Board, u32)) {
        let Some(gap) = board.iter().position(|&tile| tile == 0) else { return };
        for place in neighbours(gap) {
            let mut next = *board;
            next.swap(gap, place);
            emit(next, 1);
        }
    }

    /// Returns the columns and rows between all tiles and their places. The estimate is never too
    /// high, because a slide moves one tile by one place.
    fn estimate(&self, board: &Board) -> u32 {
        if !self.has_estimate {
            return 0;
        }
        let travel = |(place, &tile): (usize, &u8)| {
            if tile == 0 {
                return 0;
            }
            let home = usize::from(tile) - 1;
            (place % 3).abs_diff(home % 3) + (place / 3).abs_diff(home / 3)
        };
        board.iter().enumerate().map(travel).sum::<usize>() as u32
    }

    fn is_goal(&self, board: &Board) -> bool {
        *board == SOLVED
    }
}

/// Returns the boards of the path, and the number of expanded boards.
fn solve(board: Board, has_estimate: bool) -> Result<(Option<Vec<Board>>, u64), StateSpaceError<Board>> {
    let mut search = (EightPuzzle { has_estimate }).begin(board);
    while search.advance(10_000) == SearchStatus::Running {}
    let expanded = search.expanded();
    Ok((search.finish()?.map(|path| path.states), expanded))
}

/// Draws boards side by side, eight to a line.
fn draw(boards: &[Board]) -> String {
    let mut picture = String::new();
    for line in boards.chunks(8) {
        for row in 0..3 {
            for board in line {
                for &tile in &board[3 * row..3 * row + 3] {
                    picture.push(if tile == 0 { '.' } else { char::from(b'0' + tile) });
                    picture.push(' ');
                }
                picture.push_str("   ");
            }
            picture.truncate(picture.trim_end().len());
            picture.push('\n');
        }
        picture.push('\n');
    }
    picture
}

fn main() -> Result<(), StateSpaceError<Board>> {
    let (led, expanded) = solve(HARDEST, true)?;
    let (blind, expanded_blindly) = solve(HARDEST, false)?;
    let led = led.unwrap_or_default();
    println!("The hardest board is solved in {} slides:\n\n{}", led.len() - 1, draw(&led));
    println!("A*, led by the estimate, expanded {expanded:>7} boards,");
    println!("Dijkstra's algorithm expanded     {expanded_blindly:>7}, for an equally long path.\n");
    assert_eq!(led.len(), 1 + 31);
    assert_eq!(blind.map(|boards| boards.len()), Some(1 + 31));
    assert!(expanded * 5 < expanded_blindly);

    let mut swapped = SOLVED;
    swapped.swap(6, 7);
    let (unsolvable, expanded) = solve(swapped, true)?;
    println!("With two tiles swapped by hand there is no solution:\n\n{}", draw(&[swapped]));
    println!("All {expanded} reachable boards were expanded.");
    assert_eq!((unsolvable, expanded), (None, 181_440));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Board, HARDEST, SOLVED, neighbours, solve};
    use std::collections::{HashMap, VecDeque};

    /// Returns the number of slides from every board to the solved one, by flooding.
    fn slides_to_solve() -> HashMap<Board, usize> {
        let mut slides = HashMap::from([(SOLVED, 0)]);
        let mut waiting = VecDeque::from([SOLVED]);
        while let Some(board) = waiting.pop_front() {
            let gap = board.iter().position(|&tile| tile == 0).unwrap();
            for place in neighbours(gap) {
                let mut next = board;
                next.swap(gap, place);
                let more = slides[&board] + 1;
                slides.entry(next).or_insert_with(|| {
                    waiting.push_back(next);
                    more
                });
            }
        }
        slides
    }

    #[test]
    fn boards_of_all_kinds_are_solved_in_the_fewest_slides() {
        let slides = slides_to_solve();
        assert_eq!((slides.len(), slides[&HARDEST]), (181_440, 31));
        assert_eq!(slides.values().filter(|&&count| count == 31).count(), 2);
        let mut boards: Vec<_> = slides.into_iter().collect();
        boards.sort_unstable();
        for (board, count) in boards.into_iter().step_by(907) {
            let (path, _) = solve(board, true).unwrap();
            assert_eq!(path.unwrap().len(), count + 1, "{board:?}");
        }
    }

    #[test]
    fn the_example_runs_and_its_answers_hold() {
        super::main().unwrap();
    }
}
