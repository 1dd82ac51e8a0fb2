//! The rectangle of a map: its tilemaps, with room to grow.
//!
//! Decision: `docs/decisions/34-tilemap-geometry.md`.

use bevy_math::IVec2;
use tilepath::{Bounds, Cell, GridError};

/// The step of coordinates, in cells, at which grown rectangles begin and end. The core stores data
/// of a map by chunks of this size.
const CHUNK: i64 = 64;

/// A rectangle of cells without limits of size. The end is not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rectangle {
    /// The sides along x and along y.
    sides: [Side; 2],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Side {
    begin: i64,
    end: i64,
}

impl Rectangle {
    pub(crate) fn of(bounds: &Bounds) -> Self {
        let side =
            |begin: i32, length: u32| Side { begin: begin.into(), end: i64::from(begin) + i64::from(length) };
        let Cell { x, y } = bounds.origin();
        Self { sides: [side(x, bounds.width()), side(y, bounds.height())] }
    }

    pub(crate) fn moved(self, offset: IVec2) -> Self {
        let [x, y] = self.sides;
        Self { sides: [x.moved(offset.x), y.moved(offset.y)] }
    }

    pub(crate) fn contains(&self, other: &Self) -> bool {
        self.zip(other).all(|(own, other)| own.begin <= other.begin && other.end <= own.end)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.sides.iter().any(|side| side.begin == side.end)
    }

    /// Returns the smallest rectangle around both.
    pub(crate) fn around(&self, other: &Self) -> Self {
        if self.is_empty() {
            return *other;
        }
        if other.is_empty() {
            return *self;
        }
        self.combined(other, |own, other| Side {
            begin: own.begin.min(other.begin),
            end: own.end.max(other.end),
        })
    }

    /// Returns the area that both cover, if there is one.
    pub(crate) fn shared(&self, other: &Self) -> Option<Self> {
        let shared = self.combined(other, |own, other| {
            let begin = own.begin.max(other.begin);
            Side { begin, end: own.end.min(other.end).max(begin) }
        });
        (!shared.is_empty()).then_some(shared)
    }

    pub(crate) fn bounds(&self) -> Result<Bounds, GridError> {
        let [x, y] = self.sides;
        let [width, height] = self.sides.map(|side| u32::try_from(side.length()).unwrap_or(u32::MAX));
        let limited = |begin: i64| begin.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        let origin = Cell::new(limited(x.begin), limited(y.begin));
        if i64::from(origin.x) != x.begin || i64::from(origin.y) != y.begin {
            return Err(GridError::OriginOutOfRange { origin, width, height });
        }
        Bounds::new(origin, width, height)
    }

    /// Returns the rectangle for a map that had `present`, and now has to cover `self`.
    ///
    /// `present` is kept if `self` fits into it, and `present` is at most four times as large. If a
    /// side is passed, the map gets its needed length again on that side. So chunks that come one
    /// by one rarely change the rectangle.
    pub(crate) fn grown_from(&self, present: &Self) -> Self {
        if present.contains(self) {
            return if present.area() <= 4 * self.area() { *present } else { *self };
        }
        let grown = self.combined(present, |needed, present| {
            let (length, before) = (needed.length(), present.length());
            let (below, above) = (needed.begin < present.begin, needed.end > present.end);
            if !below && !above && before <= 2 * length {
                return present;
            }
            let room = if below && above { length / 2 } else { length };
            let begin = needed.begin - if below { room } else { 0 };
            let end = needed.end + if above { room } else { 0 };
            Side { begin: begin.div_euclid(CHUNK) * CHUNK, end: (end + CHUNK - 1).div_euclid(CHUNK) * CHUNK }
        });
        // Near the limits of coordinates there is no extra room.
        if grown.bounds().is_ok() { grown } else { *self }
    }

    fn area(&self) -> i64 {
        self.sides.iter().fold(1, |area, side| area.saturating_mul(side.length()))
    }

    fn zip(&self, other: &Self) -> impl Iterator<Item = (Side, Side)> + use<> {
        self.sides.into_iter().zip(other.sides)
    }

    fn combined(&self, other: &Self, combine: impl Fn(Side, Side) -> Side) -> Self {
        let ([x, y], [other_x, other_y]) = (self.sides, other.sides);
        Self { sides: [combine(x, other_x), combine(y, other_y)] }
    }
}

impl Side {
    fn length(self) -> i64 {
        self.end - self.begin
    }

    fn moved(self, by: i32) -> Self {
        Self { begin: self.begin + i64::from(by), end: self.end + i64::from(by) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(x: i64, y: i64, width: i64, height: i64) -> Rectangle {
        Rectangle { sides: [Side { begin: x, end: x + width }, Side { begin: y, end: y + height }] }
    }

    #[test]
    fn a_window_that_wanders_never_has_more_than_four_times_its_cells_and_rarely_moves() {
        let (side, chunk) = (8 * CHUNK, CHUNK);
        let mut present = rectangle(0, 0, side, side);
        let mut moves = 0;
        let way = (0..1000).map(|n| (n, 0)).chain((0..1000).map(|n| (999, n)));
        for (x, y) in way.clone().chain(way.rev()) {
            let needed = rectangle(x * chunk, y * chunk, side, side);
            let next = needed.grown_from(&present);
            assert!(next.contains(&needed) && next.area() <= 4 * needed.area(), "{needed:?} in {next:?}");
            moves += usize::from(next != present);
            present = next;
        }
        assert!(moves < 4000 / 7, "{moves} moves");
    }

    #[test]
    fn rectangle_that_shrinks_to_a_quarter_is_refitted() {
        let present = rectangle(-128, 0, 256, 256);
        assert_eq!(rectangle(0, 0, 128, 128).grown_from(&present), present);
        assert_eq!(rectangle(5, 7, 120, 120).grown_from(&present), rectangle(5, 7, 120, 120));
    }

    #[test]
    fn at_the_limits_there_is_no_room() {
        let most = i64::from(Bounds::MAX_SIDE);
        let present = rectangle(0, 0, most - 1, 1);
        assert_eq!(rectangle(0, 0, most, 1).grown_from(&present), rectangle(0, 0, most, 1));
        assert!(rectangle(0, 0, most + 1, 1).bounds().is_err());
        assert!(rectangle(i64::from(i32::MAX), 0, 2, 1).bounds().is_err());
    }

    #[test]
    fn intersection_and_union_of_two_rectangles() {
        let (one, other) = (rectangle(0, 0, 4, 4), rectangle(2, -1, 4, 2));
        assert_eq!(one.shared(&other), Some(rectangle(2, 0, 2, 1)));
        assert_eq!(one.around(&other), rectangle(0, -1, 6, 5));
        assert_eq!(one.shared(&rectangle(4, 0, 1, 4)), None);
        assert_eq!(rectangle(9, 9, 0, 3).around(&one), one);
    }
}
