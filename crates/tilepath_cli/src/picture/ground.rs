//! The terrain of a map, drawn with shading.

use super::{
    canvas::{Canvas, Colour},
    legend::{Entry, Sign},
    palette::{self, shade},
    view::View,
};
use crate::{
    failure::Failure,
    layout::Layout,
    map_file::{Kind, MapFile},
    place::Place,
};
use tilepath::{Cell, CostTable, Grid, Movement, MovementId, PathFinder, format::LetterClasses};

/// Pixels per cell from which the edges of a cell are shaded. Smaller cells are shaded as a whole.
const DETAILED: u32 = 4;
/// Pixels per cell from which faint lines part the cells.
const RULED: u32 = 10;

/// The most costs of which the legend lists each. More are one entry, from the lowest to the
/// highest.
pub(crate) const MAX_LISTED: usize = 6;
/// The name of the letters `@` and `O` in MovingAI maps.
const OUT_OF_BOUNDS: &str = "out of bounds";

/// The terrain of a map, with a look for each class.
#[derive(Debug)]
pub(crate) struct Ground {
    // The class of a cell is the index of its look.
    grid: Grid,
    layout: Layout,
    looks: Vec<Look>,
    /// The costs of the classes; missing if the looks show costs already.
    costs: Option<CostTable>,
}

/// The look of one kind of ground.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Look {
    colour: Colour,
    relief: Relief,
    // The variation of lightness between cells.
    grain: f32,
    // The class in the file, or the cost for a movement: 0 is a wall.
    class: u16,
    // The word for the letter, if it is not plain ground.
    name: Option<&'static str>,
}

/// The height of ground, for shadows. The light comes from the upper left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relief {
    Flat,
    Tall,
    Water,
}

/// The lightness along the edges of a cell, by its neighbours.
#[derive(Clone, Copy, Debug)]
struct Edges {
    // Lightness along the upper, left, lower and right edge, and in the upper left corner; 1
    // changes nothing.
    sides: [f32; 4],
    corner: f32,
}

impl Ground {
    /// Makes the ground of a map from a file.
    ///
    /// # Errors
    /// If the text is not a map.
    pub(crate) fn of(map: &MapFile, layout: Layout) -> Result<Self, Failure> {
        let (rows, looks) = match map.kind() {
            Kind::Costs => (map.grid()?, (0..=u8::MAX).map(|class| Look::of_cost(class.into())).collect()),
            Kind::Letters { letters, .. } => {
                // Letters of one class can look different, so each letter gets its own class here.
                let numbers = LetterClasses::default();
                let numbered = (0_u8..)
                    .zip(letters.iter())
                    .fold(numbers, |numbers, (number, (letter, _))| numbers.with(letter, number));
                let looks = letters.iter().map(|(letter, class)| Look::of_letter(letter, class)).collect();
                (map.grid_with(&numbered)?, looks)
            }
        };
        let grid = layout.chart(rows);
        let refused = |error| Failure::Edit { file: map.path().to_owned(), error };
        Ok(Self { grid: grid.map_err(refused)?, layout, looks, costs: Some(CostTable::identity()) })
    }

    /// Makes the ground of a finder's map, by the costs of one of its movements.
    pub(crate) fn of_movement(finder: &PathFinder, movement: MovementId) -> Self {
        let costs =
            finder.movement(movement).or_else(|| finder.movement(MovementId::FIRST)).map(Movement::costs);
        let look = |class: u8| Look::of_cost(costs.map_or(u16::from(class), |costs| costs.multiplier(class)));
        let (grid, layout) = (finder.grid().clone(), Layout::of_grid(finder.grid()));
        Self { grid, layout, looks: (0..=u8::MAX).map(look).collect(), costs: None }
    }

    /// Replaces the ground of a cell.
    pub(crate) fn suppose(&mut self, cell: Cell, class: u8) {
        let look = Look::of_cost(class.into());
        let known = self.looks.iter().position(|&known| known == look);
        let index = known.unwrap_or(self.looks.len());
        // A map has at most 256 looks. If all are taken, the cell keeps its look.
        if let Ok(index) = u8::try_from(index)
            && self.grid.set_terrain(cell, index).is_ok()
            && known.is_none()
        {
            self.looks.push(look);
        }
    }

    /// Sets the costs of the classes in the file.
    pub(crate) fn set_costs(&mut self, costs: &CostTable) {
        if let Some(known) = &mut self.costs {
            known.clone_from(costs);
        }
    }

