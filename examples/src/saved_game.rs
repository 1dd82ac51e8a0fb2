//! Saves and loads a game: one file, for all runs of the window.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use bevy::{input::common_conditions::input_just_pressed, prelude::*};
use serde::{Serialize, de::DeserializeOwned};

/// The content of a saved game.
pub trait SavedGame: Sized + Serialize + DeserializeOwned + 'static {
    /// The name of the file, in the folder for temporary files.
    const FILE: &str;
    /// The key that loads the game.
    const LOAD: KeyCode;

    /// Returns the present game.
    ///
    /// # Errors
    /// An error if the present game cannot be saved.
    fn take(world: &mut World) -> io::Result<Self>;

    /// Puts the game into a world.
    ///
    /// # Errors
    /// An error if the game does not fit. Then parts of it may be in the world.
    fn put(&self, world: &mut World) -> io::Result<()>;

    /// Shows the result of a save or load.
    fn show(world: &mut World, news: String);

    /// Replaces the present game. If the save does not fit, the present game goes on.
    ///
    /// # Errors
    /// The errors of [`take`](Self::take) and [`put`](Self::put).
    fn load(&self, world: &mut World) -> io::Result<()> {
        let present = Self::take(world)?;
        let loaded = self.put(world);
        if loaded.is_err() {
            present.put(world)?;
        }
        loaded
    }
}

/// Saves the game with F5 and loads it with [`SavedGame::LOAD`]. Needs a window.
pub fn save_plugin<G: SavedGame>(app: &mut App) {
    let save = save::<G>.run_if(input_just_pressed(KeyCode::F5));
    let load = load::<G>.run_if(input_just_pressed(G::LOAD));
    // Between two ticks. Here no system has queued commands for an entity that `load` despawns.
    app.add_systems(
        RunFixedMainLoop,
        (save, load).chain().in_set(RunFixedMainLoopSystems::BeforeFixedMainLoop),
    );
}

fn save<G: SavedGame>(world: &mut World) {
    let path = file::<G>();
    let news = match G::take(world).and_then(|game| write(&game, &path)) {
        Ok(()) => format!("saved to {}", path.display()),
        Err(error) => format!("cannot save to {}: {error}", path.display()),
    };
    show::<G>(world, news);
}

fn load<G: SavedGame>(world: &mut World) {
    let path = file::<G>();
    let news = match read::<G>(&path).and_then(|game| game.load(world)) {
        Ok(()) => format!("loaded {}", path.display()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            format!("{} does not exist: save with F5 first", path.display())
        }
        Err(error) => format!("cannot load {}: {error}", path.display()),
    };
    show::<G>(world, news);
}

fn file<G: SavedGame>() -> PathBuf {
    // A web page has no folders, not even to name one: there writing and reading fail, with a message.
    if cfg!(target_arch = "wasm32") { G::FILE.into() } else { env::temp_dir().join(G::FILE) }
}

fn show<G: SavedGame>(world: &mut World, news: String) {
    // The strip or panel may be too small for a long path.
    info!("{news}");
    G::show(world, news);
}

fn write(game: &impl SavedGame, path: &Path) -> io::Result<()> {
    fs::write(path, ron::to_string(game).map_err(io::Error::other)?)
}

fn read<G: SavedGame>(path: &Path) -> io::Result<G> {
    ron::from_str(&fs::read_to_string(path)?).map_err(io::Error::other)
}
