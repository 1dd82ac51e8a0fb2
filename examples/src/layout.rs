//! The parts of the window: a room for the world, bars, a panel.

use bevy::{ecs::system::SystemParam, prelude::*, window::PrimaryWindow};

use crate::{
    panel::{button, colour, framed, line},
    scrolled::{ScrolledPlugin, spawn_scrolled},
};

/// The key that hides the panel, and shows it again.
pub const FOLD_KEY: KeyCode = KeyCode::F2;
/// The sign of a panel whose end is hidden.
const MORE_BELOW: &str =
    if cfg!(target_arch = "wasm32") { "more below: two fingers" } else { "more below: turn the wheel" };
/// A window narrower than this many times its panel begins without the panel.
const ROOMY: f32 = 2.2;

/// The node whose rectangle the camera fills with the world.
#[derive(Component, Debug, Clone, Copy, Default)]
pub struct Room;

/// The look of the panel.
#[derive(Debug, Clone)]
pub struct PanelLook {
    /// The title at its head.
    pub title: &'static str,
    /// Its width in pixels.
    pub width: f32,
    /// True if it is as high as the window, false if it is as high as its contents.
    pub is_tall: bool,
}

/// The parts of the window that an example fills with its widgets.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// Above the room.
    pub above: Entity,
    /// Below the room.
    pub below: Entity,
    /// The panel's head, right of its title.
    pub head: Entity,
    /// The panel below its head. It scrolls if the window is too low for it.
    pub panel: Entity,
}

/// Hides the panel of [`spawn_layout`] by key or button, and shows it again.
pub struct LayoutPlugin;

impl Plugin for LayoutPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Folded>()
            .add_plugins(ScrolledPlugin)
            .add_systems(Update, (fold_by_key, fold_in_narrow_windows, show_panel).chain());
    }
}

/// True if the panel is hidden.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Folded(pub bool);

/// Part of the window, shown only while the panel is hidden, or only while it is not.
#[derive(Component)]
struct ShownWhile {
    folded: bool,
}

/// The width of the panel.
#[derive(Component)]
struct PanelWidth(f32);

/// The area of the panel.
#[derive(SystemParam)]
pub struct PanelArea<'w, 's> {
    panel: Query<'w, 's, (&'static ComputedNode, &'static UiGlobalTransform), With<PanelWidth>>,
}

impl PanelArea<'_, '_> {
    /// Returns the part of the window that the panel covers, in pixels of nodes, y down. It is
    /// empty while the panel is hidden.
    #[must_use]
    pub fn rect(&self) -> Rect {
        self.panel.single().map_or_else(
            |_| Rect::default(),
            |(node, place)| {
                let scale = node.inverse_scale_factor();
                Rect::from_center_size(place.translation * scale, node.size() * scale)
            },
        )
    }
}

/// Divides the window. Add widgets as children of the parts.
pub fn spawn_layout(commands: &mut Commands, frame: Handle<Image>, look: &PanelLook) -> Parts {
    let column = || Node { flex_direction: FlexDirection::Column, row_gap: px(8), ..default() };
    let whole = Node {
        position_type: PositionType::Absolute,
        width: percent(100),
        height: percent(100),
        // Beside a panel that is not tall, the world reaches to the window's edge.
        padding: UiRect { left: px(if look.is_tall { 8 } else { 0 }), ..UiRect::all(px(8)) },
        column_gap: px(8),
        ..default()
    };
    let root = commands.spawn((whole, Pickable::IGNORE)).id();
    let left = commands
        .spawn((
            Node { flex_grow: 1.0, flex_basis: px(0), min_width: px(0), ..column() },
            Pickable::IGNORE,
            ChildOf(root),
        ))
        .id();
    let above = commands.spawn((column(), Pickable::IGNORE, ChildOf(left))).id();
    let room = Node { flex_grow: 1.0, flex_basis: px(0), min_height: px(0), ..default() };
    commands.spawn((Room, room, Pickable::IGNORE, ChildOf(left)));
    let below = commands.spawn((column(), Pickable::IGNORE, ChildOf(left))).id();

    let place = Node {
        width: px(look.width),
        flex_shrink: 0.0,
        max_height: percent(100),
        align_self: if look.is_tall { AlignSelf::Stretch } else { AlignSelf::FlexStart },
        row_gap: px(3),
        ..default()
    };
    let side = commands
        .spawn((framed(frame, place), ShownWhile { folded: false }, PanelWidth(look.width), ChildOf(root)))
        .id();
    let row = || Node { align_items: AlignItems::Center, column_gap: px(6), ..default() };
    let top = Node { justify_content: JustifyContent::SpaceBetween, flex_shrink: 0.0, ..row() };
    let top = commands.spawn((top, ChildOf(side))).id();
    commands.spawn((line(look.title, 17.0, colour::GOLD), ChildOf(top)));
    let right = commands.spawn((row(), ChildOf(top))).id();
    let head = commands.spawn((row(), ChildOf(right))).id();
    spawn_fold_button(commands, right, "F2 >", None);
    let panel = spawn_scrolled(commands, side, 3.0, MORE_BELOW);
    spawn_fold_button(commands, root, "F2 <", Some(ShownWhile { folded: true }));
    Parts { above, below, head, panel }
}