    /// Returns the entries of the legend: walls, costs from the lowest, then letters with a word.
    pub(crate) fn legend(&self) -> Vec<Entry> {
        let looks = (0..=u8::MAX).zip(&self.looks);
        let drawn: Vec<Look> = looks
            .clone()
            .filter(|&(index, _)| self.grid.class_count(index) > 0)
            .map(|(_, look)| *look)
            .collect();
        let mut entries = Vec::new();
        let has_walls = drawn.iter().any(|look| look.name.is_none() && look.class == 0);
        if has_walls {
            entries.push(Entry::area(palette::WALL, "wall"));
        }
        // Most maps of MovingAI have no other walls than the cells out of bounds.
        let is_wall = |look: &Look| !has_walls && look.class == 0 && look.name == Some(OUT_OF_BOUNDS);
        if drawn.iter().any(is_wall) {
            entries.push(Entry::area(palette::VOID, "wall"));
        }
        let mut ground: Vec<Look> =
            drawn.iter().copied().filter(|look| look.name.is_none() && look.class > 0).collect();
        ground.sort_by_key(|look| look.class);
        ground.dedup();
        match (&ground[..], ground.len()) {
            ([], _) => {}
            ([only], _) if only.class == 1 && self.cost(only) == 1 => {
                entries.push(Entry::area(only.colour, "open ground"));
            }
            (_, ..=MAX_LISTED) => {
                entries.extend(self.entries(&ground));
            }
            ([first, .., last], _) => {
                let colours = ground.iter().map(|look| look.colour).collect();
                let what = if self.shows_costs(&ground) { "cost" } else { "class" };
                let word = format!("{what} {} to {}", first.class, last.class);
                entries.push(Entry::new(Sign::Area(colours), word));
            }
            ([_], _) => {}
        }
        let named = drawn.iter().copied().filter(|look| look.name.is_some() && !is_wall(look));
        entries.extend(self.entries(&named.collect::<Vec<_>>()));
        let cells: usize = looks.map(|(index, _)| self.grid.class_count(index)).sum();
        if (cells as u64) < u64::from(self.layout.columns()) * u64::from(self.layout.rows()) {
            entries.push(Entry::area(palette::BLANK, "no map"));
        }
        entries
    }

    /// Returns an entry for each colour. Looks whose colours look alike share an entry.
    fn entries(&self, looks: &[Look]) -> Vec<Entry> {
        let mut colours: Vec<(Colour, Vec<String>)> = Vec::new();
        for look in looks {
            let word = self.word(look);
            match colours.iter_mut().find(|(colour, _)| palette::look_alike(*colour, look.colour)) {
                Some((_, words)) if words.contains(&word) => {}
                Some((_, words)) => words.push(word),
                None => colours.push((look.colour, vec![word])),
            }
        }
        colours.into_iter().map(|(colour, words)| Entry::area(colour, words.join(" or "))).collect()
    }

    fn cost(&self, look: &Look) -> u16 {
        let class = u8::try_from(look.class).ok();
        self.costs.as_ref().zip(class).map_or(look.class, |(costs, class)| costs.multiplier(class))
    }

    /// Returns whether each class costs its own number.
    fn shows_costs(&self, looks: &[Look]) -> bool {
        looks.iter().all(|look| self.cost(look) == look.class)
    }

    fn word(&self, look: &Look) -> String {
        let cost = self.cost(look);
        match look.name {
            Some(name) if cost == look.usual_cost() => name.to_owned(),
            Some(name) if cost == 0 => format!("{name}, closed"),
            Some(name) => format!("{name}, cost {cost}"),
            None if cost == look.class => format!("cost {cost}"),
            None if cost == 0 => format!("class {}, closed", look.class),
            None => format!("class {}, cost {cost}", look.class),
        }
    }

    /// Returns the colour of most open cells, or of open ground if there are no open cells.
    pub(crate) fn usual_colour(&self) -> Colour {
        let flat = (0..=u8::MAX).zip(&self.looks).filter(|(_, look)| look.relief == Relief::Flat);
        let most = flat.max_by_key(|&(index, _)| self.grid.class_count(index));
        most.filter(|&(index, _)| self.grid.class_count(index) > 0)
            .map_or(palette::ground(1), |(_, look)| look.colour)
    }

    /// Returns the layout of the file.
    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns the number of cells that are neither walls nor water.
    pub(crate) fn open_cells(&self) -> usize {
        let flat = (0..=u8::MAX).zip(&self.looks).filter(|(_, look)| look.relief == Relief::Flat);
        flat.map(|(class, _)| self.grid.class_count(class)).sum()
    }

