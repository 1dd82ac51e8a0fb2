//! Pictures of waypoint graphs, with a path or a range.

use super::{
    canvas::{Canvas, Colour, Point},
    ground::MAX_LISTED,
    legend::{Entry, Sign},
    lettering::Label,
    mark, palette,
};
use std::collections::{HashMap, HashSet};
use tilepath::{
    graph::Position,
    waypoint::{WaypointGraph, WaypointPath, WaypointStep, WithinSteps},
};

/// The longer side of a picture without its margins, in pixels.
const SIDE: f64 = 900.0;
/// The shortest side of a picture without its margins, in pixels.
const LEAST_SIDE: f64 = 120.0;
/// The margin around the outermost waypoints, in pixels.
const MARGIN: f64 = 62.0;
/// The largest radius of a waypoint, in pixels.
const RADIUS: f64 = 11.0;
/// The largest radius of a waypoint, as a share of the mean distance between waypoints.
const CROWDED: f64 = 0.16;
/// Half the width of an edge of speed 1, as a share of a waypoint's radius.
const WAY: f32 = 0.36;
/// The factors for the widest and the narrowest edges: fast edges are wide, slow edges narrow.
const WIDEST: f32 = 1.7;
const NARROWEST: f32 = 0.6;
/// The least radius of waypoints with names, in pixels. Waypoints with a smaller radius are
/// crowded.
const NAMED_RADIUS: f32 = 8.0;
/// Pixels per dot of the letters in names.
const LETTER_SCALE: u32 = 2;
/// The distance between dots in the background, in pixels.
const DOTS: u32 = 24;

/// A waypoint graph with everything that is drawn on it.
#[derive(Debug)]
pub(crate) struct GraphScene<'graph> {
    graph: &'graph WaypointGraph,
    path: Vec<Position>,
    /// The names of the waypoints on the path.
    on_path: HashSet<String>,
    start: Option<Position>,
    goal: Option<Position>,
    /// The number of steps to each waypoint within reach.
    range: Option<HashMap<String, u32>>,
    /// The highest number of steps, at least 1.
    farthest: u32,
    is_y_up: bool,
}

impl<'graph> GraphScene<'graph> {
    /// Makes the picture of a graph with the path between two waypoints, if there is one.
    pub(crate) fn with_path(
        graph: &'graph WaypointGraph,
        from: &str,
        to: &str,
        path: Option<&WaypointPath>,
    ) -> Self {
        let on_path = path.iter().flat_map(|path| path.ids()).cloned().collect();
        let path = path.map_or_else(Vec::new, |path| path.positions().to_vec());
        let (start, goal) = (graph.position(from), graph.position(to));
        Self { graph, path, on_path, start, goal, range: None, farthest: 1, is_y_up: false }
    }

    /// Makes the picture of a graph with all waypoints within reach of a waypoint.
    pub(crate) fn with_range(graph: &'graph WaypointGraph, from: &str, within: &[WithinSteps]) -> Self {
        let farthest = within.last().map_or(1, |last| last.steps.max(1));
        let range = within.iter().map(|within| (within.id.clone(), within.steps));
        let (start, range) = (graph.position(from), Some(range.collect()));
        let (path, on_path) = (Vec::new(), HashSet::new());
        Self { graph, path, on_path, start, goal: None, range, farthest, is_y_up: false }
    }

    /// Sets the direction of y: upwards as in a Bevy world, or downwards as on a screen.
    pub(crate) fn with_y_up(self, is_y_up: bool) -> Self {
        Self { is_y_up, ..self }
    }

