//! The steps worth following from one cell, found from the costs of the eight around it.
//!
//! Directions are places in compass order, so that turning is adding; sides are a turn of 1 (clockwise) and of 7.

use super::PLACE;

/// A diagonal rule, as a constant that the compiler makes a program of its own for.
pub(super) type Rule = u8;
pub(super) const NEVER: Rule = 0;
pub(super) const ONLY_WHEN_NO_OBSTACLES: Rule = 1;
pub(super) const IF_AT_MOST_ONE_OBSTACLE: Rule = 2;
pub(super) const ALWAYS: Rule = 3;

/// The costs around a cell, in compass order.
pub(super) struct Ring {
    /// Of a straight step onto each of the eight; infinite where it is closed.
    pub(super) straight: [f32; 8],
    /// Of a diagonal step.
    pub(super) diagonal: [f32; 8],
    /// Zero for open cells, infinite for closed ones.
    pub(super) obstacle: [f32; 8],
}

/// Not [`f32::min`], which asks whether it was given numbers.
#[inline]
fn least(one: f32, other: f32) -> f32 {
    if one < other { one } else { other }
}

/// Whether a way over the middle is kept, given what one past it costs whose last step goes in a direction.
#[inline]
fn beats(over: f32, step: usize, past: f32, last_step: usize) -> bool {
    if PLACE[last_step % 8] < PLACE[step % 8] { over < past } else { over <= past }
}

impl Ring {
    /// What a diagonal step from the middle costs; infinite where it is not allowed.
    #[inline]
    fn slanting<const RULE: Rule>(&self, direction: usize) -> f32 {
        let beside = [self.obstacle[(direction + 1) % 8], self.obstacle[(direction + 7) % 8]];
        match RULE {
            NEVER => f32::INFINITY,
            ONLY_WHEN_NO_OBSTACLES => self.diagonal[direction] + beside[0] + beside[1],
            IF_AT_MOST_ONE_OBSTACLE => self.diagonal[direction] + least(beside[0], beside[1]),
            _ => self.diagonal[direction],
        }
    }

    /// What a diagonal step costs between two straight neighbours of the middle, past the corner between them.
    #[inline]
    fn past_corner<const RULE: Rule>(&self, to: usize, corner: usize) -> f32 {
        match RULE {
            NEVER => f32::INFINITY,
            ONLY_WHEN_NO_OBSTACLES => self.diagonal[to] + self.obstacle[corner],
            _ => self.diagonal[to],
        }
    }

    /// The steps worth following after a straight step onto the cell that cost `over`: bits in the order of
    /// [`ORDER`](super::ORDER).
    #[inline]
    pub(super) fn after_straight<const RULE: Rule>(&self, arrival: usize, over: f32) -> u32 {
        // Each side is a way past: to the cell beside, then to the one ahead of that, then to the one ahead.
        let side = |turn: usize| {
            let [ahead, beside, behind] = [1, 2, 3].map(|turns| (arrival + turns * turn) % 8);
            let by_diagonal = self.past_corner::<RULE>(beside, behind);
            let by_straight = self.straight[behind] + self.straight[beside];
            let to_beside = least(by_diagonal, by_straight);
            let to_ahead = to_beside + self.straight[ahead];
            let over_corner = to_beside + self.past_corner::<RULE>(arrival, ahead);
            let around_corner = to_ahead + self.straight[arrival];
            (by_diagonal, by_straight, to_beside, over_corner, around_corner)
        };
        let sides = [side(1), side(7)];
        let mut steps = 0;
        let straight_on = over + self.straight[arrival];
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
            let aside = over + self.straight[beside];
            let turns_aside = (aside < f32::INFINITY)
                & beats(aside, beside, by_diagonal, arrival + turn)
                & beats(aside, beside, by_straight, arrival);
            steps |= u32::from(turns_aside) << PLACE[beside];
            let slanting = over + self.slanting::<RULE>(ahead);
            let past = least(to_beside, least(other_corner, other_around)) + self.straight[ahead];
            steps |= u32::from(slanting < past) << PLACE[ahead];
        }
        steps
    }

    /// The steps worth following after a diagonal step onto the cell that cost `over`.
    #[inline]
    pub(super) fn after_diagonal<const RULE: Rule>(&self, arrival: usize, over: f32) -> u32 {
        // Each side is a way past: to the cell behind it, then aside, then to the one beside the one ahead, then ahead.
        let side = |turn: usize| {
            let [beside, aside, behind] = [1, 2, 3].map(|turns| (arrival + turns * turn) % 8);
            let to_behind = self.straight[behind];
            let to_aside = to_behind + self.straight[aside];
            let by_diagonal = to_behind + self.past_corner::<RULE>(beside, aside);
            let by_straight = to_aside + self.straight[beside];
            let to_ahead = least(by_diagonal, by_straight) + self.straight[arrival];
            (to_aside, by_diagonal, by_straight, to_ahead)
        };
        let sides = [side(1), side(7)];
        let mut steps = 0;
        let slanting = over + self.slanting::<RULE>(arrival);
        let past = least(sides[0].3, sides[1].3);
        steps |= u32::from(slanting < past) << PLACE[arrival];
        for (turn, (this, other)) in
            [1_usize, 7].into_iter().zip([(sides[0], sides[1]), (sides[1], sides[0])])
        {
            let [beside, aside] = [1, 2].map(|turns| (arrival + turns * turn) % 8);
            let (to_aside, by_diagonal, by_straight, _) = this;
            let to_beside = over + self.straight[beside];
            let from_other_side = other.3 + self.straight[beside];
            let turns_half = (to_beside < f32::INFINITY)
                & beats(to_beside, beside, by_diagonal, arrival)
                & beats(to_beside, beside, by_straight, arrival + 7 * turn)
                & beats(to_beside, beside, from_other_side, arrival + 3 * turn);
            steps |= u32::from(turns_half) << PLACE[beside];
            let turns_aside = over + self.slanting::<RULE>(aside);
            steps |= u32::from(turns_aside < to_aside) << PLACE[aside];
        }
        steps
    }
}
