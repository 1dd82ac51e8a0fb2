//! The widgets: Bevy's headless buttons, radio buttons and sliders with a look.

mod look;

use bevy::{
    input_focus::{InputFocus, InputFocusVisible, tab_navigation::TabIndex},
    picking::hover::Hovered,
    prelude::*,
    ui::{Checked, InteractionDisabled},
    ui_widgets::{
        Activate, Button, RadioButton, RadioGroup, Slider, SliderPrecision, SliderRange, SliderStep,
        SliderThumb, SliderValue, TrackClick, ValueChange,
    },
};
use tilepath_examples::panel::{colour, line};

use crate::{
    lab::{Lab, LabSet},
    order::{Order, SPEEDS},
    overlay::Sheet,
    settings::Setting,
};

/// The width of a slider's thumb, in pixels.
const THUMB: f32 = 12.0;

/// Turns events of widgets into orders, and shows the state of the laboratory on them. Needs a
/// window.
pub(crate) struct WidgetsPlugin;

impl Plugin for WidgetsPlugin {
    fn build(&self, app: &mut App) {
        app.add_observer(choose)
            .add_observer(press)
            .add_observer(slide)
            .add_systems(Update, (check_choices, place_sliders, place_thumbs).chain().after(LabSet))
            .add_systems(
                Update,
                (look::dress_buttons, look::dress_captions, look::ring_focus, give_focus_back),
            );
    }
}

/// The choice of a radio button.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice(pub(crate) Setting);

/// The action of a button.
#[derive(Component, Debug, Clone, Copy, PartialEq)]
pub(crate) enum Action {
    Order(Order),
    /// Shows or hides a sheet over the board.
    Show(Sheet),
}

/// The value that a slider sets.
#[derive(Component, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dial {
    Step,
    Speed,
}

/// Returns a row of radio buttons, one of which is chosen.
pub(crate) fn group(node: Node) -> impl Bundle {
    (RadioGroup, TabIndex(0), FocusRing, Node { border_radius: BorderRadius::all(px(3)), ..node })
}

/// Marks a widget that gets a frame while it has the keyboard focus.
#[derive(Component)]
pub(crate) struct FocusRing;

fn flat(node: Node) -> impl Bundle {
    (
        Hovered::default(),
        Node {
            align_items: AlignItems::Center,
            justify_content: JustifyContent::Center,
            border: UiRect::all(px(1)),
            border_radius: BorderRadius::all(px(3)),
            ..node
        },
        BackgroundColor(colour::BUTTON),
        BorderColor::all(Color::NONE),
    )
}

/// Returns a radio button. Add its text as children.
pub(crate) fn radio(setting: Setting, node: Node) -> impl Bundle {
    (RadioButton, Choice(setting), flat(node))
}

/// Returns a button. Add its text as children.
pub(crate) fn button(action: Action, node: Node) -> impl Bundle {
    (Button, action, TabIndex(0), FocusRing, flat(node))
}

/// Adds a slider.
pub(crate) fn spawn_slider(parent: &mut ChildSpawnerCommands, dial: Dial, node: Node) {
    let (start, end, step) = match dial {
        Dial::Step => (0.0, 1.0, 1.0),
        Dial::Speed => (SPEEDS.0, SPEEDS.1, 0.25),
    };
    let mut slider = parent.spawn((
        dial,
        Slider { track_click: TrackClick::Snap, ..default() },
        SliderRange::new(start, end),
        SliderValue(start),
        SliderStep(step),
        TabIndex(0),
        FocusRing,
        Hovered::default(),
        Node { height: px(20), align_items: AlignItems::Center, ..node },
    ));
    if dial == Dial::Step {
        slider.insert(SliderPrecision(0));
    }
    slider.with_children(|slider| {
        slider.spawn((
            Node { width: percent(100), height: px(6), border_radius: BorderRadius::all(px(3)), ..default() },
            BackgroundColor(Color::srgba(1.0, 1.0, 1.0, 0.16)),
            Pickable::IGNORE,
        ));
        // The range of the thumb is shorter than the track by the width of the thumb.
        slider
            .spawn((
                Node {
                    position_type: PositionType::Absolute,
                    left: px(0),
                    right: px(THUMB),
                    top: px(1),
                    bottom: px(1),
                    ..default()
                },
                Pickable::IGNORE,
            ))
            .with_children(|way| {
                way.spawn((
                    SliderThumb,
                    Node {
                        position_type: PositionType::Absolute,
                        width: px(THUMB),
                        height: percent(100),
                        border_radius: BorderRadius::all(px(4)),
                        ..default()
                    },
                    BackgroundColor(colour::GOLD),
                ));
            });
    });
}