    /// Draws every cell. Void cells stay blank.
    pub(crate) fn draw(&self, canvas: &mut Canvas, view: &View) {
        canvas.fill(palette::BLANK);
        for Place { column, row } in self.layout.places() {
            let Some(look) = self.look(column, row) else { continue };
            if view.is_of_squares() {
                let edges = self.edges(look, column, row);
                draw_cell(canvas, (column, row), view.scale(), look, edges);
            } else if let Some(cell) = self.layout.cell(Place { column, row }) {
                self.draw_tile(
                    canvas,
                    view,
                    look,
                    cell,
                    shade(look.colour, 1.0 + look.grain * noise(column, row)),
                );
            }
        }
    }

    /// Draws a hexagon or diamond, shaded along its sides.
    fn draw_tile(&self, canvas: &mut Canvas, view: &View, look: Look, cell: Cell, grained: Colour) {
        let lights: Vec<f32> = (view.sides().iter())
            .map(|side| {
                let other = self.look_of(cell + side.direction.offset()).unwrap_or(look);
                light(look.relief, other.relief, side.is_upper_left())
            })
            .collect();
        let scale = view.scale();
        let strip = strip(scale, look);
        view.each_pixel((canvas.width(), canvas.height()), cell, |x, y, depths| {
            let inside = depths.iter().copied().fold(f32::MAX, f32::min);
            let lit = |(&depth, &light): (&f32, &f32)| {
                let share = if scale < DETAILED { 0.8 } else { (1.0 - depth / strip).clamp(0.0, 1.0) };
                (light - 1.0) * share
            };
            let changes = depths.iter().zip(&lights).map(lit);
            let change =
                changes.fold(0.0_f32, |most, change| if change.abs() > most.abs() { change } else { most });
            let ruled = scale >= RULED && inside < 0.75 && look.relief == Relief::Flat;
            let colour = shade(grained, if ruled { (1.0 + change) * 0.9 } else { 1.0 + change });
            // Half a pixel more on each side, so that no gap shows between two cells.
            canvas.blend(x, y, colour, (inside + 1.0).clamp(0.0, 1.0));
        });
    }

    fn look_of(&self, cell: Cell) -> Option<Look> {
        self.looks.get(usize::from(self.grid.terrain(cell)?)).copied()
    }

    fn look(&self, column: u32, row: u32) -> Option<Look> {
        self.look_of(self.layout.cell(Place { column, row })?)
    }

    fn edges(&self, look: Look, column: u32, row: u32) -> Edges {
        let lit = |dx: i32, dy: i32, upper_left: bool| {
            let place = column.checked_add_signed(dx).zip(row.checked_add_signed(dy));
            // Outside the map the ground of the cell goes on.
            let other = place.and_then(|(column, row)| self.look(column, row)).unwrap_or(look);
            light(look.relief, other.relief, upper_left)
        };
        Edges {
            sides: [lit(0, -1, true), lit(-1, 0, true), lit(0, 1, false), lit(1, 0, false)],
            corner: if look.relief == Relief::Flat { lit(-1, -1, true) } else { 1.0 },
        }
    }
}

/// Returns the lightness of a cell along a side, by its neighbour there; 1 changes nothing.
fn light(here: Relief, there: Relief, upper_left: bool) -> f32 {
    match (here, there) {
        (Relief::Flat | Relief::Water, Relief::Tall) if upper_left => 0.8,
        (Relief::Tall, Relief::Flat | Relief::Water) if upper_left => 1.16,
        (Relief::Tall, Relief::Flat | Relief::Water) => 0.72,
        (Relief::Water, Relief::Flat) => 1.22,
        _ => 1.0,
    }
}

/// Returns the width of the shading along a side, in pixels.
fn strip(scale: u32, look: Look) -> f32 {
    (scale as f32 * if look.relief == Relief::Flat { 0.3 } else { 0.18 }).max(1.0)
}

impl Look {
    fn of_cost(cost: u16) -> Self {
        let (colour, relief) = match cost {
            0 => (palette::WALL, Relief::Tall),
            _ => (palette::ground(cost.try_into().unwrap_or(u8::MAX)), Relief::Flat),
        };
        Self { colour, relief, grain: 0.0, class: cost, name: None }
    }