    /// Draws the picture.
    pub(super) fn draw(&self) -> Canvas {
        let view = View::of(self.graph, self.is_y_up);
        let mut canvas = Canvas::new(view.width, view.height);
        draw_ground(&mut canvas);
        let ways = self.ways();
        // All rims first, so that edges cross without a rim between them.
        for (margin, is_rim) in [(view.radius * 0.16, true), (0.0, false)] {
            for way in &ways {
                let ends = [view.point(way.from.position), view.point(way.to.position)];
                let colour = if is_rim { palette::WAY_RIM } else { self.way_colour(way) };
                canvas.polyline(&ends, view.half_width(way) + margin, colour);
            }
        }
        for arrow in ways.iter().filter_map(|way| arrow(&view, way)) {
            canvas.polyline(&arrow, (view.radius * 0.16).max(1.0), palette::RIM);
        }
        let line: Vec<Point> = self.path.iter().map(|&place| view.point(place)).collect();
        let half_width = (view.radius * WAY * 0.8).max(1.5);
        canvas.polyline(&line, half_width + (view.radius * 0.14).max(0.8), palette::RIM);
        canvas.polyline(&line, half_width, palette::PATH);
        for waypoint in self.graph.waypoints() {
            let (point, radius) = (view.point(waypoint.position), view.radius * 0.72);
            canvas.disc(point, radius, palette::RIM);
            canvas.disc(point, radius * 0.78, self.waypoint_colour(waypoint.id));
        }
        for (place, colour) in [(self.start, palette::START), (self.goal, palette::GOAL)] {
            if let Some(place) = place {
                mark(&mut canvas, view.point(place), view.radius * 1.15, view.radius * 0.22, colour);
            }
        }
        if view.radius >= NAMED_RADIUS {
            self.draw_names(&mut canvas, &view);
        }
        canvas
    }

    /// Returns an entry of the legend for each colour of this picture.
    pub(super) fn legend(&self) -> Vec<Entry> {
        let view = View::of(self.graph, self.is_y_up);
        let ways = self.ways();
        let is_far = |way: &WaypointStep<'_>| self.way_colour(way) == palette::WAY_FAR;
        let mut entries = Vec::new();
        if ways.iter().any(|way| !is_far(way)) {
            entries.push(Entry::new(Sign::Line(palette::WAY, palette::WAY_RIM), "edge"));
        }
        if ways.iter().any(|way| arrow(&view, way).is_some()) {
            entries.push(Entry::new(Sign::Arrow(palette::RIM, palette::PAPER), "one-way"));
        }
        let ends = [self.start, self.goal];
        let others = || self.graph.waypoints().filter(|waypoint| !ends.contains(&Some(waypoint.position)));
        let colours: Vec<Colour> = others().map(|waypoint| self.waypoint_colour(waypoint.id)).collect();
        if colours.contains(&palette::RING) {
            entries.push(Entry::new(Sign::Mark(palette::RING), "waypoint"));
        }
        let range = self.range.iter().flat_map(|range| others().filter_map(|other| range.get(other.id)));
        let mut steps: Vec<u32> = range.copied().collect();
        steps.sort_unstable();
        steps.dedup();
        match &steps[..] {
            [first, .., last] if steps.len() > MAX_LISTED => {
                let colours = steps.iter().map(|&steps| self.range_colour(steps)).collect();
                entries.push(Entry::new(Sign::Area(colours), format!("{first} to {last} steps")));
            }
            _ => entries.extend(steps.iter().map(|&steps| {
                let noun = if steps == 1 { "step" } else { "steps" };
                Entry::new(Sign::Mark(self.range_colour(steps)), format!("{steps} {noun}"))
            })),
        }
        if colours.contains(&palette::WAY_FAR) || ways.iter().any(is_far) {
            entries.push(Entry::new(Sign::Line(palette::WAY_FAR, palette::WAY_RIM), "out of reach"));
        }
        if self.path.len() > 1 {
            entries.push(Entry::new(Sign::Line(palette::PATH, palette::RIM), "path"));
        }
        // The goal hides a start in the same place.
        if self.start.is_some() && self.start != self.goal {
            entries.push(Entry::new(Sign::Mark(palette::START), "start"));
        }
        if self.goal.is_some() {
            entries.push(Entry::new(Sign::Mark(palette::GOAL), "goal"));
        }
        entries
    }

