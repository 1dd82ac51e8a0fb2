//! The flag at the goal, and the ring at its foot.

use bevy::{prelude::*, sprite::Anchor};
use bevy_tilepath::{AgentPath, PathAgent, PathStatus};

use crate::figure::standing_height;

/// Marks the goal of each [`PathAgent`] that is there at the start. Needs a window.
#[derive(Debug, Clone, Copy)]
pub struct GoalFlagPlugin {
    /// The height of the ring.
    pub ring_height: f32,
}

impl Plugin for GoalFlagPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(RingHeight(self.ring_height))
            .add_systems(PostStartup, spawn_marks)
            .add_systems(PostUpdate, mark_goal.before(TransformSystems::Propagate));
    }
}

#[derive(Resource)]
struct RingHeight(f32);

#[derive(Component)]
struct GoalMark {
    walker: Entity,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    Flag,
    Ring,
}

fn spawn_marks(
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut layouts: ResMut<Assets<TextureAtlasLayout>>,
    walkers: Query<Entity, With<PathAgent>>,
) {
    let mut sheet = |file: &'static str, size: UVec2| {
        let layout = layouts.add(TextureAtlasLayout::from_grid(size, 4, 1, None, None));
        Sprite::from_atlas_image(assets.load(file), TextureAtlas { layout, index: 0 })
    };
    let flag = sheet("sprites/flag.png", UVec2::new(24, 28));
    let ring = sheet("sprites/ring.png", UVec2::new(24, 16));
    for walker in &walkers {
        commands.spawn((
            GoalMark { walker, kind: Kind::Flag },
            flag.clone(),
            // The foot of the pole, 8 pixels from the left and 4 from below.
            Anchor(Vec2::new(-0.5 + 8.0 / 24.0, -0.5 + 4.0 / 28.0)),
            Visibility::Hidden,
        ));
        commands.spawn((GoalMark { walker, kind: Kind::Ring }, ring.clone(), Visibility::Hidden));
    }
}

fn mark_goal(
    time: Res<Time<Real>>,
    ring_height: Res<RingHeight>,
    walkers: Query<(&PathStatus, Option<&AgentPath>), With<PathAgent>>,
    mut marks: Query<(&GoalMark, &mut Sprite, &mut Transform, &mut Visibility)>,
) {
    for (mark, mut sprite, mut transform, mut visibility) in &mut marks {
        let goal = walkers
            .get(mark.walker)
            .ok()
            .filter(|(status, _)| matches!(status, PathStatus::Following | PathStatus::Paused))
            .and_then(|(_, path)| path?.points().last().copied());
        let Some(goal) = goal else {
            visibility.set_if_neq(Visibility::Hidden);
            continue;
        };
        visibility.set_if_neq(Visibility::Inherited);
        let (height, frames_a_second) = match mark.kind {
            Kind::Flag => (standing_height(goal.y), 7.0),
            Kind::Ring => (ring_height.0, 5.0),
        };
        transform.translation = goal.extend(height);
        if let Some(atlas) = &mut sprite.texture_atlas {
            atlas.index = (time.elapsed_secs() * frames_a_second) as usize % 4;
        }
    }
}
