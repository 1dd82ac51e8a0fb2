//! Supplies: their waypoints, and the nearest ones from the pointer.

use std::collections::BTreeSet;

use bevy::prelude::*;
use bevy_tilepath::{
    NavQuery, PathRequest,
    graphs::WaypointGraph,
    tilepath::{
        Revision,
        waypoint::{RouteEnd, RouteOptions},
    },
};
use tilepath_examples::canvas::{Canvas, DrawSet, Pen};

use crate::{
    edit::EditSet,
    network::colour,
    pointing::Pointing,
    scene::height,
    settings::{Settings, Shown},
};

/// The waypoints with supplies. At first these are waypoints of the town.
#[derive(Resource, Debug, Clone, PartialEq, Eq)]
pub(crate) struct Supplies(BTreeSet<String>);

impl Default for Supplies {
    fn default() -> Self {
        Self(["well", "mill", "orchard"].map(String::from).into())
    }
}

impl Supplies {
    /// Adds supplies to a waypoint, or removes them.
    pub(crate) fn toggle(&mut self, id: &str) {
        if !self.0.remove(id) {
            self.0.insert(id.to_owned());
        }
    }

    /// Returns the waypoints of a graph that have supplies. The name of a removed waypoint is kept,
    /// in case it returns.
    fn on<'a>(&'a self, graph: &'a WaypointGraph) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(String::as_str).filter(|id| graph.contains(id))
    }

    /// Returns an order to the supplies that are cheapest to reach, or `None` if no waypoint of the
    /// graph has supplies.
    pub(crate) fn order(&self, graph: &WaypointGraph) -> Option<PathRequest> {
        let ids: Vec<&str> = self.on(graph).collect();
        (!ids.is_empty()).then(|| PathRequest::to_nearest(ids))
    }
}

/// The nearest supplies from the waypoint under the pointer, while supplies are shown.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub(crate) struct Nearest {
    /// The waypoint with the supplies, or `None` if none can be reached or supplies are not shown.
    pub(crate) id: Option<String>,
    /// The cost of the path there.
    pub(crate) cost: Option<f64>,
    /// The points of the path in the world.
    points: Vec<Vec2>,
}

/// Keeps [`Nearest`] up to date.
pub(crate) struct SuppliesPlugin;

impl Plugin for SuppliesPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Supplies>()
            .init_resource::<Nearest>()
            .add_systems(Update, find_nearest.after(EditSet));
    }
}

/// Draws the supplies, and the path to the nearest. Needs a window.
pub(crate) struct SuppliesPicturePlugin;

impl Plugin for SuppliesPicturePlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(PostUpdate, draw.in_set(DrawSet));
    }
}

fn find_nearest(
    nav: NavQuery,
    pointing: Res<Pointing>,
    settings: Res<Settings>,
    supplies: Res<Supplies>,
    mut nearest: ResMut<Nearest>,
    mut asked: Local<Option<(String, Revision)>>,
) {
    let view = nav.only_graph().ok();
    let question = view
        .zip(pointing.waypoint().filter(|_| settings.shown == Shown::Supplies))
        .map(|(view, from)| (from.to_owned(), view.graph().revision()));
    if question == *asked && !supplies.is_changed() {
        return;
    }
    let answer = view.zip(question.as_ref()).and_then(|(view, (from, _))| {
        let graph = view.graph();
        let ids: Vec<&str> = supplies.on(graph).collect();
        let goals: Vec<RouteEnd> = ids.iter().map(|&id| RouteEnd::Waypoint(id)).collect();
        let from = RouteEnd::Waypoint(from);
        let (index, route) = graph.nearest_route(from, &goals, RouteOptions::default()).ok()??;
        Some(Nearest {
            id: Some(ids[index].to_owned()),
            cost: Some(route.cost()),
            points: view.points(&route),
        })
    });
    nearest.set_if_neq(answer.unwrap_or_default());
    *asked = question;
}

fn draw(
    nav: NavQuery,
    settings: Res<Settings>,
    supplies: Res<Supplies>,
    nearest: Res<Nearest>,
    mut canvas: ResMut<Canvas>,
) {
    let Some(view) = nav.only_graph().ok().filter(|_| settings.shown == Shown::Supplies) else { return };
    for id in &supplies.0 {
        let Some(at) = view.position_of(id) else { continue };
        let (size, tint) = match nearest.id.as_deref() {
            Some(other) if other == id => (24.0, colour::NEAREST),
            _ => (18.0, colour::SUPPLIES),
        };
        canvas.waypoint(at, size, tint, height::WAYPOINTS - 0.2);
    }
    for ends in nearest.points.windows(2) {
        // A little longer, so that corners close.
        let more = (ends[1] - ends[0]).normalize_or_zero() * 1.5;
        let (from, to) = (ends[0] - more, ends[1] + more);
        let pen = |width, colour, height| Pen { width, colour, height };
        canvas.line(from, to, pen(6.0, colour::INK.with_alpha(0.85), height::WAYS_SPOKEN_OF + 0.5));
        canvas.line(from, to, pen(3.5, colour::NEAREST, height::WAYS_SPOKEN_OF + 0.6));
    }
}
