//! Maps and graphs as PNG.

mod canvas;
mod ground;
pub(crate) mod network;
mod palette;

use crate::{
    failure::Failure,
    map_file::MapFile,
    place::Place,
    question::{Question, Reply},
    supposed::SupposedCell,
};
use canvas::{Canvas, Colour, Point};
use ground::Ground;
use network::GraphScene;
use std::{
    fs::File,
    io::{self, BufWriter},
    path::Path,
};
use tilepath::{
    Bounds, Cell, MovementId, PathFinder,
    turns::{TurnCell, TurnRange},
};

/// By default the longer side of a picture has about this many pixels.
const USUAL_SIDE: u32 = 1024;
/// By default a cell has at most this many pixels.
const USUAL_CELL: u32 = 40;
/// The largest picture: as many pixels as the largest map has cells.
pub(crate) const MOST_PIXELS: u64 = tilepath::Bounds::MAX_CELLS;

/// Where the expanded cells lie far apart they are marked by dots, whose radius is this share of the mean distance, …
const DOT: f32 = 0.22;
/// … but at most this many pixels.
const LARGEST_DOT: f32 = 4.0;

/// What is drawn.
#[derive(Debug)]
pub(crate) struct Scene {
    ground: Ground,
    path: Vec<Place>,
    starts: Vec<Place>,
    goal: Option<Place>,
    /// Cells in a frame.
    marked: Vec<Place>,
    expanded: Vec<Place>,
    /// Cells with their place in a range, from 0 to 1, the start first.
    reached: Vec<(Place, f32)>,
}

impl Scene {
    /// A map alone.
    ///
    /// # Errors
    /// Where the text is not a map.
    pub(crate) fn new(map: &MapFile) -> Result<Self, Failure> {
        Ok(Self {
            ground: Ground::of(map)?,
            path: Vec::new(),
            starts: Vec::new(),
            goal: None,
            marked: Vec::new(),
            expanded: Vec::new(),
            reached: Vec::new(),
        })
    }

    /// The map with the answer to a question: start, goal, path and the expanded cells if they were wanted.
    pub(crate) fn with_reply(mut self, question: &Question<'_>, reply: &Reply) -> Self {
        let bounds = reply.finder.grid().bounds();
        self.path = reply.places();
        self.expanded = reply.expanded.iter().filter_map(|&cell| Place::of(&bounds, cell)).collect();
        self.with_ends(&[question.from], question.to)
    }

    /// The same with starts and a goal.
    pub(crate) fn with_ends(mut self, starts: &[Place], goal: Place) -> Self {
        self.starts = starts.to_vec();
        self.goal = Some(goal);
        self
    }

    /// The same with cells in a frame.
    pub(crate) fn with_marked(mut self, cells: Vec<Place>) -> Self {
        self.marked = cells;
        self
    }

    /// The map as it would be with these cells, which are framed.
    pub(crate) fn with_supposed(mut self, cells: &[SupposedCell]) -> Self {
        for supposed in cells {
            self.ground.suppose(supposed.place, supposed.class);
        }
        self.with_marked(cells.iter().map(|supposed| supposed.place).collect())
    }

    /// The map of a finder as one of its movements sees it, with the way from one cell to another as far as there is one.
    pub(crate) fn of_path(
        finder: &PathFinder,
        movement: MovementId,
        (from, to): (Cell, Cell),
        path: &[Cell],
    ) -> Self {
        let bounds = finder.grid().bounds();
        let place = |&cell: &Cell| Place::of(&bounds, cell);
        Self {
            ground: Ground::of_movement(finder, movement),
            path: path.iter().filter_map(place).collect(),
            starts: place(&from).into_iter().collect(),
            goal: place(&to),
            marked: Vec::new(),
            expanded: Vec::new(),
            reached: Vec::new(),
        }
    }

    /// The map with the cells that a unit reaches, by turns.
    pub(crate) fn with_turns(mut self, range: &TurnRange, bounds: &Bounds) -> Self {
        let last = range.cells().last().map_or(1, |reached| reached.turn);
        let share = |turn: u32| turn as f32 / last as f32;
        let place = |reached: &TurnCell| Some((Place::of(bounds, reached.cell)?, share(reached.turn)));
        self.reached = range.cells().iter().filter_map(place).collect();
        self
    }

