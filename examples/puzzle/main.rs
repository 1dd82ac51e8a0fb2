//! The 8-puzzle in a window: slide the tiles, or let a search solve the board.
//!
//! There is no map and no unit: `tilepath::state_space` searches states of any type. The search runs in slices, so the
//! window shows how many boards it has expanded.
//!
//! `cargo run --example puzzle`, or with `--headless` where there is no display.

mod board;

use std::{
    collections::VecDeque,
    io::{self, Write},
};

use bevy::{prelude::*, winit::WinitSettings};
use clap::Parser;
use tilepath::{
    SearchStatus,
    state_space::{StateSearch, StateSpace},
};
use tilepath_examples::{
    options::RunOptions, screenshot::ScreenshotPlugin, start::start, window::window_plugins,
};

use crate::board::{Board, EightPuzzle, HARDEST, slide};

/// The width and height of a tile, in world units.
const TILE: f32 = 150.0;
/// The boards that the search expands in a frame: few, so that its work can be watched.
const SLICE: u64 = 60;

/// Slide the tiles of the 8-puzzle, or let a search solve it
#[derive(Parser, Debug)]
#[command(version, name = "puzzle")]
struct Options {
    #[command(flatten)]
    run: RunOptions,
}

#[derive(Resource)]
struct Game {
    board: Board,
    has_estimate: bool,
    search: Option<StateSearch<EightPuzzle>>,
    /// The boards that are still to be shown.
    solution: VecDeque<Board>,
    /// The result of the last search.
    result: String,
}

impl Default for Game {
    fn default() -> Self {
        Self {
            board: HARDEST,
            has_estimate: true,
            search: None,
            solution: VecDeque::new(),
            result: "This board needs 31 slides. No board needs more.".to_owned(),
        }
    }
}

impl Game {
    /// Shows another board. It ends the search and the solution of the board before.
    fn set(&mut self, board: Board) {
        let has_estimate = self.has_estimate;
        *self = Self { board, has_estimate, result: String::new(), ..default() };
    }

    fn begin_search(&mut self) {
        self.solution.clear();
        self.search = Some(EightPuzzle { has_estimate: self.has_estimate }.begin(self.board));
    }

    fn algorithm(&self) -> &'static str {
        if self.has_estimate { "A*" } else { "Dijkstra's algorithm" }
    }
}

#[derive(Component)]
struct Tile(u8);

fn main() -> AppExit {
    let run = Options::parse().run;
    start("puzzle", &run, headless, || run_in_window(&run))
}

/// Solves the hardest board by both algorithms.
fn headless(out: &mut dyn Write) -> io::Result<()> {
    for has_estimate in [true, false] {
        let mut game = Game { has_estimate, ..default() };
        game.begin_search();
        while game.search.is_some() {
            advance_search(&mut game, 10_000);
        }
        writeln!(out, "{}", game.result)?;
        if game.solution.len() != 32 {
            return Err(io::Error::other("the shortest solution has 31 slides"));
        }
    }
    Ok(())
}

fn run_in_window(run: &RunOptions) -> AppExit {
    let mut app = App::new();
    app.add_plugins(window_plugins("tilepath - puzzle", run))
        .insert_resource(WinitSettings::continuous())
        .init_resource::<Game>()
        .add_systems(Startup, spawn_board)
        .add_systems(Update, (click, press, search, play, show_tiles, show_words).chain());
    if let Some(file) = run.screenshot.clone() {
        app.add_plugins(ScreenshotPlugin { file, after: run.after })
            .add_systems(PostStartup, |mut game: ResMut<Game>| game.begin_search());
    }
    app.run()
}

/// Returns the centre of a place of the board, in the world.
fn centre(place: usize) -> Vec2 {
    Vec2::new((place % 3) as f32 - 0.2, 1.0 - (place / 3) as f32) * TILE
}

