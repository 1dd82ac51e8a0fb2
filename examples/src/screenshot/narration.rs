//! The mouse pointer and the caption of a film, which a program plays without a mouse.

use bevy::{
    asset::RenderAssetUsages,
    prelude::*,
    render::render_resource::{Extent3d, TextureDimension, TextureFormat},
};

use crate::{camera::PanZoom, panel::colour};

/// Shows a pointer and a caption as [`Narration`] sets them.
#[derive(Debug, Clone)]
pub struct NarrationPlugin {
    /// The upper left corner of the caption, in pixels of the window.
    pub corner: Vec2,
}

/// The pointer and the caption.
#[derive(Resource, Debug, Default, Clone, PartialEq)]
pub struct Narration {
    /// The world position of the pointer; `None` hides it.
    pub pointer: Option<Vec2>,
    /// True while a button is held: the pointer has a ring.
    pub is_pressed: bool,
    /// The caption; hidden if empty.
    pub caption: &'static str,
}

impl Plugin for NarrationPlugin {
    fn build(&self, app: &mut App) {
        let corner = self.corner;
        app.init_resource::<Narration>()
            .add_systems(PostStartup, move |commands: Commands, images: ResMut<Assets<Image>>| {
                spawn_narration(commands, images, corner);
            })
            .add_systems(Last, show_narration);
    }
}

#[derive(Component)]
struct Pointer;

#[derive(Component)]
struct Ring;

#[derive(Component)]
struct Caption;

/// An arrow: `#` is dark, `o` is white. Each character is two by two pixels.
const ARROW: [&str; 16] = [
    "##..........",
    "#o#.........",
    "#oo#........",
    "#ooo#.......",
    "#oooo#......",
    "#ooooo#.....",
    "#oooooo#....",
    "#ooooooo#...",
    "#oooooooo#..",
    "#ooooo####..",
    "#oo#oo#.....",
    "#o#.#oo#....",
    "##..#oo#....",
    ".....#oo#...",
    ".....#oo#...",
    "......##....",
];
/// The diameter of the ring around a pressed pointer, in pixels.
const RING: f32 = 34.0;
/// Above panels and labels.
const ON_TOP: GlobalZIndex = GlobalZIndex(1000);

fn arrow() -> Image {
    let pixels = ARROW.iter().flat_map(|row| row.bytes()).flat_map(|letter| match letter {
        b'#' => [20, 20, 28, 255],
        b'o' => [255, 255, 255, 255],
        _ => [0; 4],
    });
    let size =
        Extent3d { width: ARROW[0].len() as u32, height: ARROW.len() as u32, depth_or_array_layers: 1 };
    let format = TextureFormat::Rgba8UnormSrgb;
    Image::new(size, TextureDimension::D2, pixels.collect(), format, RenderAssetUsages::default())
}

fn spawn_narration(mut commands: Commands, mut images: ResMut<Assets<Image>>, corner: Vec2) {
    let floating = || Node { position_type: PositionType::Absolute, ..default() };
    commands.spawn((
        Ring,
        Node {
            width: px(RING),
            height: px(RING),
            border: px(3).all(),
            border_radius: BorderRadius::MAX,
            ..floating()
        },
        BorderColor::all(colour::GOLD),
        Visibility::Hidden,
        ON_TOP,
    ));
    commands.spawn((
        Pointer,
        ImageNode::new(images.add(arrow())),
        Node { width: px(2 * ARROW[0].len()), height: px(2 * ARROW.len()), ..floating() },
        Visibility::Hidden,
        ON_TOP,
    ));
    commands.spawn((
        Caption,
        Text::default(),
        TextFont { font_size: FontSize::Px(22.0), ..default() },
        TextColor(Color::WHITE),
        Node { left: px(corner.x), top: px(corner.y), padding: UiRect::axes(px(12), px(7)), ..floating() },
        BackgroundColor(Color::srgba(0.05, 0.06, 0.09, 0.85)),
        Visibility::Hidden,
        ON_TOP,
    ));
}

type Parts<'a> = (&'a mut Node, &'a mut Visibility);

fn show_narration(
    narration: Res<Narration>,
    camera: Single<&PanZoom>,
    pointer: Single<Parts, (With<Pointer>, Without<Ring>, Without<Caption>)>,
    ring: Single<Parts, (With<Ring>, Without<Caption>)>,
    caption: Single<(&mut Text, &mut Visibility), With<Caption>>,
) {
    let at = narration.pointer.map(|world| camera.screen_at(world));
    let show = |(mut node, mut visibility): (Mut<Node>, Mut<Visibility>), is_shown: bool, offset: f32| {
        let at = at.filter(|_| is_shown);
        visibility.set_if_neq(if at.is_some() { Visibility::Inherited } else { Visibility::Hidden });
        if let Some(at) = at {
            (node.left, node.top) = (px(at.x + offset), px(at.y + offset));
        }
    };
    show(pointer.into_inner(), true, 0.0);
    show(ring.into_inner(), narration.is_pressed, -RING / 2.0);
    let (mut text, mut visibility) = caption.into_inner();
    visibility.set_if_neq(if narration.caption.is_empty() {
        Visibility::Hidden
    } else {
        Visibility::Inherited
    });
    if text.0 != narration.caption {
        narration.caption.clone_into(&mut text.0);
    }
}
