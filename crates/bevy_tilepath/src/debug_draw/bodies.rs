//! Gizmos of bodies: cells that they hold, and waits.

use bevy_color::Color;
use bevy_ecs::{
    entity::{EntityHashMap, EntityHashSet},
    system::Res,
};
use bevy_gizmos::{config::GizmoConfigStore, gizmos::Gizmos};
use bevy_math::{Isometry2d, Vec2};

use crate::{
    debug_draw::{TilepathGizmos, outline},
    map::{maps::Maps, projection::NavProjection},
    query::{NavQuery, bodies::BodyStance},
};

pub(super) fn draw_bodies(
    mut gizmos: Gizmos<TilepathGizmos>,
    store: Res<GizmoConfigStore>,
    maps: Maps,
    query: NavQuery,
) {
    let (_, style) = store.config::<TilepathGizmos>();
    if !style.bodies {
        return;
    }
    for view in maps.tile_maps() {
        let stances: Vec<BodyStance> = query.bodies_on(view.map).collect();
        if stances.len() > style.cell_limit {
            continue;
        }
        let places: EntityHashMap<Vec2> =
            stances.iter().map(|stance| (stance.entity, place(stance, view.projection))).collect();
        // Bodies that wait, and the bodies that they wait for, are one cluster.
        let stuck: EntityHashSet = (stances.iter())
            .filter_map(|stance| Some([stance.entity, stance.waits_for?.0]))
            .flatten()
            .collect();
        for stance in &stances {
            draw_body(&mut gizmos, style, view.projection, stance, stuck.contains(&stance.entity));
            let by = stance.waits_for.and_then(|(by, _)| places.get(&by));
            if let (Some(&from), Some(&to)) = (places.get(&stance.entity), by) {
                gizmos.arrow_2d(from, to, style.stuck_color);
            }
        }
    }
}

fn draw_body(
    gizmos: &mut Gizmos<TilepathGizmos>,
    style: &TilepathGizmos,
    projection: &NavProjection,
    stance: &BodyStance,
    is_stuck: bool,
) {
    let color = if is_stuck { style.stuck_color } else { style.body_color };
    let mut hold =
        |cell, share: f32, color: Color| outline(gizmos, projection, cell, stance.side, share, color);
    hold(stance.to, 0.42, color);
    if stance.from != stance.to {
        hold(stance.from, 0.3, color);
    }
    if let Some(cell) = stance.claims {
        hold(cell, 0.2, style.claim_color);
    }
    let centre = place(stance, projection);
    let radius = 0.25 * projection.straight_step() as f32;
    gizmos.circle_2d(Isometry2d::from_translation(centre), radius, color).resolution(8);
}

/// Returns the position of the body in the world.
fn place(stance: &BodyStance, projection: &NavProjection) -> Vec2 {
    let centre = |cell| projection.centre_of_unit(cell, stance.side);
    centre(stance.from).lerp(centre(stance.to), stance.share)
}