fn spawn_board(mut commands: Commands, game: Res<Game>) {
    commands.spawn(Camera2d);
    let frame = Sprite::from_color(Color::srgb(0.21, 0.23, 0.28), Vec2::splat(3.0 * TILE + 24.0));
    commands.spawn((frame, Transform::from_translation(centre(4).extend(-1.0))));
    for (place, &tile) in game.board.iter().enumerate().filter(|(_, tile)| **tile > 0) {
        let color = Color::hsl(190.0 + 20.0 * f32::from(tile), 0.42, 0.52);
        let font = TextFont { font_size: FontSize::Px(64.0), ..default() };
        commands.spawn((
            Tile(tile),
            Sprite::from_color(color, Vec2::splat(TILE - 8.0)),
            Transform::from_translation(centre(place).extend(0.0)),
            children![(Text2d::new(tile.to_string()), font, Transform::from_xyz(0.0, 0.0, 1.0))],
        ));
    }
    let node = Node { position_type: PositionType::Absolute, left: px(40), top: px(120), ..default() };
    commands.spawn((Text::default(), TextFont { font_size: FontSize::Px(20.0), ..default() }, node));
}

/// Slides the tile under the cursor into the gap.
fn click(
    mut game: ResMut<Game>,
    mouse: Res<ButtonInput<MouseButton>>,
    window: Single<&Window>,
    camera: Single<(&Camera, &GlobalTransform)>,
) {
    if mouse.just_pressed(MouseButton::Left)
        && let Some(cursor) = window.cursor_position()
        && let Ok(point) = camera.0.viewport_to_world_2d(camera.1, cursor)
        && let Some(place) = (0..9).find(|&place| (point - centre(place)).abs().max_element() < TILE / 2.0)
        && let Some(board) = slide(&game.board, place)
    {
        game.set(board);
    }
}

fn press(mut game: ResMut<Game>, keys: Res<ButtonInput<KeyCode>>) {
    if keys.just_pressed(KeyCode::KeyR) {
        game.set(HARDEST);
    }
    if keys.just_pressed(KeyCode::KeyE) {
        game.has_estimate = !game.has_estimate;
    }
    if keys.just_pressed(KeyCode::Space) {
        game.begin_search();
    }
}

fn search(mut game: ResMut<Game>) {
    advance_search(&mut game, SLICE);
}

/// Expands this many boards, and takes the solution when there is one.
fn advance_search(game: &mut Game, slice: u64) {
    let algorithm = game.algorithm();
    let Some(mut search) = game.search.take() else { return };
    let status = search.advance(slice);
    let expanded = search.expanded();
    if status == SearchStatus::Running {
        game.result = format!("{algorithm} has expanded {expanded} boards.");
        game.search = Some(search);
        return;
    }
    let boards = search.finish().ok().flatten().map(|path| path.states).unwrap_or_default();
    let slides = boards.len().saturating_sub(1);
    game.result =
        format!("{algorithm} expanded {expanded} boards.\nThe shortest solution has {slides} slides.");
    game.solution = boards.into();
}

/// Shows the next board of the solution, three in a second.
fn play(mut game: ResMut<Game>, time: Res<Time>, mut waited: Local<f32>) {
    *waited += time.delta_secs();
    if *waited > 0.33
        && let Some(board) = game.solution.pop_front()
    {
        (game.board, *waited) = (board, 0.0);
    }
}

fn show_tiles(game: Res<Game>, mut tiles: Query<(&Tile, &mut Transform)>, time: Res<Time>) {
    for (tile, mut transform) in &mut tiles {
        let place = game.board.iter().position(|number| *number == tile.0).unwrap_or_default();
        let (here, there) = (transform.translation.truncate(), centre(place));
        transform.translation = here.lerp(there, (12.0 * time.delta_secs()).min(1.0)).extend(0.0);
    }
}

fn show_words(game: Res<Game>, mut words: Single<&mut Text>) {
    let left = game.solution.len();
    let rest = if left > 0 { format!("\n{left} slides are left.") } else { String::new() };
    words.0 = format!(
        "Click a tile beside the gap.\n\nSpace: solve this board\nR: the hardest board\nE: A* or Dijkstra's algorithm (now {})\n\n{}{rest}",
        game.algorithm(),
        game.result
    );
}
