//! The actions of the program itself, for a screenshot.

use bevy::{ecs::schedule::common_conditions::condition_changed_to, prelude::*};
use bevy_tilepath::{NavQuery, PathRequest};
use clap::ValueEnum;
use tilepath_examples::{pointer::MapPointer, screenshot::has_begun};

use crate::{
    edit::{Edit, EditSet},
    hand::Hand,
    mouse::{HandSet, local},
    pointing::PointingSet,
    scene::Walker,
    settings::{Settings, Shown},
};

/// The scene of a screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Moment {
    /// The town, and the messenger at its gate
    Start,
    /// The messenger walks
    Walk,
    /// The messenger walks, and the pointer is on a waypoint
    Hover,
    /// The path to a place beside the ways
    Preview,
    /// The nearest supplies from a waypoint
    Nearest,
    /// Two ways are removed
    Removed,
    /// A waypoint is dragged while the messenger walks
    Drag,
    /// A way is drawn
    Draw,
}

/// Acts one [`Moment`], on any graph.
pub(crate) struct TourPlugin {
    pub(crate) moment: Moment,
}

#[derive(Resource)]
struct Tour(Moment);

impl Plugin for TourPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Tour(self.moment))
            .add_systems(Update, give_order.run_if(condition_changed_to(true, has_begun)))
            .add_systems(Update, point.before(PointingSet))
            .add_systems(Update, (let_go.before(HandSet), hold.after(HandSet).before(EditSet)));
    }
}

/// The waypoints of the scenes in the town. In other graphs, the first waypoints replace them.
const HOVERED: &str = "inn";
const SEEKING: &str = "harbour";
const DRAGGED: &str = "west bank";
const DRAWN_FROM: &str = "church";
const DRAWN_TO: &str = "smithy";
/// The messenger's goal: off the ways, behind the farm.
const GOAL: Vec2 = Vec2::new(448.0, 216.0);
/// The place of the pointer for [`Moment::Preview`].
const BESIDE: Vec2 = Vec2::new(158.0, 152.0);
/// The place to which the waypoint is dragged.
const HELD: Vec2 = Vec2::new(330.0, 142.0);

fn give_order(
    mut commands: Commands,
    tour: Res<Tour>,
    walker: Single<Entity, With<Walker>>,
    mut settings: ResMut<Settings>,
    mut edits: MessageWriter<Edit>,
) {
    if !matches!(tour.0, Moment::Start | Moment::Preview | Moment::Nearest) {
        commands.entity(*walker).insert(PathRequest::to_position(GOAL));
    }
    if tour.0 == Moment::Nearest {
        settings.shown = Shown::Supplies;
    }
    if tour.0 == Moment::Removed {
        let part = |(from, to): (&str, &str)| Edit::Part { from: from.into(), to: to.into() };
        edits
            .write_batch([("inn", "south gate"), ("market", "bakery"), ("west bank", "east bank")].map(part));
    }
}

/// Returns the place of a waypoint of the town in the world, or of its replacement in another
/// graph.
fn place_of(nav: &NavQuery, id: &str) -> Option<Vec2> {
    let view = nav.only_graph().ok()?;
    view.position_of(id).or_else(|| {
        let other = view.graph().waypoints().nth(id.len() % view.graph().len().max(1))?;
        Some(view.world_of(other.position))
    })
}

/// Puts the pointer at its place, wherever the mouse is.
fn point(tour: Res<Tour>, nav: NavQuery, mut pointer: ResMut<MapPointer>) {
    pointer.world = match tour.0 {
        Moment::Start | Moment::Walk | Moment::Removed => None,
        Moment::Hover => place_of(&nav, HOVERED),
        Moment::Preview => Some(BESIDE),
        Moment::Nearest => place_of(&nav, SEEKING),
        Moment::Drag => Some(HELD),
        Moment::Draw => place_of(&nav, DRAWN_TO),
    };
}

fn let_go(mut hand: ResMut<Hand>) {
    hand.set_if_neq(Hand::Idle);
}

fn hold(tour: Res<Tour>, nav: NavQuery, mut hand: ResMut<Hand>, mut edits: MessageWriter<Edit>) {
    let Ok(view) = nav.only_graph() else { return };
    match tour.0 {
        Moment::Drag if view.position_of(DRAGGED).is_some() => {
            *hand = Hand::Dragging(vec![(DRAGGED.into(), Vec2::ZERO)]);
            edits.write(Edit::Move(vec![(DRAGGED.into(), local(&view, HELD))]));
        }
        Moment::Draw if view.position_of(DRAWN_FROM).is_some() => {
            *hand = Hand::Drawing { from: DRAWN_FROM.into(), one_way: false };
        }
        _ => {}
    }
}
