//! Draws the graph: ways, waypoints, hovered steps, and the hand.

use bevy::prelude::*;
use bevy_tilepath::{NavQuery, graphs::NavGraphView, tilepath::waypoint::WaypointStep};
use tilepath_examples::{
    canvas::{Canvas, DrawSet, Pen},
    pointer::MapPointer,
};

use crate::{
    around::Around,
    hand::Hand,
    pointing::{Pointing, Target},
    scene::{drawing_scale, height},
};

/// The colours of the graph.
pub(crate) mod colour {
    use bevy::color::Color;
    pub(crate) use tilepath_examples::canvas::{INK, ROUTE};

    /// Ordinary waypoints and ways.
    pub(crate) const PLAIN: Color = Color::srgb(0.98, 0.95, 0.86);
    /// The things that the hand draws or holds.
    pub(crate) const HAND: Color = Color::srgb(0.98, 0.45, 0.10);
    /// The crosses on a removed way.
    pub(crate) const REMOVED: Color = Color::srgb(0.85, 0.20, 0.15);
    /// Supplies.
    pub(crate) const SUPPLIES: Color = Color::srgb(0.50, 0.84, 1.0);
    /// The nearest supplies, and the path there.
    pub(crate) const NEAREST: Color = Color::srgb(0.30, 0.75, 0.20);
    /// The colours by steps from the hovered waypoint: the farther, the darker.
    pub(crate) const STEPS: [Color; 5] = [
        Color::srgb(1.0, 1.0, 1.0),
        Color::srgb(0.36, 0.93, 0.98),
        Color::srgb(0.50, 0.73, 1.0),
        Color::srgb(0.64, 0.48, 0.98),
        Color::srgb(0.75, 0.15, 0.55),
    ];

    /// Returns the colour of this many steps.
    pub(crate) fn of_steps(steps: u32) -> Color {
        STEPS[(steps as usize).min(STEPS.len() - 1)]
    }
}

/// Draws the graph. Needs a window.
pub(crate) struct NetworkPlugin;

impl Plugin for NetworkPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostUpdate, (draw_ways, draw_waypoints, draw_hand).chain().in_set(DrawSet));
    }
}

fn draw_ways(nav: NavQuery, around: Res<Around>, pointing: Res<Pointing>, mut canvas: ResMut<Canvas>) {
    let Ok(view) = nav.only_graph() else { return };
    for step in view.graph().edges() {
        // Both directions of a way are one line.
        if step.is_two_way && view.graph().node(step.to.id) < view.graph().node(step.from.id) {
            continue;
        }
        draw_way(&mut canvas, &view, &step, &around, &pointing);
    }
}

fn draw_way(
    canvas: &mut Canvas,
    view: &NavGraphView,
    step: &WaypointStep,
    around: &Around,
    pointing: &Pointing,
) {
    let (from, to) = (view.world_of(step.from.position), view.world_of(step.to.position));
    let is_hovered = matches!(&pointing.0, Some((Target::Way { from, to }, _))
        if (from == step.from.id && to == step.to.id) || (from == step.to.id && to == step.from.id));
    let steps = around.steps_over(step);
    let (colour, width, height) = match steps {
        _ if is_hovered => (colour::HAND, 2.5, height::WAYS_SPOKEN_OF + 0.4),
        Some(steps) => (colour::of_steps(steps), 2.5, height::WAYS_SPOKEN_OF + 0.2),
        None if around.centre.is_some() => (colour::PLAIN.with_alpha(0.5), 1.0, height::WAYS + 0.2),
        None => (colour::PLAIN.with_alpha(0.9), 1.5, height::WAYS + 0.2),
    };
    let scale = drawing_scale(view.graph().len());
    let width = width * scale;
    let outline = if steps.is_some() || is_hovered { 0.9 } else { 0.45 };
    canvas.line(
        from,
        to,
        Pen { width: width + 2.0 * scale, colour: colour::INK.with_alpha(outline), height: height - 0.1 },
    );
    canvas.line(from, to, Pen { width, colour, height });
    if !step.is_two_way {
        let angle = (to - from).to_angle();
        for share in [0.36, 0.64] {
            canvas.arrow(from.lerp(to, share), angle, 12.0 * scale, colour.with_alpha(1.0), height + 0.05);
        }
    }
}

