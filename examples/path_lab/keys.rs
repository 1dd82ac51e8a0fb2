//! Every control by keyboard.

use bevy::{
    input::{ButtonState, keyboard::KeyboardInput},
    input_focus::{FocusedInput, InputFocusVisible},
    prelude::*,
    window::PrimaryWindow,
};
use tilepath::Cell;
use tilepath_examples::camera::PanZoom;

use crate::{
    lab::Lab,
    order::Order,
    overlay::{self, Scrolled, Sheet},
    panel::BRUSH_KEYS,
    settings::{Brush, Mode, Setting, choices},
    view,
};

/// Handles the keys that no widget handles. Needs a window.
pub(crate) struct KeysPlugin;

impl Plugin for KeysPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Cursor>().add_systems(Startup, listen);
        #[cfg(target_arch = "wasm32")]
        app.add_systems(Update, keep_keys);
    }
}

/// The cursor of the keyboard, hidden until its first move.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub(crate) struct Cursor {
    pub(crate) at: Option<Cell>,
    /// The cell before the last move. The brush for edges changes the edge between the two cells.
    before: Option<Cell>,
}

impl Cursor {
    /// Returns the cursor one cell further. Its first move shows it at the start; it never leaves
    /// the map.
    fn moved(self, lab: &Lab, dx: i32, dy: i32) -> Self {
        let (field, shape) = (lab.field(), lab.field().shape());
        // The cell may be off the map if the map became smaller.
        let now = self.at.filter(|&cell| field.finder.grid().contains(cell));
        let next = now.map_or(field.start, |cell| shape.beside(cell, dx, dy));
        if field.finder.grid().contains(next) { Self { at: Some(next), before: now } } else { self }
    }
}

/// Observes keys at the window: they arrive here if no widget has the focus, or if that widget
/// ignores them.
fn listen(mut commands: Commands, window: Single<Entity, With<PrimaryWindow>>) {
    commands.entity(*window).observe(hear);
}

/// While a widget is selected or a sheet is open, Tab and Escape do not leave the window of the page.
#[cfg(target_arch = "wasm32")]
fn keep_keys(focus: Res<bevy::input_focus::InputFocus>, sheet: Res<Sheet>, mut are_kept: Local<bool>) {
    let wanted = focus.get().is_some() || *sheet != Sheet::Nothing;
    if *are_kept != wanted {
        *are_kept = wanted;
        tilepath_examples::page::mark("data-keeps-keys", if wanted { "true" } else { "false" });
    }
}

fn hear(
    key: On<FocusedInput<KeyboardInput>>,
    held: Res<ButtonInput<KeyCode>>,
    lab: Res<Lab>,
    mut orders: MessageWriter<Order>,
    mut sheet: ResMut<Sheet>,
    mut focus_visible: ResMut<InputFocusVisible>,
    mut cursor: ResMut<Cursor>,
    mut camera: Single<&mut PanZoom>,
    mut areas: Query<(&mut ScrollPosition, &ComputedNode), With<Scrolled>>,
) {
    let KeyboardInput { key_code, state, repeat, .. } = key.input;
    if state != ButtonState::Pressed {
        return;
    }
    let has_shift = held.any_pressed([KeyCode::ShiftLeft, KeyCode::ShiftRight]);
    if let Some(down) = scroll_of(key_code).filter(|_| *sheet != Sheet::Nothing) {
        overlay::scroll(&mut areas, down);
        return;
    }
    if let Some(order) = may_repeat(key_code, has_shift, &lab) {
        orders.write(order);
        return;
    }
    let moves = move_of(key_code);
    if let Some((dx, dy)) = moves.filter(|_| has_shift) {
        let step = Vec2::new(dx as f32, dy as f32) * 60.0 / camera.zoom;
        let centre = camera.centre + step;
        camera.look_at(centre);
        return;
    }
    if let Some((dx, dy)) = cursor_move_of(key_code).filter(|_| lab.settings().mode == Mode::Grid) {
        *cursor = cursor.moved(&lab, dx, dy);
        return;
    }
    if repeat {
        return;
    }
    match key_code {
        KeyCode::KeyE => sheet.toggle(Sheet::Explanation),
        KeyCode::F1 => sheet.toggle(Sheet::Keys),
        KeyCode::Escape => {
            *sheet = Sheet::Nothing;
            focus_visible.0 = false;
        }
        KeyCode::Equal | KeyCode::NumpadAdd => zoom(&mut camera, 1),
        KeyCode::Minus | KeyCode::NumpadSubtract => zoom(&mut camera, -1),
        KeyCode::Digit0 => view::fit(&mut camera, &lab),
        _ => {
            if let Some(order) = order_of(key_code, has_shift, &lab, *cursor) {
                orders.write(order);
            }
        }
    }
}

