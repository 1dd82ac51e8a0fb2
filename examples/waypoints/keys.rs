//! Keys: edits at the pointer, switches, saving.

use bevy::prelude::*;
use bevy_tilepath::{NavQuery, PathAgent};

use crate::{
    edit::{Edit, EditSet},
    mouse::local,
    pointing::{Pointing, PointingSet, Target},
    report::Note,
    save::Save,
    scene::Walker,
    settings::{Settings, Shown},
    supplies::Supplies,
};

/// Turns keys into edits and switches. Needs a window.
pub(crate) struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            Update,
            (edit_by_key.after(PointingSet).before(EditSet), switch_by_key, supply_by_key.after(PointingSet)),
        );
    }
}

fn edit_by_key(
    keys: Res<ButtonInput<KeyCode>>,
    pointing: Res<Pointing>,
    nav: NavQuery,
    mut edits: MessageWriter<Edit>,
) {
    if keys.just_pressed(KeyCode::KeyR) {
        edits.write(Edit::Restore);
    }
    let (Ok(view), Some((target, world))) = (nav.only_graph(), pointing.0.clone()) else { return };
    if keys.just_pressed(KeyCode::KeyN)
        && let Some(edit) = addition(target.clone(), local(&view, world))
    {
        edits.write(edit);
    }
    if keys.any_just_pressed([KeyCode::KeyX, KeyCode::Delete])
        && let Some(edit) = removal(target)
    {
        edits.write(edit);
    }
}

/// Handles G (supplies at the waypoint under the pointer) and Q (an order to the nearest supplies).
fn supply_by_key(
    keys: Res<ButtonInput<KeyCode>>,
    pointing: Res<Pointing>,
    walker: Single<Entity, With<Walker>>,
    nav: NavQuery,
    mut settings: ResMut<Settings>,
    mut supplies: ResMut<Supplies>,
    mut note: ResMut<Note>,
    mut commands: Commands,
) {
    if keys.just_pressed(KeyCode::KeyG)
        && let Some(id) = pointing.waypoint()
    {
        supplies.toggle(id);
        settings.shown = Shown::Supplies;
    }
    if keys.just_pressed(KeyCode::KeyQ)
        && let Ok(view) = nav.only_graph()
    {
        if let Some(order) = supplies.order(view.graph()) {
            commands.entity(*walker).insert(order);
        } else {
            *note = Note::bad("no waypoint has supplies: point at one and press G");
        }
    }
}

fn addition(target: Target, at: bevy_tilepath::tilepath::graph::Position) -> Option<Edit> {
    match target {
        Target::Waypoint(_) => None,
        Target::Way { from, to } => Some(Edit::Split { from, to, at }),
        Target::Ground => Some(Edit::Add { at }),
    }
}

fn removal(target: Target) -> Option<Edit> {
    match target {
        Target::Waypoint(id) => Some(Edit::Remove(id)),
        Target::Way { from, to } => Some(Edit::Part { from, to }),
        Target::Ground => None,
    }
}

fn switch_by_key(
    keys: Res<ButtonInput<KeyCode>>,
    mut settings: ResMut<Settings>,
    mut walker: Single<&mut PathAgent, With<Walker>>,
    mut saves: MessageWriter<Save>,
) {
    if keys.just_pressed(KeyCode::KeyV) {
        settings.shown = settings.shown.next();
    }
    if keys.just_pressed(KeyCode::KeyT) {
        settings.next_steps();
    }
    if keys.just_pressed(KeyCode::KeyF) {
        settings.next_access_factor();
    }
    if keys.just_pressed(KeyCode::KeyE) {
        settings.easing = !settings.easing;
    }
    if keys.just_pressed(KeyCode::KeyH) {
        settings.names = !settings.names;
    }
    if keys.just_pressed(KeyCode::Space) {
        walker.paused = !walker.paused;
    }
    if keys.just_pressed(KeyCode::KeyS) {
        saves.write(Save);
    }
}

#[cfg(test)]
mod tests {
    use bevy_tilepath::tilepath::graph::Position;

    use super::*;

    #[test]
    fn the_same_key_removes_waypoints_and_ways_but_no_ground() {
        assert_eq!(removal(Target::Waypoint("a".into())), Some(Edit::Remove("a".into())));
        let way = Target::Way { from: "a".into(), to: "b".into() };
        assert_eq!(removal(way.clone()), Some(Edit::Part { from: "a".into(), to: "b".into() }));
        assert_eq!(removal(Target::Ground), None);

        let at = Position::new(1.0, 2.0);
        assert_eq!(addition(Target::Ground, at), Some(Edit::Add { at }));
        assert!(matches!(addition(way, at), Some(Edit::Split { .. })));
        assert_eq!(addition(Target::Waypoint("a".into()), at), None);
    }
}