    fn of_letter(letter: char, class: u8) -> Self {
        let (colour, relief, grain, name) = match letter {
            '@' | 'O' => (palette::VOID, Relief::Tall, 0.0, OUT_OF_BOUNDS),
            'T' => (palette::TREES, Relief::Tall, 0.12, "trees"),
            'W' => (palette::WATER, Relief::Water, 0.05, "water"),
            'S' => (palette::SWAMP, Relief::Flat, 0.06, "swamp"),
            _ => return Self::of_cost(class.into()),
        };
        let (colour, relief) = match (class, relief) {
            // Trees, water or the void, opened to units: their own hue, but as light as open
            // ground.
            (1.., Relief::Tall | Relief::Water) => {
                (shade(colour, 1.45), if letter == 'W' { relief } else { Relief::Flat })
            }
            (0, Relief::Flat) => (shade(colour, 0.55), Relief::Tall),
            _ => (shade(colour, 1.0 - 0.05 * f32::from(class.max(1)).log2()), relief),
        };
        Self { colour, relief, grain, class: class.into(), name: Some(name) }
    }

    /// Returns the default cost of ground with this word; 0 is closed.
    fn usual_cost(&self) -> u16 {
        u16::from(self.name == Some("swamp"))
    }
}

fn draw_cell(canvas: &mut Canvas, (column, row): (u32, u32), scale: u32, look: Look, edges: Edges) {
    let grained = shade(look.colour, 1.0 + look.grain * noise(column, row));
    let whole = edges.sides.iter().chain([&edges.corner]).copied();
    let strongest = whole
        .fold(1.0_f32, |most, light| if (light - 1.0).abs() > (most - 1.0).abs() { light } else { most });
    let strip = strip(scale, look);
    for y in 0..scale {
        for x in 0..scale {
            let light =
                if scale < DETAILED { 1.0 + (strongest - 1.0) * 0.8 } else { edges.at(x, y, scale, strip) };
            let ruled = scale >= RULED && (x + 1 == scale || y + 1 == scale) && look.relief == Relief::Flat;
            let colour = shade(grained, if ruled { light * 0.94 } else { light });
            canvas.set(column * scale + x, row * scale + y, colour);
        }
    }
}

impl Edges {
    /// Returns the lightness of a pixel of a cell: full at an edge, fading over a strip.
    fn at(self, x: u32, y: u32, scale: u32, strip: f32) -> f32 {
        let distances = [y, x, scale - 1 - y, scale - 1 - x].map(|distance| distance as f32);
        let fade = |distance: f32, light: f32| (light - 1.0) * (1.0 - distance / strip).max(0.0);
        let corner = fade(distances[0].max(distances[1]), self.corner);
        let sides = distances.into_iter().zip(self.sides).map(|(distance, light)| fade(distance, light));
        1.0 + sides.fold(corner, |most, change| if change.abs() > most.abs() { change } else { most })
    }
}

/// Returns a number from −1 to 1 that depends only on the place.
fn noise(column: u32, row: u32) -> f32 {
    let mut bits = column.wrapping_mul(0x9E37_79B1) ^ row.wrapping_mul(0x85EB_CA77);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x2C1B_3C6D);
    bits ^= bits >> 12;
    (bits & 0xFFFF) as f32 / 32_767.5 - 1.0
}

#[cfg(test)]
mod tests {
    use super::{Ground, Look, Relief, noise};
    use crate::{layout::Layout, map_file::MapFile, picture::palette};
    use std::path::Path;
    use tilepath::Lattice;

    #[test]
    fn letters_of_one_class_look_different() {
        let text = "type octile\nheight 1\nwidth 4\nmap\n@TW.\n".to_owned();
        let map = MapFile::new(Path::new("a.map"), text, None).unwrap();
        let ground = Ground::of(&map, Layout::new(Lattice::Square, 4, 1).unwrap()).unwrap();
        let colours: Vec<_> = (0..4).map(|column| ground.look(column, 0).unwrap().colour).collect();
        assert_eq!(colours, [palette::VOID, palette::TREES, palette::WATER, palette::ground(1)]);
    }

    #[test]
    fn closed_and_opened_letters_change_their_look() {
        assert_eq!(Look::of_letter('.', 0).relief, Relief::Tall);
        assert_eq!(Look::of_letter('S', 0).relief, Relief::Tall);
        assert_eq!(Look::of_letter('T', 1).relief, Relief::Flat);
        assert_ne!(Look::of_letter('W', 1).colour, palette::WATER);
        assert_ne!(Look::of_letter('S', 4).colour, palette::SWAMP);
        assert_eq!(Look::of_letter('x', 7), Look::of_cost(7));
    }

    #[test]
    fn noise_stays_in_range_and_varies() {
        let values: Vec<f32> = (0..1000).map(|index| noise(index, index / 7)).collect();
        assert!(values.iter().all(|value| (-1.0..=1.0).contains(value)));
        assert!(values.iter().any(|&value| value > 0.8) && values.iter().any(|&value| value < -0.8));
    }
}
