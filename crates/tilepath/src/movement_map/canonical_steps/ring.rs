//! Steps worth following from one cell, from the nine costs around.
//!
//! On squares, directions are places in compass order, so turning is adding. The two sides are
//! turns of 1 (clockwise) and of 7. The figure names the cells on the clockwise side, after a step
//! from p onto the middle v. The cells on the other side are the mirror image:
//!
//! ```text
//! places      after a step east            after a step north-east
//! 7 0 1      .       .       .              .     .      arrival
//! 6 v 2      p       v     arrival          .     v      beside
//! 5 4 3    behind  beside   ahead           p   behind   aside
//! ```
//!
//! **Lemma 1.** A step over v is left out only if a path past v is better. It costs less, or it
//! costs the same and its last step comes earlier in [`ORDER`](super::ORDER). This is the rule of
//! [`CanonicalSteps`](super::CanonicalSteps), and [`beats`] decides it for one path past v. Paths
//! longer than those along the named cells are not checked, so more steps may be kept, and never
//! fewer.
//!
//! **Lemma 2.** A diagonal step over v is kept only if it costs less than the paths past v. These
//! end with a straight step, and straight directions come first in the order.
//!
//! **Lemma 3.** A path that is not allowed costs infinity, because the obstacles on it are added.
//! It is never kept: infinity is not less than any cost. If equal costs may be kept, the code
//! checks that the cost is finite.
//!
//! **Lemma 4.** A diagonal step between two cells straight beside v has v itself as one of its two
//! corners. v is open, so only the other corner can forbid the step, and only if no obstacle may be
//! passed.

use crate::movement_map::step_order::PLACE;

/// A diagonal rule, as a constant: the compiler makes separate code for each.
pub(super) type Rule = u8;
pub(super) const NEVER: Rule = 0;
pub(super) const ONLY_WHEN_NO_OBSTACLES: Rule = 1;
pub(super) const IF_AT_MOST_ONE_OBSTACLE: Rule = 2;
pub(super) const ALWAYS: Rule = 3;
/// No diagonals: six straight directions.
pub(super) const HEXAGONAL: Rule = 4;

/// The costs of a cell and of the cells around it. The cells around are in compass order; the cell
/// itself is last.
pub(super) struct Ring<const RULE: Rule, const REVERSED: bool> {
    /// The cost of a straight step onto each; infinite if it is closed. In a search against the
    /// direction of the steps: the cost of going on from there.
    pub(super) straight: [f32; 9],
    /// The cost of a diagonal step onto each.
    pub(super) diagonal: [f32; 9],
    /// Zero for open cells, infinite for closed cells.
    pub(super) obstacle: [f32; 9],
}

/// The directions of hexagons, clockwise.
const SIX: [usize; 6] = [0, 2, 3, 4, 6, 7];

/// The place of the cell itself.
const MIDDLE: usize = 8;

