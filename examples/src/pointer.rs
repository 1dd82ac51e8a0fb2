//! The pointer's place in the world, over the map or not.

use bevy::{
    ecs::system::SystemParam,
    picking::{
        PickingSystems,
        hover::HoverMap,
        pointer::{PointerAction, PointerId, PointerInput},
    },
    prelude::*,
    window::PrimaryWindow,
};
use bevy_tilepath::Cell;

use crate::camera::PanZoom;

/// Keeps [`MapPointer`] up to date.
pub struct MapPointerPlugin;

impl Plugin for MapPointerPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<MapPointer>().add_systems(PreUpdate, locate_pointer.after(PickingSystems::Hover));
    }
}

/// The pointer's place in the world while it is over the map; `None` over a panel or outside the
/// window.
///
/// Bevy's picking does not pick tiles. A pointer that hits nothing else hits the window itself, and
/// then it is over the map.
#[derive(Resource, Debug, Default, Clone, Copy, PartialEq)]
pub struct MapPointer {
    /// World position of the pointer.
    pub world: Option<Vec2>,
}

impl MapPointer {
    /// Returns true if the pointer is over the map and not over a panel.
    #[must_use]
    pub fn is_over_map(&self) -> bool {
        self.world.is_some()
    }
}

fn locate_pointer(
    mut pointer: ResMut<MapPointer>,
    hovered: Res<HoverMap>,
    window: Single<(Entity, &Window), With<PrimaryWindow>>,
    camera: Single<&PanZoom>,
) {
    let (window_entity, window) = *window;
    let covered =
        hovered.get(&PointerId::Mouse).is_some_and(|hits| hits.keys().any(|&hit| hit != window_entity));
    let world = window.cursor_position().filter(|_| !covered).map(|cursor| camera.world_at(cursor));
    pointer.set_if_neq(MapPointer { world });
}

/// Returns the place in the world of a pointer event that hit the window itself, or `None` if it
/// hit something above the map.
#[must_use]
pub fn world_of_event(
    target: Entity,
    position: Vec2,
    windows: &Query<(), With<Window>>,
    camera: (&Camera, &GlobalTransform),
) -> Option<Vec2> {
    if !windows.contains(target) {
        return None;
    }
    camera.0.viewport_to_world_2d(camera.1, position).ok()
}

/// An action of the main mouse button on the map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stroke {
    /// The button goes down at a place of the world that no panel covers.
    Press(Vec2),
    /// The mouse moves to a place while the button is held.
    Move(Vec2),
    /// The button goes up.
    Release,
}

/// The actions of the main button in their order, each with its place.
///
/// In a slow frame, the button may go down, move and go up within the frame. The place of the
/// pointer at the beginning of the frame is then not the place where the button went down.
#[derive(SystemParam)]
pub struct Strokes<'w, 's> {
    inputs: MessageReader<'w, 's, PointerInput>,
    is_held: Local<'s, bool>,
    camera: Single<'w, 's, &'static PanZoom>,
    window: Single<'w, 's, &'static Window, With<PrimaryWindow>>,
    nodes: Query<
        'w,
        's,
        (
            &'static ComputedNode,
            &'static UiGlobalTransform,
            &'static InheritedVisibility,
            Option<&'static Pickable>,
        ),
    >,
}

impl Strokes<'_, '_> {
    /// Returns the actions since the last call.
    pub fn read(&mut self) -> Vec<Stroke> {
        let (camera, nodes, scale) = (*self.camera, &self.nodes, self.window.scale_factor());
        let is_covered = |screen: Vec2| {
            nodes.iter().any(|(node, place, visibility, pickable)| {
                visibility.get()
                    && pickable.is_none_or(|pickable| pickable.should_block_lower)
                    && node.contains_point(*place, screen * scale)
            })
        };
        let mut strokes = Vec::new();
        for input in self.inputs.read().filter(|input| input.pointer_id == PointerId::Mouse) {
            let screen = input.location.position;
            match input.action {
                PointerAction::Press(PointerButton::Primary) if !is_covered(screen) => {
                    *self.is_held = true;
                    strokes.push(Stroke::Press(camera.world_at(screen)));
                }
                PointerAction::Move { .. } if *self.is_held => {
                    strokes.push(Stroke::Move(camera.world_at(screen)));
                }
                PointerAction::Release(PointerButton::Primary) if *self.is_held => {
                    *self.is_held = false;
                    strokes.push(Stroke::Release);
                }
                _ => {}
            }
        }
        strokes
    }
}