    /// Returns the edges that are drawn.
    fn ways(&self) -> Vec<WaypointStep<'graph>> {
        self.graph.edges().filter(is_drawn).collect()
    }

    /// Returns the colour of a waypoint at this number of steps.
    fn range_colour(&self, steps: u32) -> Colour {
        palette::range(steps as f32 / self.farthest as f32)
    }

    /// Writes the name of each waypoint below it, first the names of start and goal. A name that
    /// would cover another name is left out.
    fn draw_names(&self, canvas: &mut Canvas, view: &View) {
        let mut waypoints: Vec<_> = self.graph.waypoints().collect();
        // A stable sort: the other waypoints keep their order.
        waypoints.sort_by_key(|waypoint| ![self.start, self.goal].contains(&Some(waypoint.position)));
        let mut labels: Vec<Label> = Vec::new();
        for waypoint in waypoints {
            let Point { x, y } = view.point(waypoint.position);
            let label =
                Label::below(canvas, waypoint.id, Point { x, y: y + 1.6 * view.radius }, LETTER_SCALE);
            if labels.iter().all(|other| !other.overlaps(&label)) {
                label.draw(canvas, palette::RIM, palette::PAPER);
                labels.push(label);
            }
        }
    }

    fn way_colour(&self, way: &WaypointStep<'_>) -> Colour {
        let is_within = |id: &str| self.range.as_ref().is_none_or(|range| range.contains_key(id));
        if is_within(way.from.id) && is_within(way.to.id) { palette::WAY } else { palette::WAY_FAR }
    }

    fn waypoint_colour(&self, id: &str) -> Colour {
        match &self.range {
            Some(range) => range.get(id).map_or(palette::WAY_FAR, |&steps| self.range_colour(steps)),
            None if self.on_path.contains(id) => palette::PATH,
            None => palette::RING,
        }
    }
}

/// Returns whether an edge is drawn: only one of the two edges of a two-way join is.
fn is_drawn(way: &WaypointStep<'_>) -> bool {
    !way.is_two_way || way.from.id < way.to.id
}

/// The projection from places of a graph to pixels of its picture.
struct View {
    width: u32,
    height: u32,
    /// The pixel of the graph's origin.
    origin: (f64, f64),
    /// Pixels per unit. The second is negative if y is up.
    scale: (f64, f64),
    radius: f32,
}

impl View {
    fn of(graph: &WaypointGraph, is_y_up: bool) -> Self {
        let mut places = graph.waypoints().map(|waypoint| waypoint.position);
        let first = places.next().unwrap_or_default();
        let (mut low, mut high) = (first, first);
        for place in places {
            low = Position::new(low.x.min(place.x), low.y.min(place.y));
            high = Position::new(high.x.max(place.x), high.y.max(place.y));
        }
        let (across, along) = (high.x - low.x, high.y - low.y);
        let longer = across.max(along);
        let scale = if longer > 0.0 { SIDE / longer } else { 1.0 };
        let side = |extent: f64| (extent * scale).max(LEAST_SIDE) + 2.0 * MARGIN;
        let (width, height) = (side(across), side(along));
        // The middle of the graph is the middle of the picture. Halves first, because the sum of
        // two large numbers can overflow.
        let middle = Position::new(low.x / 2.0 + high.x / 2.0, low.y / 2.0 + high.y / 2.0);
        let down = if is_y_up { -scale } else { scale };
        let origin = (width / 2.0 - middle.x * scale, height / 2.0 - middle.y * down);
        let spacing = (width * height / graph.len().max(1) as f64).sqrt();
        let radius = (spacing * CROWDED).clamp(2.0, RADIUS) as f32;
        Self { width: width as u32, height: height as u32, origin, scale: (scale, down), radius }
    }

    fn point(&self, place: Position) -> Point {
        let x = self.origin.0 + place.x * self.scale.0;
        let y = self.origin.1 + place.y * self.scale.1;
        Point { x: x as f32, y: y as f32 }
    }

    /// Returns half the width of an edge: fast edges are wide, slow edges narrow.
    fn half_width(&self, way: &WaypointStep<'_>) -> f32 {
        let width = (way.edge.speed as f32).sqrt().clamp(NARROWEST, WIDEST);
        (self.radius * WAY * width).max(1.0)
    }
}

fn draw_ground(canvas: &mut Canvas) {
    for y in 0..canvas.height() {
        for x in 0..canvas.width() {
            let is_dot = x % DOTS < 2 && y % DOTS < 2;
            canvas.set(x, y, if is_dot { palette::PAPER_DOT } else { palette::PAPER });
        }
    }
}