    fn draw(&self, canvas: &mut Canvas, scale: u32) {
        self.ground.draw(canvas, scale);
        let size = scale as f32;
        let centre = |place: &Place| {
            let middle = |index: u32| (index as f32 + 0.5) * size;
            Point { x: middle(place.column), y: middle(place.row) }
        };
        self.draw_heat(canvas, scale, centre);
        for (place, share) in &self.reached {
            canvas.blend_cell(*place, scale, palette::heat(*share), palette::HEAT_OPACITY);
        }
        self.draw_marked(canvas, scale, centre);
        let line: Vec<Point> = self.path.iter().map(centre).collect();
        let width = (size * 0.26).max(2.0);
        let rim = (size * 0.08).max(1.2);
        canvas.polyline(&line, width / 2.0 + rim, palette::RIM);
        let colour = if self.expanded.is_empty() { palette::PATH } else { palette::PATH_ON_HEAT };
        canvas.polyline(&line, width / 2.0, colour);
        let radius = (size * 0.36).max(5.0);
        for place in self.starts.iter().chain(self.reached.first().map(|(start, _)| start)) {
            mark(canvas, centre(place), radius, rim, palette::START);
        }
        if let Some(place) = &self.goal {
            mark(canvas, centre(place), radius, rim, palette::GOAL);
        }
    }

    fn draw_marked(&self, canvas: &mut Canvas, scale: u32, centre: impl Fn(&Place) -> Point) {
        let size = scale as f32;
        let width = (size * 0.14).max(1.0);
        for place in &self.marked {
            canvas.blend_cell(*place, scale, palette::MARKED, palette::MARKED_OPACITY);
            let (Point { x, y }, reach) = (centre(place), (size - width) / 2.0);
            let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)];
            let frame = corners.map(|(right, down)| Point { x: x + right * reach, y: y + down * reach });
            canvas.polyline(&frame, width / 2.0, palette::MARKED);
        }
    }

    fn draw_heat(&self, canvas: &mut Canvas, scale: u32, centre: impl Fn(&Place) -> Point) {
        let count = self.expanded.len().max(1) as f32;
        let spacing = (self.ground.open_cells() as f32 / count).sqrt() * scale as f32;
        let radius = (spacing * DOT).min(LARGEST_DOT);
        for (order, place) in self.expanded.iter().enumerate() {
            let heat = palette::heat(order as f32 / count);
            canvas.blend_cell(*place, scale, heat, palette::HEAT_OPACITY);
            // Single cells of a search that jumps are hard to see on a large map.
            if radius > scale as f32 {
                canvas.disc(centre(place), radius + 1.0, palette::RING);
                canvas.disc(centre(place), radius, heat);
            }
        }
    }
}

/// A disc of the colour in a light ring with a dark rim, readable on any ground.
fn mark(canvas: &mut Canvas, centre: Point, radius: f32, rim: f32, colour: Colour) {
    canvas.disc(centre, radius + rim, palette::RIM);
    canvas.disc(centre, radius, palette::RING);
    canvas.disc(centre, radius * 0.68, colour);
}

/// Draws the scene into a file.
///
/// # Errors
/// Where the picture would be too large or the file cannot be written.
pub(crate) fn write(scene: &Scene, scale: Option<u32>, file: &Path) -> Result<(), Failure> {
    let (columns, rows) = scene.ground.size();
    let longer = columns.max(rows).max(1);
    let scale = scale.unwrap_or_else(|| ((USUAL_SIDE + longer / 2) / longer).clamp(1, USUAL_CELL));
    let (width, height) = (u64::from(columns) * u64::from(scale), u64::from(rows) * u64::from(scale));
    if width * height == 0 || width * height > MOST_PIXELS {
        return Err(Failure::PictureSize { file: file.to_owned(), width, height });
    }
    let mut canvas = Canvas::new(width as u32, height as u32);
    scene.draw(&mut canvas, scale);
    encode(&canvas, file).map_err(|error| Failure::Write { file: file.to_owned(), error })
}

/// Draws a graph into a file.
///
/// # Errors
/// Where the file cannot be written.
pub(crate) fn write_graph(scene: &GraphScene<'_>, file: &Path) -> Result<(), Failure> {
    encode(&scene.draw(), file).map_err(|error| Failure::Write { file: file.to_owned(), error })
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