/// Returns the cells of a stroke between two cells, without gaps and without the first cell.
pub fn cells_between(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let steps = dx.abs().max(dy.abs());
    (1..=steps).map(move |step| {
        let part = step as f32 / steps as f32;
        Cell::new(from.x + (dx as f32 * part).round() as i32, from.y + (dy as f32 * part).round() as i32)
    })
}

#[cfg(test)]
mod tests {
    use bevy::{
        camera::NormalizedRenderTarget,
        picking::pointer::Location,
        window::{WindowRef, WindowResolution},
    };

    use super::*;

    #[derive(Resource, Default)]
    struct Seen(Vec<Stroke>);

    /// Returns an app with a world of 100 x 100, shown at one pixel for one unit, and a panel over
    /// its right half.
    fn app() -> App {
        let mut app = App::new();
        app.add_message::<PointerInput>().init_resource::<Seen>().add_systems(
            Update,
            |mut strokes: Strokes, mut seen: ResMut<Seen>| {
                seen.0.extend(strokes.read());
            },
        );
        let bounds = Rect::new(0.0, 0.0, 100.0, 100.0);
        let camera = PanZoom { window: bounds.size(), room: bounds, ..PanZoom::new(bounds, 1) };
        let resolution = WindowResolution::new(100, 100);
        let world = app.world_mut();
        world.spawn((Window { resolution, ..default() }, PrimaryWindow));
        world.spawn(camera);
        world.spawn((
            ComputedNode { size: Vec2::new(50.0, 100.0), inverse_scale_factor: 1.0, ..default() },
            UiGlobalTransform::from_xy(75.0, 50.0),
            InheritedVisibility::VISIBLE,
        ));
        app
    }

    fn input(app: &mut App, x: f32, y: f32, action: PointerAction) {
        let world = app.world_mut();
        let window = world.query_filtered::<Entity, With<PrimaryWindow>>().single(world).unwrap();
        let target = WindowRef::Primary.normalize(Some(window)).map(NormalizedRenderTarget::Window).unwrap();
        let location = Location { target, position: Vec2::new(x, y) };
        world.write_message(PointerInput::new(PointerId::Mouse, location, action));
    }

    const PRESS: PointerAction = PointerAction::Press(PointerButton::Primary);
    const RELEASE: PointerAction = PointerAction::Release(PointerButton::Primary);
    const MOVE: PointerAction = PointerAction::Move { delta: Vec2::ZERO };

    #[test]
    fn within_one_slow_frame_a_press_is_where_the_button_went_down() {
        let mut app = app();
        input(&mut app, 5.0, 5.0, MOVE);
        input(&mut app, 10.0, 80.0, PRESS);
        input(&mut app, 30.0, 60.0, MOVE);
        input(&mut app, 30.0, 60.0, RELEASE);
        input(&mut app, 40.0, 40.0, MOVE);
        app.update();
        let (press, moved) = (Vec2::new(10.0, 20.0), Vec2::new(30.0, 40.0));
        assert_eq!(
            app.world().resource::<Seen>().0,
            [Stroke::Press(press), Stroke::Move(moved), Stroke::Release]
        );
    }

    #[test]
    fn a_press_on_a_panel_is_no_stroke_and_a_stroke_goes_on_below_it() {
        let mut app = app();
        for (x, action) in [(60.0, PRESS), (20.0, MOVE), (20.0, RELEASE)] {
            input(&mut app, x, 50.0, action);
        }
        app.update();
        assert_eq!(app.world().resource::<Seen>().0, []);
        input(&mut app, 20.0, 50.0, PRESS);
        input(&mut app, 60.0, 50.0, MOVE);
        app.update();
        let at = |x| Vec2::new(x, 50.0);
        assert_eq!(app.world().resource::<Seen>().0, [Stroke::Press(at(20.0)), Stroke::Move(at(60.0))]);
    }

    #[test]
    fn a_fast_stroke_leaves_no_gap() {
        let cells: Vec<Cell> = cells_between(Cell::new(2, 7), Cell::new(-3, 5)).collect();
        assert_eq!(cells.last(), Some(&Cell::new(-3, 5)));
        let mut last = Cell::new(2, 7);
        for cell in cells {
            assert!((cell.x - last.x).abs() <= 1 && (cell.y - last.y).abs() <= 1);
            last = cell;
        }
        assert_eq!(cells_between(last, last).count(), 0);
    }
}
