//! The list of stops of an order.
//!
//! Decision: `docs/decisions/46-stops.md`.

use bevy_ecs::component::Component;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

use crate::order::{goal::PathGoal, request::PathRequest, stop::Stop, stop_cursor::StopCursor};

/// The rule for what comes after the last stop of an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum Repeat {
    /// The order ends at the last stop.
    #[default]
    Once,
    /// After the last stop, the agent goes to the first stop again, without end.
    Loop,
    /// After the last stop, the agent goes back through the list to the first stop, then forth
    /// again, without end.
    BackAndForth,
}

/// The stops of an agent's order, and the present stop: the one to which the agent goes. You can
/// edit the stops while the agent walks.
///
/// [`PathRequest`] adds this component, and fills it when the order is given. When the order ends,
/// the component is emptied. Without an order, edits of the component have no effect.
///
/// - If you [append](Self::push) a stop, the agent goes on to the new stop without a halt.
/// - If the present stop is [removed](Self::remove), [replaced](Self::replace) or
///   [skipped](Self::skip), or if the agent is to [go to](Self::go_to) another stop, a new path is
///   planned from the agent's position. Other edits do not change the present path.
/// - A new order begins at its first stop. To begin at another one, such as the nearest, use
///   [`go_to`](Self::go_to) after you have inserted the order.
/// - If you remove all stops of an order, the order ends with
///   [`NoGoals`](crate::PathFailure::NoGoals).
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_tilepath::{orders::PathStops, Cell, PathRequest};
///
/// // A click with shift appends a stop, one without gives a new order.
/// fn order(commands: &mut Commands, unit: Entity, stops: Option<Mut<PathStops>>, cell: Cell, shift: bool) {
///     match stops {
///         Some(mut stops) if shift && !stops.stops().is_empty() => stops.push(cell),
///         _ => {
///             commands.entity(unit).insert(PathRequest::to(cell));
///         }
///     }
/// }
/// # let _ = order;
///
/// let mut world = World::new();
/// let guard = world.spawn(PathRequest::to(Cell::new(2, 2)).then(Cell::new(9, 2)).looped()).id();
/// world.get_mut::<PathStops>(guard).unwrap().push(Cell::new(9, 9));
/// assert_eq!(world.get::<PathStops>(guard).unwrap().stops().len(), 3);
/// ```
#[derive(Component, Debug, Clone, Default, PartialEq, Reflect)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[type_path = "bevy_tilepath"]
#[reflect(Default, Debug, Clone, PartialEq)]
pub struct PathStops {
    #[entities]
    #[cfg_attr(feature = "serde", serde(deserialize_with = "tilepath::read_list"))]
    stops: Vec<Stop>,
    repeat: Repeat,
    #[reflect(ignore)]
    cursor: StopCursor,
    /// The number of edits so far.
    #[reflect(ignore)]
    edits: u64,
}

impl PathStops {
    /// Returns all stops, from the first to the last. A stop that was reached stays in the list.
    #[must_use]
    pub fn stops(&self) -> &[Stop] {
        &self.stops
    }

    /// Returns the index of the present stop, counted from 0. Returns 0 if there are no stops.
    #[must_use]
    pub fn current(&self) -> usize {
        self.cursor.index
    }

    /// Returns the rule for what comes after the last stop.
    #[must_use]
    pub fn repeat(&self) -> Repeat {
        self.repeat
    }

    /// Sets the rule for what comes after the last stop.
    pub fn set_repeat(&mut self, repeat: Repeat) {
        self.repeat = repeat;
        self.cursor.backwards &= repeat == Repeat::BackAndForth;
        self.edits += 1;
    }

    /// Appends a stop.
    pub fn push(&mut self, stop: impl Into<Stop>) {
        self.insert(self.stops.len(), stop);
    }

    /// Inserts a stop before the stop at this index. If the index is past the end of the list, the
    /// stop is appended. The present stop does not change: to change it, use
    /// [`replace`](Self::replace).
    pub fn insert(&mut self, index: usize, stop: impl Into<Stop>) {
        let index = index.min(self.stops.len());
        let is_before = index <= self.cursor.index && !self.stops.is_empty();
        self.stops.insert(index, stop.into());
        self.cursor.index += usize::from(is_before);
        self.edits += 1;
    }