fn choose(change: On<ValueChange<Entity>>, choices: Query<&Choice>, mut orders: MessageWriter<Order>) {
    if let Ok(choice) = choices.get(change.value) {
        orders.write(Order::Choose(choice.0));
    }
}

fn press(
    activated: On<Activate>,
    actions: Query<&Action>,
    mut orders: MessageWriter<Order>,
    mut sheet: ResMut<Sheet>,
) {
    match actions.get(activated.entity) {
        Ok(&Action::Order(order)) => {
            orders.write(order);
        }
        Ok(&Action::Show(shown)) => sheet.toggle(shown),
        Err(_) => {}
    }
}

fn slide(change: On<ValueChange<f32>>, dials: Query<&Dial>, mut orders: MessageWriter<Order>) {
    match dials.get(change.source) {
        Ok(Dial::Step) => {
            orders.write(Order::Seek(change.value.round() as usize));
        }
        Ok(Dial::Speed) => {
            orders.write(Order::Speed(change.value));
        }
        Err(_) => {}
    }
}

fn check_choices(
    lab: Res<Lab>,
    choices: Query<(Entity, &Choice, Has<Checked>, Has<InteractionDisabled>)>,
    mut commands: Commands,
) {
    if !lab.is_changed() {
        return;
    }
    for (entity, choice, is_checked, is_disabled) in &choices {
        let settings = lab.settings();
        match (settings.has(choice.0), is_checked) {
            (true, false) => {
                commands.entity(entity).insert(Checked);
            }
            (false, true) => {
                commands.entity(entity).remove::<Checked>();
            }
            _ => {}
        }
        match (settings.offers(choice.0), is_disabled) {
            (false, false) => {
                commands.entity(entity).insert(InteractionDisabled);
            }
            (true, true) => {
                commands.entity(entity).remove::<InteractionDisabled>();
            }
            _ => {}
        }
    }
}

/// Inserts new values into sliders, because `SliderValue` is an immutable component.
fn place_sliders(
    lab: Res<Lab>,
    sliders: Query<(Entity, &Dial, &SliderValue, &SliderRange)>,
    mut commands: Commands,
) {
    for (entity, dial, value, range) in &sliders {
        let (new, wanted) = match dial {
            Dial::Step => (lab.at() as f32, SliderRange::new(0.0, lab.total().max(1) as f32)),
            Dial::Speed => (lab.speed(), SliderRange::new(SPEEDS.0, SPEEDS.1)),
        };
        if *range != wanted {
            commands.entity(entity).insert(wanted);
        }
        if *value != SliderValue(new) {
            commands.entity(entity).insert(SliderValue(new));
        }
    }
}

fn place_thumbs(
    sliders: Query<(&SliderValue, &SliderRange, &Children), Or<(Changed<SliderValue>, Changed<SliderRange>)>>,
    children: Query<&Children>,
    mut thumbs: Query<&mut Node, With<SliderThumb>>,
) {
    for (value, range, parts) in &sliders {
        let position = range.thumb_position(value.0).clamp(0.0, 1.0) * 100.0;
        for way in parts {
            for thumb in children.get(*way).into_iter().flatten() {
                if let Ok(mut node) = thumbs.get_mut(*thumb) {
                    node.left = percent(position);
                }
            }
        }
    }
}

