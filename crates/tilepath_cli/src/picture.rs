//! Pictures of maps and graphs as PNG.

mod canvas;
mod ground;
mod legend;
mod lettering;
pub(crate) mod network;
mod palette;
mod scene_legend;
mod view;

use crate::{
    board::Board,
    failure::Failure,
    layout::Layout,
    map_file::MapFile,
    place::Place,
    printed::printed,
    question::{Question, Reply},
    supposed::SupposedCell,
};
use canvas::{Canvas, Colour, Point};
use ground::Ground;
use legend::{Entry, Legend};
use network::GraphScene;
use std::{
    collections::HashMap,
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};
use tilepath::{Cell, Direction, Exits, Grid, Movement, MovementId, PathFinder, Size, turns::TurnRange};
use view::{Side, View};

/// The default length of a picture's longer side, about, in pixels.
const USUAL_SIDE: u32 = 1024;
/// The most pixels of a cell's side by default.
const USUAL_CELL: u32 = 40;
/// The longest side of a picture without `--scale`, in pixels. Larger pictures are shrunk, because
/// many programs cannot show them.
const LONGEST_SIDE: u32 = 4096;
/// The most pixels of a picture: as many as the largest map has cells.
pub(crate) const MOST_PIXELS: u64 = tilepath::Bounds::MAX_CELLS;

/// Pixels per cell below which a frame is too small to see.
const SMALL_CELL: f32 = 10.0;
/// The radius of the dots on expanded cells that lie far apart, as a share of their mean distance.
const DOT: f32 = 0.22;
/// The largest radius of these dots, in pixels.
const LARGEST_DOT: f32 = 4.0;

/// A map with everything that is drawn on it.
#[derive(Debug)]
pub(crate) struct Scene {
    ground: Ground,
    /// The size of the unit.
    size: Size,
    path: Vec<Cell>,
    starts: Vec<Cell>,
    goal: Option<Cell>,
    /// The cells with a frame.
    marked: Vec<Marked>,
    expanded: Vec<Cell>,
    /// The cells that a unit reaches, each with its turn. The start is the first.
    reached: Vec<(Cell, u32)>,
    /// The cells that a unit does not see.
    unseen: Vec<Cell>,
    /// The cells with overlays, each with the sum of its overlays.
    overlaid: Vec<(Cell, u32)>,
    /// The cells that a unit cannot leave in all directions, each with its open directions.
    exits: Vec<(Cell, Exits)>,
}

impl Scene {
    /// Makes the picture of a map alone.
    ///
    /// # Errors
    /// If the text is not a map.
    pub(crate) fn new(map: &MapFile, layout: Layout) -> Result<Self, Failure> {
        Ok(Self::of_ground(Ground::of(map, layout)?))
    }

    fn of_ground(ground: Ground) -> Self {
        Self {
            ground,
            size: Size::ONE,
            path: Vec::new(),
            starts: Vec::new(),
            goal: None,
            marked: Vec::new(),
            expanded: Vec::new(),
            reached: Vec::new(),
            unseen: Vec::new(),
            overlaid: Vec::new(),
            exits: Vec::new(),
        }
    }

    /// Adds the movement of the unit: its size, its costs and overlays, and the closed edges of the
    /// map.
    pub(crate) fn with_unit(mut self, grid: &Grid, movement: &Movement) -> Self {
        self.size = movement.size();
        let is_open =
            |cell: Cell| grid.terrain(cell).is_some_and(|class| movement.costs().is_passable(class));
        self.ground.set_costs(movement.costs());
        self.overlaid = Board::overlaid(grid, movement.overlays());
        self.overlaid.retain(|&(cell, _)| is_open(cell));
        let exits = grid.bounds().cells().filter_map(|cell| Some((cell, grid.exits(cell)?)));
        self.exits = exits.filter(|&(_, exits)| exits != Exits::ALL).collect();
        self
    }