/// Zooms around the middle of the visible part.
fn zoom(camera: &mut PanZoom, steps: i32) {
    let middle = camera.room.center();
    camera.zoom_by(steps, middle);
}

/// Returns the order of a key that repeats while it is held.
fn may_repeat(key: KeyCode, has_shift: bool, lab: &Lab) -> Option<Order> {
    Some(match key {
        _ if has_shift => return None,
        KeyCode::ArrowLeft => Order::Step(-1),
        KeyCode::ArrowRight => Order::Step(1),
        KeyCode::PageUp => Order::Step(-10),
        KeyCode::PageDown => Order::Step(10),
        KeyCode::ArrowUp => Order::Speed(lab.speed() + 0.25),
        KeyCode::ArrowDown => Order::Speed(lab.speed() - 0.25),
        _ => return None,
    })
}

/// Returns how far a key scrolls a sheet, in pixels.
const fn scroll_of(key: KeyCode) -> Option<f32> {
    match key {
        KeyCode::PageUp => Some(-200.0),
        KeyCode::PageDown => Some(200.0),
        _ => None,
    }
}

const fn move_of(key: KeyCode) -> Option<(i32, i32)> {
    match key {
        KeyCode::ArrowLeft => Some((-1, 0)),
        KeyCode::ArrowRight => Some((1, 0)),
        KeyCode::ArrowUp => Some((0, 1)),
        KeyCode::ArrowDown => Some((0, -1)),
        _ => None,
    }
}

const fn cursor_move_of(key: KeyCode) -> Option<(i32, i32)> {
    match key {
        KeyCode::KeyJ => Some((-1, 0)),
        KeyCode::KeyL => Some((1, 0)),
        KeyCode::KeyI => Some((0, 1)),
        KeyCode::KeyK => Some((0, -1)),
        _ => None,
    }
}

/// Returns the order of a key.
fn order_of(key: KeyCode, has_shift: bool, lab: &Lab, cursor: Cursor) -> Option<Order> {
    let settings = lab.settings();
    let turned = |kind: Vec<Setting>| settings.turned(&kind, !has_shift).map(Order::Choose);
    if let Some(&(_, brush)) = BRUSH_KEYS.iter().find(|&&(digit, _)| digit == key) {
        return Some(Order::Choose(Setting::Brush(brush)));
    }
    let end = |is_start: bool| match settings.mode {
        Mode::Graph => Some(Order::TurnEnd { is_start, forward: !has_shift }),
        Mode::Grid => cursor.at.map(if is_start { Order::MoveStart } else { Order::MoveGoal }),
    };
    match key {
        KeyCode::Space => Some(Order::PlayOrPause),
        KeyCode::Home => Some(Order::Seek(0)),
        KeyCode::End => Some(Order::SeekEnd),
        KeyCode::KeyG => turned(choices::modes()),
        KeyCode::KeyA => turned(choices::methods()),
        KeyCode::KeyD => turned(choices::diagonals()),
        KeyCode::KeyH => turned(choices::heuristics()),
        KeyCode::KeyR => turned(choices::rivals()),
        KeyCode::KeyT => turned(choices::topologies()),
        KeyCode::KeyU => turned(choices::units()),
        KeyCode::KeyP => turned(choices::points()),
        KeyCode::KeyO => turned(choices::long_steps()),
        KeyCode::KeyM if settings.mode == Mode::Graph => turned(choices::nets()),
        KeyCode::KeyM => turned(choices::grounds()),
        KeyCode::KeyZ => turned(choices::sizes()),
        KeyCode::KeyN => Some(Order::NewPair),
        KeyCode::KeyX => Some(Order::NewMap),
        KeyCode::KeyC => Some(Order::Clear),
        KeyCode::KeyY => Some(Order::CopyLink),
        KeyCode::KeyS => end(true),
        KeyCode::KeyF => end(false),
        KeyCode::Enter | KeyCode::NumpadEnter => brush_order(lab, settings.brush, cursor),
        _ => None,
    }
}