/// Gives the keys back to the board after a click. Focus that was moved by keys stays on its
/// widget.
fn give_focus_back(mut focus: ResMut<InputFocus>, is_visible: Res<InputFocusVisible>) {
    if !is_visible.0 && focus.get().is_some() {
        focus.clear();
    }
}

/// A text on a flat widget.
#[derive(Component)]
pub(crate) struct Caption;

/// Returns the text of a flat widget.
pub(crate) fn caption(text: impl Into<String>, size: f32) -> impl Bundle {
    (Caption, line(text, size, colour::TEXT), TextLayout { linebreak: LineBreak::NoWrap, ..default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        method::Method,
        settings::{Mode, Settings},
    };

    fn app() -> App {
        let mut app = App::new();
        app.add_plugins(MinimalPlugins)
            .add_message::<Order>()
            .insert_resource(Sheet::Nothing)
            .insert_resource(Lab::new(Settings::default()))
            .add_observer(choose)
            .add_observer(press)
            .add_observer(slide)
            .add_systems(Update, (check_choices, place_sliders, place_thumbs).chain());
        app
    }

    fn orders(app: &mut App) -> Vec<Order> {
        app.world_mut().resource_mut::<Messages<Order>>().drain().collect()
    }

    #[test]
    fn every_widget_gives_its_order() {
        let mut app = app();
        let world = app.world_mut();
        let play = world.spawn(Action::Order(Order::PlayOrPause)).id();
        let keys = world.spawn(Action::Show(Sheet::Keys)).id();
        let greedy = world.spawn(Choice(Setting::Method(Method::Greedy))).id();
        let group = world.spawn(RadioGroup).id();
        let [step, speed] = [Dial::Step, Dial::Speed].map(|dial| world.spawn(dial).id());
        for entity in [play, keys] {
            world.trigger(Activate { entity });
        }
        world.trigger(ValueChange { source: group, value: greedy, is_final: true });
        world.trigger(ValueChange { source: step, value: 12.4_f32, is_final: false });
        world.trigger(ValueChange { source: speed, value: 2.5_f32, is_final: true });
        assert_eq!(
            orders(&mut app),
            [
                Order::PlayOrPause,
                Order::Choose(Setting::Method(Method::Greedy)),
                Order::Seek(12),
                Order::Speed(2.5),
            ]
        );
        assert_eq!(*app.world().resource::<Sheet>(), Sheet::Keys);
    }

    #[test]
    fn widgets_show_what_is_chosen_and_what_can_be() {
        let mut app = app();
        let choice = |app: &mut App, method| app.world_mut().spawn(Choice(Setting::Method(method))).id();
        let [a_star, jumps] = [Method::AStar, Method::JumpPoint].map(|method| choice(&mut app, method));
        app.update();
        assert!(app.world().get::<Checked>(a_star).is_some() && app.world().get::<Checked>(jumps).is_none());
        let mut lab = app.world_mut().resource_mut::<Lab>();
        lab.obey(Order::Choose(Setting::Method(Method::Dijkstra)));
        lab.obey(Order::Choose(Setting::Mode(Mode::Graph)));
        app.update();
        assert!(app.world().get::<Checked>(a_star).is_none());
        assert!(app.world().get::<InteractionDisabled>(a_star).is_none());
        assert!(app.world().get::<InteractionDisabled>(jumps).is_some());
    }

    #[test]
    fn the_thumb_stands_where_the_search_is() {
        let mut app = app();
        let world = app.world_mut();
        let thumb = world.spawn((SliderThumb, Node::default())).id();
        let way = world.spawn(Node::default()).add_child(thumb).id();
        let slider = (Dial::Step, SliderValue(0.0), SliderRange::new(0.0, 1.0));
        let slider = world.spawn(slider).add_child(way).id();
        world.resource_mut::<Lab>().obey(Order::SeekEnd);
        app.update();
        let total = app.world().resource::<Lab>().total() as f32;
        assert_eq!(app.world().get::<SliderValue>(slider), Some(&SliderValue(total)));
        assert_eq!(app.world().get::<Node>(thumb).unwrap().left, percent(100));
    }
}