    /// Removes a stop and returns it, or `None` if there is no stop at this index.
    ///
    /// If the present stop is removed, the agent goes to the next stop in the list. If the removed
    /// stop was also the last in the list, the agent goes to the first stop of a
    /// [loop](Repeat::Loop), or else to the new last stop.
    pub fn remove(&mut self, index: usize) -> Option<Stop> {
        if index >= self.stops.len() {
            return None;
        }
        let removed = self.stops.remove(index);
        if index < self.cursor.index {
            self.cursor.index -= 1;
        } else if self.cursor.index >= self.stops.len() {
            // The last stop was removed, and the agent was going to it.
            self.cursor.index = match self.repeat {
                Repeat::Loop => 0,
                Repeat::Once | Repeat::BackAndForth => self.stops.len().saturating_sub(1),
            };
        }
        self.edits += 1;
        Some(removed)
    }

    /// Replaces a stop and returns the old stop. If there is no stop at this index, does nothing
    /// and returns `None`.
    pub fn replace(&mut self, index: usize, stop: impl Into<Stop>) -> Option<Stop> {
        let old = self.stops.get_mut(index)?;
        self.edits += 1;
        Some(std::mem::replace(old, stop.into()))
    }

    /// Makes the next stop the present stop, at once. If there is no next stop, does nothing and
    /// returns false. If both stops have equal goals, the agent keeps its path, and the time for which it
    /// has stood there counts.
    pub fn skip(&mut self) -> bool {
        let Some(next) = self.next() else { return false };
        self.cursor = next;
        self.edits += 1;
        true
    }

    /// Makes the stop at this index the present stop, at once. If there is no stop at this index, does
    /// nothing and returns false. An agent that goes back and forth keeps its direction.
    ///
    /// ```
    /// use bevy_ecs::prelude::*;
    /// use bevy_tilepath::{orders::PathStops, Cell, PathRequest};
    ///
    /// // A guard takes its round up again at the stop that is nearest to it.
    /// let round = [Cell::new(2, 2), Cell::new(9, 2), Cell::new(9, 9)];
    /// let here = Cell::new(8, 8);
    /// let distance = |stop: Cell| (stop.x - here.x).pow(2) + (stop.y - here.y).pow(2);
    /// let nearest = (0..round.len()).min_by_key(|&index| distance(round[index])).unwrap();
    ///
    /// let mut world = World::new();
    /// let order = PathRequest::to(round[0]).then(round[1]).then(round[2]).looped();
    /// let guard = world.spawn(order).id();
    /// let mut stops = world.get_mut::<PathStops>(guard).unwrap();
    /// assert!(stops.go_to(nearest) && stops.current() == 2);
    /// assert!(!stops.go_to(3));
    /// ```
    pub fn go_to(&mut self, index: usize) -> bool {
        let is_there = index < self.stops.len();
        if is_there {
            self.cursor.index = index;
            self.edits += 1;
        }
        is_there
    }

    /// Fills the list with the stops of a new order.
    pub(crate) fn begin(&mut self, request: &PathRequest) {
        self.stops.clear();
        self.stops.extend(request.stops().cloned());
        self.repeat = request.repeat();
        (self.cursor, self.edits) = (StopCursor::default(), 0);
    }

    /// Returns the goals of all stops.
    pub(crate) fn goals_mut(&mut self) -> impl Iterator<Item = &mut PathGoal> {
        self.stops.iter_mut().map(|stop| &mut stop.goal)
    }

    /// Clears the list, as the order has ended.
    pub(crate) fn end(&mut self) {
        *self = Self::default();
    }

    /// Returns the stop to which the agent goes.
    pub(crate) fn present(&self) -> Option<&Stop> {
        self.stops.get(self.cursor.index)
    }

    pub(crate) fn edits(&self) -> u64 {
        self.edits
    }

    /// Returns whether the agent goes to the first stop, and the stops are as the order gave them.
    pub(crate) fn are_as_given(&self) -> bool {
        self.cursor == StopCursor::default() && self.edits == 0
    }

