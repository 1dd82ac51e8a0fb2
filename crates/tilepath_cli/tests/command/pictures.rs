use crate::{Workshop, asset, golden, moving_ai};
use std::{fs::File, io::BufReader, path::Path};

const WALL: [u8; 3] = [58, 61, 74];
const ROAD: [u8; 3] = [235, 225, 198];
const GRASS: [u8; 3] = [193, 207, 146];
const PATH: [u8; 3] = [214, 40, 57];
const START: [u8; 3] = [34, 139, 74];

/// A decoded picture.
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    bytes: Vec<u8>,
}

impl Picture {
    pub(crate) fn read(file: &Path) -> Self {
        let mut reader = png::Decoder::new(BufReader::new(File::open(file).unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        Self { width: info.width, height: info.height, bytes }
    }

    pub(crate) fn at(&self, x: u32, y: u32) -> [u8; 3] {
        let at = (y as usize * self.width as usize + x as usize) * 3;
        self.bytes[at..at + 3].try_into().unwrap()
    }

    /// Asserts the size of the map, below which the legend begins.
    #[track_caller]
    pub(crate) fn assert_map(&self, width: u32, height: u32) {
        assert!(self.width >= width && self.height > height, "{} × {}", self.width, self.height);
        let paper = self.at(0, self.height - 1);
        assert!((height..self.height).all(|y| self.at(0, y) == paper), "the legend has a margin");
        assert!((0..height).any(|y| self.at(width - 1, y) != paper), "the map is {width} wide");
        assert!((0..width).any(|x| self.at(x, height - 1) != paper), "the map is {height} high");
        let beside = (0..height).flat_map(|y| (width..self.width).map(move |x| (x, y)));
        assert!(beside.into_iter().all(|(x, y)| self.at(x, y) == paper), "nothing lies beside the map");
    }

    /// Returns whether the legend below a map of this height shows a colour.
    pub(crate) fn lists(&self, height: u32, colour: [u8; 3]) -> bool {
        (height..self.height).any(|y| (0..self.width).any(|x| self.at(x, y) == colour))
    }

    /// Returns the colour in the middle of a cell. Rows count from the top.
    fn cell(&self, column: u32, row: u32, scale: u32) -> [u8; 3] {
        self.at(column * scale + scale / 2, row * scale + scale / 2)
    }
}

#[test]
fn terrain_is_shaded_by_cost() {
    let workshop = Workshop::new();
    workshop.file("golden.txt", golden());
    let run = workshop.run(&["render", "golden.txt", "--png", "golden.png", "--scale", "12"]);
    assert_eq!((run.code, run.output.as_str()), (0, ""));
    let picture = Picture::read(&workshop.path("golden.png"));
    picture.assert_map(15 * 12, 12 * 12);
    assert_eq!(picture.cell(10, 0, 12), ROAD);
    assert_eq!(picture.cell(10, 11, 12), ROAD);
    assert_eq!(picture.cell(0, 0, 12), GRASS);
    assert_eq!(picture.cell(5, 6, 12), WALL);
    assert_eq!(picture.cell(5, 5, 12), GRASS, "rows are drawn from the top");
    let shadow = picture.at(5 * 12 + 6, 7 * 12);
    assert!(shadow.iter().zip(GRASS).all(|(&dark, light)| dark < light), "a wall casts a shadow: {shadow:?}");
}

#[test]
fn path_start_and_goal_are_drawn() {
    let workshop = Workshop::new();
    workshop.file("open.txt", "1 1 1 1 1\n1 1 1 1 1\n");
    for arguments in [
        &["render", "open.txt", "--png", "open.png", "--scale", "20", "--from", "0,1", "--to", "4,1"][..],
        &[
            "solve", "open.txt", "--png", "open.png", "--scale", "20", "--from", "0,1", "--to", "4,1",
            "--json",
        ],
    ] {
        assert_eq!(workshop.run(arguments).code, 0);
        let picture = Picture::read(&workshop.path("open.png"));
        assert_eq!(picture.cell(0, 1, 20), START);
        assert_eq!(picture.cell(2, 1, 20), PATH);
        assert_eq!(picture.cell(4, 1, 20), PATH, "the goal has the colour of the path");
        assert_eq!(picture.cell(2, 0, 20), ROAD);
        std::fs::remove_file(workshop.path("open.png")).unwrap();
    }
}

#[test]
fn heat_colours_what_was_expanded_and_nothing_else() {
    let workshop = Workshop::new();
    workshop.file("pocket.txt", "1 1 1 1 1\n1 0 0 0 1\n1 1 1 0 1\n1 0 0 0 1\n1 1 1 1 1\n");
    let draw = |heat: &[&str]| {
        let arguments = [
            "solve",
            "pocket.txt",
            "--from",
            "2,2",
            "--to",
            "1,2",
            "--algorithm",
            "dijkstra",
            "--png",
            "pocket.png",
            "--scale",
            "16",
        ];
        assert_eq!(workshop.run(&[&arguments[..], heat].concat()).code, 0);
        Picture::read(&workshop.path("pocket.png"))
    };
    let (cold, hot) = (draw(&[]), draw(&["--heat"]));
    assert_eq!(cold.cell(4, 4, 16), hot.cell(4, 4, 16), "the far corner is not expanded");
    assert_ne!(cold.at(2 * 16 + 1, 2 * 16 + 14), hot.at(2 * 16 + 1, 2 * 16 + 14), "the start is");
}

#[test]
fn letters_look_different_though_all_are_closed() {
    let workshop = Workshop::new();
    workshop.file("letters.map", moving_ai(&["@@@TTTWWW...SSS", "@@@TTTWWW...SSS", "@@@TTTWWW...SSS"]));
    assert_eq!(workshop.run(&["render", "letters.map", "--png", "letters.png"]).code, 0);
    let picture = Picture::read(&workshop.path("letters.png"));
    picture.assert_map(15 * 40, 3 * 40);
    let mut colours: Vec<_> = [1, 4, 7, 10, 13].map(|column| picture.cell(column, 1, 40)).to_vec();
    colours.sort_unstable();
    colours.dedup();
    assert_eq!(colours.len(), 5);
}

#[test]
fn map_is_drawn_even_without_a_path() {
    let workshop = Workshop::new();
    workshop.file("walls.txt", "1 0 1\n");
    let run = workshop.run(&["render", "walls.txt", "--png", "walls.png", "--from", "0,0", "--to", "2,0"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert_eq!(Picture::read(&workshop.path("walls.png")).cell(0, 0, 40), START);
}

#[test]
fn large_map_is_drawn_with_a_pixel_a_cell() {
    let workshop = Workshop::new();
    let row = ".".repeat(1_700);
    workshop.file("large.map", moving_ai(&[&row, &row, &row]));
    let from_to = ["--from", "0,0", "--to", "1699,2"];
    assert_eq!(
        workshop.run(&[&["render", "large.map", "--png", "large.png"], &from_to[..]].concat()).code,
        0
    );
    let picture = Picture::read(&workshop.path("large.png"));
    picture.assert_map(1_700, 3);
}

#[test]
fn legend_lists_the_colours_of_its_picture() {
    const DEAR: [u8; 3] = [152, 179, 112];
    let workshop = Workshop::new();
    workshop.file("room.txt", "1 2 1\n0 0 1\n1 1 1\n");
    let draw = |map: &str, more: &[&str]| {
        let arguments = ["render", map, "--png", "room.png", "--scale", "40"];
        assert_eq!(workshop.run(&[&arguments[..], more].concat()).code, 0);
        Picture::read(&workshop.path("room.png"))
    };
    let listed =
        |picture: &Picture| [WALL, ROAD, GRASS, DEAR, START, PATH].map(|colour| picture.lists(120, colour));
    let plain = draw("room.txt", &[]);
    assert_eq!(listed(&plain), [true, true, true, false, false, false]);
    let solved = draw("room.txt", &["--from", "0,0", "--to", "0,2"]);
    assert_eq!(listed(&solved), [true, true, true, false, true, true]);
    workshop.file("dear.txt", "4 4 4\n4 4 4\n4 4 4\n");
    assert_eq!(listed(&draw("dear.txt", &[])), [false, false, false, true, false, false]);
}

#[test]
fn legend_of_a_tiny_picture_is_wider_than_its_map() {
    let workshop = Workshop::new();
    workshop.file("tiny.txt", "1 0\n");
    for (scale, map) in [("1", 1), ("40", 40)] {
        assert_eq!(workshop.run(&["render", "tiny.txt", "--png", "tiny.png", "--scale", scale]).code, 0);
        let picture = Picture::read(&workshop.path("tiny.png"));
        picture.assert_map(2 * map, map);
        assert!(picture.width > 2 * map, "{}", picture.width);
        assert!(picture.lists(map, WALL) && picture.lists(map, ROAD));
    }
}

#[test]
fn run_names_each_picture_that_it_has_written() {
    let workshop = Workshop::new();
    workshop.file("room.txt", "1 2 1\n0 0 1\n1 1 1\n");
    let graph = asset("waypoints/tutorial.xml");
    for arguments in [
        &["render", "room.txt"][..],
        &["render", "room.txt", "--scale", "7"],
        &["solve", "room.txt", "--from", "0,0", "--to", "0,2"],
        &["solve", "room.txt", "--from", "0,0", "--to", "0,2", "--json"],
        &["solve", "room.txt", "--from", "0,0", "--to", "0,1"],
        &["forbidden", "room.txt", "--from", "0,0", "--to", "0,2"],
        &["range", "room.txt", "--from", "0,0", "--points", "20"],
        &["graph", &graph, "--from", "n1", "--to", "n5"],
        &["graph", &graph, "--from", "n1", "--within", "2"],
    ] {
        let run = workshop.run(&[arguments, &["--png", "a.png"]].concat());
        let Picture { width, height, .. } = Picture::read(&workshop.path("a.png"));
        assert_eq!(run.errors, format!("wrote a.png: {width} × {height} pixels\n"), "{arguments:?}");
        assert_eq!(run.output, workshop.run(arguments).output, "{arguments:?}");
    }
    let recording = asset("recordings/soldier.ron");
    let run = workshop.run(&["replay", &recording, "--png", "answers"]);
    let count = std::fs::read_dir(workshop.path("answers")).unwrap().count();
    let noun = if count == 1 { "picture" } else { "pictures" };
    assert_eq!(run.errors, format!("wrote {count} {noun} into answers\n"));
    let run = workshop.run(&["render", "room.txt", "--png", "no/folder.png"]);
    assert!(!run.errors.contains("wrote"), "{run:?}");
}

#[test]
fn picture_of_a_large_map_is_shrunk_and_says_so() {
    let workshop = Workshop::new();
    for (columns, rows, factor) in [(4_096, 4, 1), (9_000, 4, 3), (8, 4_090, 2)] {
        let row: String = (0..columns).map(|column| if column % 2 == 0 { '.' } else { '@' }).collect();
        workshop.file("large.map", moving_ai(&vec![row.as_str(); rows]));
        let run = workshop.run(&["render", "large.map", "--png", "large.png"]);
        let picture = Picture::read(&workshop.path("large.png"));
        assert!(picture.width <= 4_096 && picture.height <= 4_096, "{}", run.errors);
        picture.assert_map((columns as u32).div_ceil(factor), (rows as u32).div_ceil(factor));
        let shrunk = format!("; a pixel is {factor} × {factor} cells, with --scale 1 one cell\n");
        assert_eq!(run.errors.ends_with(&shrunk), factor > 1, "{}", run.errors);
        assert_eq!(picture.at(0, 0) == ROAD, factor == 1, "the colour of several cells is mixed");
    }
    workshop.run(&["render", "large.map", "--png", "large.png", "--scale", "1"]);
    Picture::read(&workshop.path("large.png")).assert_map(8, 4_090);
}

#[test]
fn path_is_visible_in_a_shrunk_picture() {
    let workshop = Workshop::new();
    let row = ".".repeat(9_000);
    workshop.file("large.map", moving_ai(&vec![row.as_str(); 90]));
    let arguments = ["render", "large.map", "--png", "large.png", "--from", "0,45", "--to", "8999,45"];
    assert_eq!(workshop.run(&arguments).code, 0);
    let picture = Picture::read(&workshop.path("large.png"));
    picture.assert_map(3_000, 30);
    assert_eq!((picture.at(1_500, 15), picture.at(1_500, 3)), (PATH, ROAD));
}

#[test]
fn closed_cells_that_open_a_path_are_marked() {
    const OPENING: [u8; 3] = [0, 172, 193];
    let workshop = Workshop::new();
    workshop.file("rooms.txt", "1 0 1 1\n1 0 0 1\n1 0 0 1\n");
    workshop.file("thick.txt", "1 0 0 1\n");
    workshop.file("open.txt", "1 1 1 1\n");
    for (map, to, height, cells) in [
        ("rooms.txt", "3,0", 3, &[(1, 0)][..]),
        ("thick.txt", "3,0", 1, &[(1, 0), (2, 0)]),
        ("thick.txt", "1,0", 1, &[(1, 0)]),
        ("open.txt", "3,0", 1, &[]),
    ] {
        for command in ["solve", "render"] {
            for more in [&[][..], &["--closest"]] {
                let arguments =
                    [command, map, "--from", "0,0", "--to", to, "--png", "a.png", "--scale", "40"];
                let run = workshop.run(&[&arguments[..], more].concat());
                assert_eq!(run.code, i32::from(!cells.is_empty()), "{run:?}");
                let picture = Picture::read(&workshop.path("a.png"));
                // The mark of a goal does not hide the corners of a frame.
                let is_framed = |x: u32, y: u32| picture.at(40 * x + 2, 40 * y + 2) == OPENING;
                let places = (0..height).flat_map(|y| (0..4).map(move |x| (x, y)));
                let framed: Vec<_> = places.filter(|&(x, y)| is_framed(x, y)).collect();
                assert_eq!(framed, cells, "{arguments:?} {more:?}");
                assert_eq!(picture.lists(40 * height, OPENING), !cells.is_empty());
            }
        }
    }
}

#[test]
fn costs_three_four_and_five_have_different_colours() {
    let workshop = Workshop::new();
    workshop.file("costs.txt", "3 4 5\n3 4 5\n3 4 5\n");
    assert_eq!(workshop.run(&["render", "costs.txt", "--png", "costs.png"]).code, 0);
    let picture = Picture::read(&workshop.path("costs.png"));
    let colours = [0, 1, 2].map(|column| picture.cell(column, 1, 40));
    for (one, other) in [(0, 1), (1, 2), (0, 2)] {
        let difference: u32 =
            (0..3).map(|part| u32::from(colours[one][part].abs_diff(colours[other][part]))).sum();
        assert!(difference >= 36, "{colours:?}");
    }
    assert!(colours.iter().all(|&colour| picture.lists(120, colour)), "{colours:?}");
}