/// Returns the head of an arrow in the middle of a one-way edge, if there is room for it.
fn arrow(view: &View, way: &WaypointStep<'_>) -> Option<[Point; 3]> {
    let (from, to) = (view.point(way.from.position), view.point(way.to.position));
    let length = (to.x - from.x).hypot(to.y - from.y);
    if way.is_two_way || length < 4.0 * view.radius {
        return None;
    }
    let (dx, dy) = ((to.x - from.x) / length, (to.y - from.y) / length);
    let size = view.radius * 0.75;
    let tip = Point {
        x: f32::midpoint(from.x, to.x) + dx * size / 2.0,
        y: f32::midpoint(from.y, to.y) + dy * size / 2.0,
    };
    let wing = |side: f32| Point { x: tip.x - size * (dx + side * dy), y: tip.y - size * (dy - side * dx) };
    Some([wing(1.0), tip, wing(-1.0)])
}

#[cfg(test)]
mod tests {
    use super::{GraphScene, MARGIN, View};
    use tilepath::{graph::Position, waypoint::WaypointGraph};

    fn graph(places: &[(f64, f64)]) -> WaypointGraph {
        let mut graph = WaypointGraph::new();
        for (number, &place) in places.iter().enumerate() {
            graph.add(number.to_string(), place).expect("the places are in range");
        }
        graph
    }

    #[test]
    fn everything_lies_within_the_margins_whatever_the_size_of_the_graph() {
        let far = WaypointGraph::MAX_COORDINATE;
        for places in [
            &[][..],
            &[(7.0, 7.0)],
            &[(0.0, 0.0), (1e-9, 3.0)],
            &[(-far, -far), (far, far)],
            &[(5.0, 0.0), (5.0, 900.0), (5.0, 20.0)],
        ] {
            for is_y_up in [false, true] {
                let view = View::of(&graph(places), is_y_up);
                assert!(view.width <= 1024 && view.height <= 1024);
                for &(x, y) in places {
                    let point = view.point(Position::new(x, y));
                    let is_inside = |at: f32, side: u32| {
                        (MARGIN as f32 - 1.0..=side as f32 - MARGIN as f32 + 1.0).contains(&at)
                    };
                    assert!(is_inside(point.x, view.width) && is_inside(point.y, view.height), "{point:?}");
                }
            }
        }
    }

    #[test]
    fn names_are_written_below_their_waypoints_unless_these_are_crowded() {
        let draw = |names: [&str; 2], others: u32| {
            let mut graph = WaypointGraph::new();
            for (name, x) in names.into_iter().zip([0.0, 40.0]) {
                graph.add(name, (x, 0.0)).expect("the places are in range");
            }
            for number in 0..others {
                let place = (f64::from(number % 40), f64::from(number / 40 + 1));
                graph.add(number.to_string(), place).expect("the places are in range");
            }
            GraphScene::with_path(&graph, names[0], names[1], None).draw()
        };
        let (one, other) = (draw(["a", "b"], 0), draw(["a", "c"], 0));
        let width = one.width() as usize;
        let differs = |place: &usize| one.bytes()[3 * place..][..3] != other.bytes()[3 * place..][..3];
        let places: Vec<usize> = (0..width * one.height() as usize).filter(differs).collect();
        let (goal_x, goal_y) = (width - MARGIN as usize, one.height() as usize / 2);
        assert!(!places.is_empty());
        for place in places {
            let (x, y) = (place % width, place / width);
            assert!(x.abs_diff(goal_x) < 10 && y > goal_y + 11 && y < goal_y + 40, "{x}, {y}");
        }
        assert_eq!(draw(["a", "b"], 1600).bytes(), draw(["a", "c"], 1600).bytes());
    }

    #[test]
    fn y_points_down_unless_it_is_to_point_up() {
        let graph = graph(&[(0.0, 0.0), (0.0, 10.0)]);
        let rows = |is_y_up| {
            let view = View::of(&graph, is_y_up);
            [0.0, 10.0].map(|y| view.point(Position::new(0.0, y)).y)
        };
        assert!(rows(false).is_sorted() && !rows(true).is_sorted());
    }
}