    /// Adds the answer to a query: the start, the goal and the path. A traced search adds its
    /// expanded cells.
    pub(crate) fn with_reply(mut self, question: &Question<'_>, reply: &Reply) -> Self {
        self.path = reply.cells().to_vec();
        self.expanded.clone_from(&reply.expanded);
        self.with_ends(&[question.from], question.to)
    }

    /// Adds the starts and the goal.
    pub(crate) fn with_ends(mut self, starts: &[Place], goal: Place) -> Self {
        self.starts = self.cells(starts);
        self.goal = self.ground.layout().cell(goal);
        self
    }

    /// Adds frames around cells, with the legend's word for them.
    pub(crate) fn with_marked(mut self, places: &[Place], word: &'static str) -> Self {
        self.marked.push(Marked { cells: self.cells(places), word, colour: palette::MARKED });
        self
    }

    /// Adds frames around closed cells that open a path.
    pub(crate) fn with_openings(mut self, cells: Vec<Cell>) -> Self {
        let word = if cells.len() == 1 { "opens a path" } else { "open a path together" };
        // A changed cell keeps its own frame.
        self.marked.insert(0, Marked { cells, word, colour: palette::OPENING });
        self
    }

    fn cells(&self, places: &[Place]) -> Vec<Cell> {
        let layout = self.ground.layout();
        places.iter().filter_map(|&place| layout.cell(place)).collect()
    }

    /// Changes the terrain of cells, and frames them.
    pub(crate) fn with_supposed(mut self, cells: &[SupposedCell]) -> Self {
        let places: Vec<Place> = cells.iter().map(|supposed| supposed.place).collect();
        for (cell, supposed) in self.cells(&places).into_iter().zip(cells) {
            self.ground.suppose(cell, supposed.class);
        }
        self.with_marked(&places, "changed")
    }

    /// Makes the picture of a finder's map for one of its movements, with the two ends of a path
    /// and its cells, if any.
    pub(crate) fn of_path(
        finder: &PathFinder,
        movement: MovementId,
        (from, to): (Cell, Cell),
        path: &[Cell],
    ) -> Self {
        let grid = finder.grid();
        let mut scene = Self::of_ground(Ground::of_movement(finder, movement));
        if let Some(movement) = finder.movement(movement).or_else(|| finder.movement(MovementId::FIRST)) {
            scene = scene.with_unit(grid, movement);
        }
        let is_drawn = |&cell: &Cell| grid.bounds().contains(cell);
        scene.path = path.to_vec();
        scene.starts = Some(from).filter(is_drawn).into_iter().collect();
        scene.goal = Some(to).filter(is_drawn);
        scene
    }

    /// Adds the cells that a unit reaches, with their turns.
    pub(crate) fn with_turns(mut self, range: &TurnRange) -> Self {
        self.reached = range.cells().iter().map(|reached| (reached.cell, reached.turn)).collect();
        self
    }

    /// Adds the place of a unit, and darkens the cells that it does not see.
    pub(crate) fn with_unseen(mut self, from: Place, unseen: Vec<Cell>) -> Self {
        self.starts = self.cells(&[from]);
        self.unseen = unseen;
        self
    }

    /// The colour of a turn.
    fn turn_colour(&self, turn: u32) -> Colour {
        let last = self.reached.last().map_or(1, |&(_, last)| last);
        palette::heat(turn as f32 / last as f32)
    }

    /// Returns the start cells, including the start of a range.
    fn all_starts(&self) -> Vec<Cell> {
        let of_range = self.reached.first().map(|(start, _)| start);
        self.starts.iter().chain(of_range).copied().collect()
    }

    /// The colour of the path.
    fn path_colour(&self) -> Colour {
        if self.expanded.is_empty() { palette::PATH } else { palette::PATH_ON_HEAT }
    }