fn draw_waypoints(
    nav: NavQuery,
    around: Res<Around>,
    pointing: Res<Pointing>,
    hand: Res<Hand>,
    mut canvas: ResMut<Canvas>,
) {
    let Ok(view) = nav.only_graph() else { return };
    let scale = drawing_scale(view.graph().len());
    for waypoint in view.graph().waypoints() {
        let at = view.world_of(waypoint.position);
        let steps = around.steps.get(waypoint.id).copied();
        let in_hand = hand.holds(waypoint.id) || pointing.waypoint() == Some(waypoint.id);
        let (size, colour) = match steps {
            _ if hand.holds(waypoint.id) => (16.0, colour::HAND),
            Some(0) => (17.0, colour::of_steps(0)),
            Some(steps) => (14.0, colour::of_steps(steps)),
            None if around.centre.is_some() => (9.0, colour::PLAIN),
            None => (11.0, colour::PLAIN),
        };
        canvas.waypoint(at, size * scale, colour, if in_hand { height::HAND } else { height::WAYPOINTS });
    }
}

fn draw_hand(
    nav: NavQuery,
    hand: Res<Hand>,
    pointing: Res<Pointing>,
    pointer: Res<MapPointer>,
    mut canvas: ResMut<Canvas>,
) {
    let (Ok(view), Hand::Drawing { from, one_way }) = (nav.only_graph(), &*hand) else { return };
    let (Some(begin), Some(world)) = (view.position_of(from), pointer.world) else { return };
    let onto = pointing.waypoint().filter(|id| id != from);
    let end = onto.and_then(|id| view.position_of(id)).unwrap_or(world);
    // A line over an existing way removes that way.
    let parts =
        onto.is_some_and(|to| view.graph().edge(from, to).is_some() || view.graph().edge(to, from).is_some());
    let colour = if parts { colour::REMOVED } else { colour::HAND };
    let points = [begin, end];
    let height = height::HAND - 1.0;
    canvas.line(begin, end, Pen { width: 5.0, colour: colour::INK.with_alpha(0.8), height });
    canvas.dashes(&points, 5.0, 3.0, 0.0, Pen { width: 3.0, colour, height: height + 0.1 });
    if *one_way {
        canvas.arrow(begin.midpoint(end), (end - begin).to_angle(), 14.0, colour, height + 0.2);
    }
    if onto.is_none() {
        canvas.waypoint(end, 12.0, colour, height::HAND);
    }
}

#[cfg(test)]
mod tests {
    use tilepath_examples::colour_vision::look_alikes;

    use super::*;

    #[test]
    fn marks_of_the_graph_differ_without_red_and_green() {
        let places =
            [("plain", colour::PLAIN, ""), ("supplies", colour::SUPPLIES, ""), ("hand", colour::HAND, "")];
        assert_eq!(look_alikes(&places), []);
        let nearest = ("nearest", colour::NEAREST, "");
        assert_eq!(look_alikes(&[nearest, places[1]]), [], "one is not much larger");
        assert_eq!(look_alikes(&[nearest, ("path", colour::ROUTE, "")]), [], "both are lines of equal width");
        let dashes =
            [("preview", Color::WHITE, ""), ("draws", colour::HAND, ""), ("removes", colour::REMOVED, "")];
        assert_eq!(look_alikes(&dashes), []);
        let steps = ["0", "1", "2", "3", "4"].map(|name| (name, colour::of_steps(name.parse().unwrap()), ""));
        assert_eq!(look_alikes(&steps), [], "all steps differ from each other");
    }
}
