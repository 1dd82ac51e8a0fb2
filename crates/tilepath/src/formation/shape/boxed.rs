//! A box: as many ranks as files, with the goal in the middle.

use super::{Block, Points, Shape, outwards};

pub(crate) const SHAPE: Shape = Shape::Points(Points { ranks, point, goes_on: true });

fn ranks(count: usize) -> i64 {
    (count as i64 + files(count) - 1) / files(count)
}

fn files(count: usize) -> i64 {
    let root = count.isqrt();
    (root + usize::from(root * root < count)).max(1) as i64
}

fn point(block: &Block, number: usize) -> (i64, i64) {
    let (number, files) = (number as i64, files(block.count));
    let (rank, file) = (number / files, outwards(number % files));
    // With an even number of files, the middle lies between two files.
    let file = 2 * file - i64::from(files % 2 == 0);
    block.point(block.left, file, block.with_middle_at_goal() - block.rank() * rank)
}