    fn draw(&self, canvas: &mut Canvas, view: &View) {
        self.ground.draw(canvas, view);
        let size = view.scale() as f32;
        self.draw_overlays(canvas, view);
        self.draw_heat(canvas, view);
        for &(cell, turn) in &self.reached {
            view.blend(canvas, cell, self.turn_colour(turn), palette::HEAT_OPACITY);
        }
        for &cell in &self.unseen {
            view.blend(canvas, cell, palette::UNSEEN, palette::UNSEEN_OPACITY);
        }
        for Marked { cells, colour, .. } in &self.marked {
            for &cell in cells {
                frame(canvas, view, &[cell], *colour, palette::MARKED_OPACITY);
            }
        }
        self.draw_exits(canvas, view);
        let starts = self.all_starts();
        if self.size > Size::ONE {
            let covered = |anchor: Cell| self.size.footprint(anchor).collect::<Vec<_>>();
            let end = self.path.last().copied().filter(|&end| Some(end) != self.goal);
            let ends = [(end, palette::PATH), (self.goal, palette::GOAL)];
            let ends = ends.into_iter().filter_map(|(cell, colour)| Some((cell?, colour)));
            for (cell, colour) in ends.chain(starts.iter().map(|&start| (start, palette::START))) {
                frame(canvas, view, &covered(cell), colour, palette::COVERED_OPACITY);
            }
        }
        let centre = |&anchor: &Cell| view.unit_centre(self.size, anchor);
        let line: Vec<Point> = self.path.iter().map(centre).collect();
        let width = view.at_least(size * 0.26, 2.0);
        let rim = view.at_least(size * 0.08, 1.2);
        canvas.polyline(&line, width / 2.0 + rim, palette::RIM);
        canvas.polyline(&line, width / 2.0, self.path_colour());
        // Diamonds have less room inside.
        let room = view.sides().iter().map(Side::room).fold(size / 2.0, f32::min) / (size / 2.0);
        let radius = view.at_least(size * 0.36 * room, 5.0);
        if size < SMALL_CELL {
            for Marked { cells, colour, .. } in self.marked.iter().filter(|marked| marked.is_opening()) {
                for &cell in cells {
                    canvas.disc(view.centre(cell), radius * 1.6, *colour);
                }
            }
        }
        for cell in &starts {
            mark(canvas, centre(cell), radius, rim, palette::START);
        }
        if let Some(cell) = &self.goal {
            mark(canvas, centre(cell), radius, rim, palette::GOAL);
        }
    }

    fn draw_overlays(&self, canvas: &mut Canvas, view: &View) {
        let highest = self.overlaid.iter().map(|&(_, value)| value).max().unwrap_or(1);
        for &(cell, value) in &self.overlaid {
            view.blend(canvas, cell, palette::OVERLAY, overlay_opacity(value, highest));
        }
    }

    /// Returns the edges between cells of the map that are closed in at least one direction.
    fn closed_edges(&self) -> Vec<ClosedEdge> {
        let layout = self.ground.layout();
        let closed: HashMap<Cell, Exits> = self.exits.iter().copied().collect();
        let may_leave = |cell: Cell, direction: Direction| {
            closed.get(&cell).is_none_or(|exits| exits.contains(direction))
        };
        let mut edges = Vec::new();
        for &(cell, exits) in &self.exits {
            for &direction in layout.sides().iter().filter(|&&direction| !exits.contains(direction)) {
                let there = cell + direction.offset();
                if layout.place(there).is_some() {
                    let is_one_way = may_leave(there, direction.opposite());
                    edges.push(ClosedEdge { cell, direction, is_one_way });
                }
            }
        }
        edges
    }

