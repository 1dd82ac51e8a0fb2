//! Saves the graph to a file.

use std::path::PathBuf;

use bevy::prelude::*;
use bevy_tilepath::NavGraph;
use tilepath_examples::graph_file;

use crate::{edit::EditSet, report::Note};

/// The file for the graph.
#[derive(Resource, Debug, Clone)]
pub(crate) struct SaveFile(pub(crate) PathBuf);

/// Orders the graph to be saved.
#[derive(Message, Debug, Clone, Copy)]
pub(crate) struct Save;

/// Carries out [`Save`] messages.
pub(crate) struct SavePlugin;

impl Plugin for SavePlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<Save>().add_systems(Update, save_graph.after(EditSet));
    }
}

fn save_graph(
    mut saves: MessageReader<Save>,
    file: Res<SaveFile>,
    graph: Single<&NavGraph>,
    mut note: ResMut<Note>,
) {
    if saves.read().count() > 0 && graph.is_ready() {
        *note = match graph_file::write(graph.graph(), &file.0) {
            Ok(()) => Note::good(format!("saved to {}", file.0.display())),
            Err(error) => Note::bad(error.to_string()),
        };
    }
}