    /// Returns whether an order has more than one goal at which it does not stand.
    pub(crate) fn are_several(&self) -> bool {
        self.stops.len() > 1
            || self.repeat != Repeat::Once
            || self.stops.iter().any(|stop| stop.seconds > 0.0)
    }

    /// Returns the stop after the present one. An order that repeats its only stop has none: the
    /// agent stays there until another stop is appended.
    pub(crate) fn next(&self) -> Option<StopCursor> {
        let StopCursor { index, backwards } = self.cursor;
        let last = self.stops.len().checked_sub(1)?;
        let next = match self.repeat {
            _ if last == 0 => return None,
            _ if index < last && !backwards => StopCursor { index: index + 1, backwards },
            Repeat::Once => return None,
            Repeat::Loop => StopCursor::default(),
            Repeat::BackAndForth if index == 0 => StopCursor { index: 1, backwards: false },
            Repeat::BackAndForth => StopCursor { index: index - 1, backwards: true },
        };
        Some(next)
    }

    /// Returns whether an agent at its last stop waits there for appended stops.
    pub(crate) fn waits_for_more(&self) -> bool {
        self.repeat != Repeat::Once
    }

    /// Returns the stop at a place in the list.
    pub(crate) fn at(&self, cursor: StopCursor) -> Option<&Stop> {
        self.stops.get(cursor.index)
    }

    /// Moves the cursor to this stop.
    pub(crate) fn go_on_to(&mut self, cursor: StopCursor) {
        self.cursor = cursor;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    fn stops(count: i32, repeat: Repeat) -> PathStops {
        let mut stops = PathStops { repeat, ..PathStops::default() };
        (0..count).for_each(|x| stops.push(Cell::new(x, 0)));
        stops
    }

    fn walked(mut stops: PathStops, count: usize) -> Vec<usize> {
        let mut walked = vec![stops.current()];
        while walked.len() < count
            && let Some(next) = stops.next()
        {
            stops.go_on_to(next);
            walked.push(stops.current());
        }
        walked
    }

    #[test]
    fn stops_follow_each_other_as_the_order_says() {
        assert_eq!(walked(stops(3, Repeat::Once), 9), [0, 1, 2]);
        assert_eq!(walked(stops(3, Repeat::Loop), 7), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(walked(stops(3, Repeat::BackAndForth), 9), [0, 1, 2, 1, 0, 1, 2, 1, 0]);
        assert_eq!(walked(stops(2, Repeat::BackAndForth), 4), [0, 1, 0, 1]);
        for repeat in [Repeat::Once, Repeat::Loop, Repeat::BackAndForth] {
            assert_eq!(walked(stops(1, repeat), 3), [0]);
            assert_eq!(stops(0, repeat).next(), None);
        }
    }

    #[test]
    fn edits_leave_the_present_stop_where_it_is() {
        let mut list = stops(4, Repeat::Loop);
        assert!(list.skip() && list.skip());
        let present = list.present().cloned();
        list.insert(0, Cell::new(9, 9));
        list.insert(99, Cell::new(8, 8));
        assert!(list.remove(1).is_some() && list.remove(77).is_none());
        assert_eq!((list.present().cloned(), list.current(), list.stops().len()), (present, 2, 5));
        list.remove(2);
        assert_eq!(list.present(), Some(&Cell::new(3, 0).into()), "the stop after the removed one");
        list.skip();
        list.remove(3);
        assert_eq!(list.current(), 0, "the list begins again");
    }

    #[test]
    fn list_may_be_emptied_and_filled_in_any_state() {
        for repeat in [Repeat::Once, Repeat::Loop, Repeat::BackAndForth] {
            let mut list = stops(5, repeat);
            for _ in 0..7 {
                list.skip();
            }
            while !list.stops().is_empty() {
                assert!(list.current() < list.stops().len());
                list.remove(list.stops().len() / 2);
            }
            assert!(!list.skip());
            assert_eq!((list.current(), list.present(), list.next()), (0, None, None));
            list.push(Cell::new(1, 1));
            assert_eq!(list.current(), 0);
        }
    }
}