/// Returns the order of the brush at the cursor.
fn brush_order(lab: &Lab, brush: Brush, cursor: Cursor) -> Option<Order> {
    let (field, cell) = (lab.field(), cursor.at?);
    Some(match (brush, field.stroke_class(brush, cell)) {
        (_, Some(class)) => Order::Paint(cell, class),
        (Brush::OneWay, _) => Order::TurnEdge(cursor.before?, cell),
        (Brush::Danger, _) => Order::Endanger(cell, field.stroke_danger(cell)),
        (Brush::Friend, _) => Order::Befriend(cell, field.stroke_friend(cell)),
        _ => Order::Propose(cell),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;
    use tilepath::turns::LongStep;

    #[test]
    fn keys_choose_step_and_edit() {
        let mut lab = Lab::new(Settings::default());
        let press = |lab: &mut Lab, key, has_shift, at: Option<Cell>| {
            let cursor = Cursor { at, before: at.map(|cell| Cell::new(cell.x + 1, cell.y)) };
            let order = may_repeat(key, has_shift, lab).or_else(|| order_of(key, has_shift, lab, cursor));
            lab.obey(order.unwrap());
        };
        press(&mut lab, KeyCode::KeyA, false, None);
        press(&mut lab, KeyCode::KeyA, true, None);
        assert_eq!(lab.settings(), Settings::default());
        press(&mut lab, KeyCode::KeyR, false, None);
        assert_eq!(lab.lanes().len(), 2);
        press(&mut lab, KeyCode::KeyR, true, None);
        assert_eq!(lab.lanes().len(), 1);
        press(&mut lab, KeyCode::PageDown, false, None);
        press(&mut lab, KeyCode::ArrowLeft, false, None);
        assert_eq!(lab.at(), 9);
        let corner = Cell::new(0, 0);
        press(&mut lab, KeyCode::Enter, false, Some(corner));
        assert_eq!(lab.field().finder.grid().terrain(corner), Some(0));
        press(&mut lab, KeyCode::Digit7, false, None);
        press(&mut lab, KeyCode::Enter, false, Some(corner));
        let crossed = crate::edges::crossing(lab.field().finder.grid(), Cell::new(1, 0), corner);
        assert_eq!(crossed, Some(crate::edges::Crossing::OneWay), "the cursor came from the right");
        press(&mut lab, KeyCode::Digit8, false, None);
        press(&mut lab, KeyCode::Enter, false, Some(corner));
        assert_eq!(lab.field().danger(corner), 3);
        press(&mut lab, KeyCode::KeyP, false, None);
        press(&mut lab, KeyCode::KeyO, false, None);
        assert_eq!((lab.settings().points, lab.settings().long_step), (Some(30), LongStep::OwnTurn));
        press(&mut lab, KeyCode::Digit9, false, None);
        press(&mut lab, KeyCode::Enter, false, Some(corner));
        assert!(lab.field().friends.contains(&corner));
        press(&mut lab, KeyCode::KeyF, false, Some(Cell::new(15, 11)));
        assert_eq!(lab.field().goal, Cell::new(15, 11));
        assert_eq!(order_of(KeyCode::KeyF, false, &lab, Cursor::default()), None, "there is no cursor yet");
    }

    #[test]
    fn the_cursor_appears_at_the_start_and_stays_on_the_map() {
        let lab = Lab::new(Settings::default());
        let mut cursor = Cursor::default().moved(&lab, -1, 0);
        assert_eq!(cursor.at, Some(lab.field().start));
        for _ in 0..40 {
            cursor = cursor.moved(&lab, -1, 0);
        }
        assert_eq!(cursor.at, Some(Cell::new(0, lab.field().start.y)));
        let lost = Cursor { at: Some(Cell::new(60, 40)), before: None };
        assert_eq!(lost.moved(&lab, 1, 0).at, Some(lab.field().start));
    }

    #[test]
    fn on_hexagons_the_cursor_climbs_straight_up() {
        let topology = tilepath::Topology::Hexagonal;
        let lab = Lab::new(Settings { topology, ..Settings::default() });
        let mut cursor = Cursor { at: Some(Cell::new(0, 0)), before: None };
        for _ in 0..40 {
            cursor = cursor.moved(&lab, 0, 1);
        }
        assert_eq!(cursor.at, Some(Cell::new(-5, 11)));
    }
}