    /// Draws a bar on each edge that is closed in both directions, and an arrow on each edge that
    /// is closed in one.
    fn draw_exits(&self, canvas: &mut Canvas, view: &View) {
        let size = view.scale() as f32;
        let width = view.at_least(size * 0.1, 1.0);
        for ClosedEdge { cell, direction, is_one_way } in self.closed_edges() {
            let Some(side) = view.sides().iter().find(|side| side.direction == direction) else { continue };
            if is_one_way {
                let arrow = view.arrow(cell, side, false, size * 0.3);
                canvas.polyline(&arrow, width / 2.0 + view.at_least(0.0, 1.0), palette::RING);
                canvas.polyline(&arrow, width / 2.0, palette::EDGE);
            } else {
                canvas.polyline(&view.ends(cell, side), width / 2.0, palette::EDGE);
            }
        }
    }

    fn draw_heat(&self, canvas: &mut Canvas, view: &View) {
        let count = self.expanded.len().max(1) as f32;
        let spacing = (self.ground.open_cells() as f32 / count).sqrt() * view.scale() as f32;
        let radius = (spacing * DOT).min(view.at_least(0.0, LARGEST_DOT));
        for (order, &cell) in self.expanded.iter().enumerate() {
            let heat = palette::heat(order as f32 / count);
            view.blend(canvas, cell, heat, palette::HEAT_OPACITY);
            // Without a dot, single cells of a jump point search are hard to see on a large map.
            if radius > view.scale() as f32 {
                canvas.disc(view.centre(cell), radius + view.at_least(0.0, 1.0), palette::RING);
                canvas.disc(view.centre(cell), radius, heat);
            }
        }
    }
}

/// Cells with a frame.
#[derive(Debug)]
struct Marked {
    cells: Vec<Cell>,
    /// The word in the legend.
    word: &'static str,
    colour: Colour,
}

impl Marked {
    fn is_opening(&self) -> bool {
        self.colour == palette::OPENING
    }
}

/// An edge that a unit cannot cross from its cell in its direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct ClosedEdge {
    cell: Cell,
    direction: Direction,
    /// True if the edge can be crossed in the opposite direction.
    is_one_way: bool,
}

/// Returns the opacity of a value of an overlay, by the highest value of the map.
fn overlay_opacity(value: u32, highest: u32) -> f32 {
    let [least, most] = palette::OVERLAY_OPACITY;
    least + (most - least) * value as f32 / highest.max(1) as f32
}

/// Draws a frame around cells that lie together, and tints them with its colour.
fn frame(canvas: &mut Canvas, view: &View, cells: &[Cell], colour: Colour, opacity: f32) {
    let width = view.at_least(view.scale() as f32 * 0.14, 1.0);
    for &cell in cells {
        view.blend(canvas, cell, colour, opacity);
    }
    for &cell in cells {
        let is_outer = |side: &Side| !cells.contains(&(cell + side.direction.offset()));
        let outer: Vec<bool> = view.sides().iter().map(is_outer).collect();
        view.each_pixel((canvas.width(), canvas.height()), cell, |x, y, depths| {
            let inside = depths.iter().copied().fold(f32::MAX, f32::min);
            let from_frame = depths.iter().zip(&outer).filter(|(_, outer)| **outer).map(|(depth, _)| *depth);
            let coverage = (inside + 0.5).min(width + 0.5 - from_frame.fold(f32::MAX, f32::min));
            canvas.blend(x, y, colour, coverage.clamp(0.0, 1.0));
        });
    }
}

/// Draws a disc in a light ring with a dark rim, readable on any ground.
fn mark(canvas: &mut Canvas, centre: Point, radius: f32, rim: f32, colour: Colour) {
    canvas.disc(centre, radius + rim, palette::RIM);
    canvas.disc(centre, radius, palette::RING);
    canvas.disc(centre, radius * 0.68, colour);
}

/// Draws the scene into a file, and prints the file and the size of its picture on standard error.
///
/// # Errors
/// If the picture would be too large or the file cannot be written.
pub(crate) fn write(scene: &Scene, scale: Option<u32>, file: &Path) -> Result<(), Failure> {
    let written = write_silently(scene, scale, file)?;
    written.print(file);
    Ok(())
}