/// Returns the lower number. [`f32::min`] would also check for values that are not numbers.
#[inline]
fn least(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

/// Returns whether a path over the middle is kept, given the cost of a path past it and the
/// direction of that path's last step (lemma 1).
#[inline]
fn beats(over: f32, step: usize, past: f32, last_step: usize) -> bool {
    if PLACE[last_step % 8] < PLACE[step % 8] { over < past } else { over <= past }
}

impl<const RULE: Rule, const REVERSED: bool> Ring<RULE, REVERSED> {
    /// Returns the cost of a straight step between two of the nine cells, if the cell to which it
    /// leads is open.
    #[inline]
    fn straight(&self, from: usize, to: usize) -> f32 {
        self.straight[if REVERSED { from } else { to }]
    }

    /// Returns the cost of a diagonal step past a corner between two straight neighbours of the
    /// middle, if the cell to which it leads is open (lemma 4).
    #[inline]
    fn past_corner(&self, from: usize, to: usize, corner: usize) -> f32 {
        let cost = self.diagonal[if REVERSED { from } else { to }];
        match RULE {
            NEVER => f32::INFINITY,
            ONLY_WHEN_NO_OBSTACLES => cost + self.obstacle[corner],
            _ => cost,
        }
    }

    /// Returns the cost of a step on from the middle; infinite if it is not allowed.
    #[inline]
    fn onward(&self, direction: usize) -> f32 {
        let target = self.obstacle[direction];
        if direction.is_multiple_of(2) || RULE == HEXAGONAL {
            return self.straight(MIDDLE, direction) + target;
        }
        let beside = [self.obstacle[(direction + 1) % 8], self.obstacle[(direction + 7) % 8]];
        let cost = self.diagonal[if REVERSED { MIDDLE } else { direction }] + target;
        match RULE {
            NEVER => f32::INFINITY,
            ONLY_WHEN_NO_OBSTACLES => cost + beside[0] + beside[1],
            IF_AT_MOST_ONE_OBSTACLE => cost + least(beside[0], beside[1]),
            _ => cost,
        }
    }

    /// Returns the steps worth following after a step onto the cell in a direction: bits in the
    /// order of [`ORDER`](super::ORDER).
    #[inline]
    pub(super) fn steps_after(&self, arrival: usize) -> u32 {
        if RULE == HEXAGONAL {
            self.after_hexagonal(arrival)
        } else if arrival.is_multiple_of(2) {
            self.after_straight(arrival)
        } else {
            self.after_diagonal(arrival)
        }
    }

    /// On hexagons, p touches the cells at two sixths of a turn, so only the three cells ahead are
    /// worth following (lemma 6 of [pruning](crate::movement_map::pruning)). A path past v goes
    /// round on either side, from p over the cells that touch v.
    #[inline]
    fn after_hexagonal(&self, arrival: usize) -> u32 {
        let Some(place) = SIX.iter().position(|&direction| direction == arrival) else { return 0 };
        let turned = |sixths: usize| SIX[(place + sixths) % 6];
        let from = turned(3);
        let over = self.straight(from, MIDDLE);
        // For each side: the cell ahead, the cost of the path to it, and the cost of the path on to
        // the cell straight ahead.
        let side = |turn: usize| {
            let [ahead, beside] = [1, 2].map(|turns| turned(turns * turn));
            let to_ahead = self.straight(from, beside) + self.straight(beside, ahead);
            (ahead, to_ahead, to_ahead + self.straight(ahead, arrival))
        };
        let sides = [side(1), side(5)];
        let straight_on = over + self.onward(arrival);
        let mut goes_on = straight_on < f32::INFINITY;
        for (turn, (.., around)) in [1, 5].into_iter().zip(sides) {
            goes_on &= beats(straight_on, arrival, around, turned(6 - turn));
        }
        let mut steps = u32::from(goes_on) << PLACE[arrival];
        for (turn, (this, other)) in [1, 5].into_iter().zip([(sides[0], sides[1]), (sides[1], sides[0])]) {
            let (ahead, to_ahead, _) = this;
            let turns = over + self.onward(ahead);
            let around = other.2 + self.straight(arrival, ahead);
            let is_kept = (turns < f32::INFINITY)
                & beats(turns, ahead, to_ahead, arrival)
                & beats(turns, ahead, around, turned(2 * turn));
            steps |= u32::from(is_kept) << PLACE[ahead];
        }
        steps
    }

    #[inline]
    fn after_straight(&self, arrival: usize) -> u32 {
        let from = (arrival + 4) % 8;
        let over = self.straight(from, MIDDLE);
        // Each side is a path past v: to the cell beside, then to the cell ahead of that, then to
        // the cell straight ahead.
        let side = |turn: usize| {
            let [ahead, beside, behind] = [1, 2, 3].map(|turns| (arrival + turns * turn) % 8);
            let by_diagonal = self.past_corner(from, beside, behind);
            let by_straight = self.straight(from, behind) + self.straight(behind, beside);
            let to_beside = least(by_diagonal, by_straight);
            let to_ahead = to_beside + self.straight(beside, ahead);
            let over_corner = to_beside + self.past_corner(beside, arrival, ahead);
            let around_corner = to_ahead + self.straight(ahead, arrival);
            (by_diagonal, by_straight, to_beside, over_corner, around_corner)
        };
        let sides = [side(1), side(7)];
        let mut steps = 0;
        let straight_on = over + self.onward(arrival);
        // Lemma 3.
        let mut goes_on = straight_on < f32::INFINITY;
        for (turn, (.., over_corner, around_corner)) in [1, 7].into_iter().zip(sides) {
            goes_on &= beats(straight_on, arrival, over_corner, arrival + 7 * turn);
            goes_on &= beats(straight_on, arrival, around_corner, arrival + 6 * turn);
        }
        steps |= u32::from(goes_on) << PLACE[arrival];
        for (turn, (this, other)) in
            [1_usize, 7].into_iter().zip([(sides[0], sides[1]), (sides[1], sides[0])])
        {
            let [ahead, beside] = [1, 2].map(|turns| (arrival + turns * turn) % 8);
            let (by_diagonal, by_straight, to_beside, ..) = this;
            let (.., other_corner, other_around) = other;
            let aside = over + self.onward(beside);
            let turns_aside = (aside < f32::INFINITY)
                & beats(aside, beside, by_diagonal, arrival + turn)
                & beats(aside, beside, by_straight, arrival);
            steps |= u32::from(turns_aside) << PLACE[beside];
            // Lemma 2.
            let slanting = over + self.onward(ahead);
            let past = least(
                to_beside + self.straight(beside, ahead),
                least(other_corner, other_around) + self.straight(arrival, ahead),
            );
            steps |= u32::from(slanting < past) << PLACE[ahead];
        }
        steps
    }

    #[inline]
    fn after_diagonal(&self, arrival: usize) -> u32 {
        let from = (arrival + 4) % 8;
        let over = self.diagonal[if REVERSED { from } else { MIDDLE }];
        // Each side is a path past v: to the cell behind, then aside, then to the cell beside v,
        // then ahead.
        let side = |turn: usize| {
            let [beside, aside, behind] = [1, 2, 3].map(|turns| (arrival + turns * turn) % 8);
            let to_behind = self.straight(from, behind);
            let to_aside = to_behind + self.straight(behind, aside);
            let by_diagonal = to_behind + self.past_corner(behind, beside, aside);
            let by_straight = to_aside + self.straight(aside, beside);
            let to_ahead = least(by_diagonal, by_straight) + self.straight(beside, arrival);
            (to_aside, by_diagonal, by_straight, to_ahead)
        };
        let sides = [side(1), side(7)];
        let mut steps = 0;
        // Lemma 2.
        let slanting = over + self.onward(arrival);
        let past = least(sides[0].3, sides[1].3);
        steps |= u32::from(slanting < past) << PLACE[arrival];
        for (turn, (this, other)) in
            [1_usize, 7].into_iter().zip([(sides[0], sides[1]), (sides[1], sides[0])])
        {
            let [beside, aside] = [1, 2].map(|turns| (arrival + turns * turn) % 8);
            let (to_aside, by_diagonal, by_straight, _) = this;
            let to_beside = over + self.onward(beside);
            let from_other_side = other.3 + self.straight(arrival, beside);
            let turns_half = (to_beside < f32::INFINITY)
                & beats(to_beside, beside, by_diagonal, arrival)
                & beats(to_beside, beside, by_straight, arrival + 7 * turn)
                & beats(to_beside, beside, from_other_side, arrival + 3 * turn);
            steps |= u32::from(turns_half) << PLACE[beside];
            // Lemma 2.
            let turns_aside = over + self.onward(aside);
            steps |= u32::from(turns_aside < to_aside) << PLACE[aside];
        }
        steps
    }
}