fn spawn_fold_button(commands: &mut Commands, parent: Entity, name: &str, shown: Option<ShownWhile>) {
    let node = Node { padding: UiRect::axes(px(7), px(3)), align_self: AlignSelf::FlexStart, ..default() };
    let mut fold = commands.spawn((button(node), ChildOf(parent)));
    fold.with_child(line(name, 12.0, colour::TEXT));
    fold.observe(|click: On<Pointer<Click>>, mut folded: ResMut<Folded>| {
        if click.event.button == PointerButton::Primary {
            folded.0 = !folded.0;
        }
    });
    if let Some(shown) = shown {
        fold.insert(shown);
    }
}

fn fold_by_key(keys: Res<ButtonInput<KeyCode>>, mut folded: ResMut<Folded>) {
    if keys.just_pressed(FOLD_KEY) {
        folded.0 = !folded.0;
    }
}

/// Hides the panel when the window becomes too narrow for it, and shows it again when there is
/// room.
fn fold_in_narrow_windows(
    window: Single<&Window, With<PrimaryWindow>>,
    scale: Res<UiScale>,
    panel: Query<&PanelWidth>,
    mut was_narrow: Local<bool>,
    mut folded: ResMut<Folded>,
) {
    let Ok(panel) = panel.single() else { return };
    let is_narrow = window.width() < panel.0 * scale.0 * ROOMY;
    if is_narrow != *was_narrow {
        *was_narrow = is_narrow;
        folded.0 = is_narrow;
    }
}

fn show_panel(folded: Res<Folded>, mut parts: Query<(&ShownWhile, &mut Node)>) {
    for (shown, mut node) in &mut parts {
        let display = if shown.folded == folded.0 { Display::Flex } else { Display::None };
        if node.display != display {
            node.display = display;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an app with a panel of width 300 in a window of this width.
    fn app(width: u32) -> App {
        let mut app = App::new();
        app.add_plugins(LayoutPlugin).init_resource::<ButtonInput<KeyCode>>().init_resource::<UiScale>();
        let world = app.world_mut();
        let resolution = bevy::window::WindowResolution::new(width, 480);
        world.spawn((Window { resolution, ..default() }, PrimaryWindow));
        let look = PanelLook { title: "a panel", width: 300.0, is_tall: true };
        spawn_layout(&mut world.commands(), Handle::default(), &look);
        world.flush();
        app.update();
        app
    }

    fn is_shown(app: &mut App) -> bool {
        let world = app.world_mut();
        let panel = world.query_filtered::<&Node, With<PanelWidth>>().single(world).unwrap();
        panel.display == Display::Flex
    }

    #[test]
    fn the_key_folds_the_panel_and_brings_it_back() {
        let mut app = app(1280);
        assert!(is_shown(&mut app));
        for shown in [false, true] {
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(FOLD_KEY);
            app.update();
            assert_eq!(is_shown(&mut app), shown);
            app.world_mut().resource_mut::<ButtonInput<KeyCode>>().reset_all();
        }
    }

    #[test]
    fn a_narrow_window_begins_without_the_panel_and_a_wide_one_has_it_again() {
        let mut app = app(640);
        assert!(!is_shown(&mut app));
        let world = app.world_mut();
        let mut window = world.query::<&mut Window>().single_mut(world).unwrap();
        window.resolution.set(1280.0, 720.0);
        app.update();
        assert!(is_shown(&mut app));
    }
}