/// Draws the scene into a file.
///
/// # Errors
/// As [`write`].
pub(crate) fn write_silently(scene: &Scene, scale: Option<u32>, file: &Path) -> Result<Written, Failure> {
    let layout = scene.ground.layout();
    // In half cells, because rows and columns are shifted by half a cell.
    let (across, down) = View::new(layout, 2).size();
    let longer = u32::try_from(across.max(down).div_ceil(2)).unwrap_or(u32::MAX).max(1);
    let usual = (USUAL_SIDE.saturating_add(longer / 2) / longer).clamp(1, USUAL_CELL);
    let view = View::new(layout, scale.unwrap_or(usual));
    let (width, height) = view.size();
    if width * height == 0 || width * height > MOST_PIXELS {
        return Err(Failure::PictureSize { file: file.to_owned(), width, height });
    }
    let entries = scene.legend();
    let (width, height) = (width as u32, height as u32);
    let shrunk_by = if scale.is_some() { 1 } else { factor((width, height), &entries) };
    let mut canvas = Canvas::new(width, height);
    scene.draw(&mut canvas, &view.with_pen(shrunk_by));
    if shrunk_by > 1 {
        canvas = canvas.shrunk(shrunk_by);
    }
    add_legend(&mut canvas, &entries, palette::BLANK);
    encode(&canvas, file).map_err(|error| Failure::Write { file: file.to_owned(), error })?;
    Ok(Written { width: canvas.width(), height: canvas.height(), shrunk_by })
}

/// Returns by how much a picture is shrunk so that, with its legend, no side is longer than
/// [`LONGEST_SIDE`].
fn factor((width, height): (u32, u32), entries: &[Entry]) -> u32 {
    let fits = |&factor: &u32| {
        let picture = (width.div_ceil(factor), height.div_ceil(factor));
        let (width, height) = Legend::new(entries, picture, palette::BLANK).size();
        width.max(height) <= LONGEST_SIDE
    };
    let least = width.max(height).div_ceil(LONGEST_SIDE);
    (least..=2 * least).find(fits).unwrap_or(least)
}

/// A picture in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    width: u32,
    height: u32,
    /// The number of cells across a pixel, if there is more than one.
    shrunk_by: u32,
}

impl Written {
    /// Prints the file and the size of its picture on standard error.
    fn print(self, file: &Path) {
        let Self { width, height, shrunk_by } = self;
        let shrunk = match shrunk_by {
            1 => String::new(),
            by => format!("; a pixel is {by} × {by} cells, with --scale 1 one cell"),
        };
        let name = printed(&file.display().to_string());
        // If standard error is closed, only the exit code is left.
        let _ = writeln!(io::stderr(), "wrote {name}: {width} × {height} pixels{shrunk}");
    }
}

/// Draws a graph into a file, and prints the file and the size of its picture on standard error.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write_graph(scene: &GraphScene<'_>, file: &Path) -> Result<(), Failure> {
    let mut canvas = scene.draw();
    add_legend(&mut canvas, &scene.legend(), palette::PAPER);
    encode(&canvas, file).map_err(|error| Failure::Write { file: file.to_owned(), error })?;
    Written { width: canvas.width(), height: canvas.height(), shrunk_by: 1 }.print(file);
    Ok(())
}

/// Adds the legend below a picture, unless the picture would be too large with it.
fn add_legend(canvas: &mut Canvas, entries: &[Entry], paper: Colour) {
    let legend = Legend::new(entries, (canvas.width(), canvas.height()), paper);
    let (width, height) = legend.size();
    if u64::from(width) * u64::from(height) <= MOST_PIXELS {
        legend.add_to(canvas);
    }
}

fn encode(canvas: &Canvas, file: &Path) -> io::Result<()> {
    let output = BufWriter::new(File::create(file)?);
    let mut encoder = png::Encoder::new(output, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(canvas.bytes())?;
    writer.finish()?;
    Ok(())
}
