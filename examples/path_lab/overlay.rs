//! Sheets over the board: the explanation of an answer, and the keys.

use bevy::prelude::*;
use tilepath_examples::{
    panel::{colour, line},
    scrolled::spawn_scrolled,
};

use crate::{
    bill,
    keys::Cursor,
    lab::{Lab, LabSet},
    settings::Mode,
};

/// The sheet that is shown.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sheet {
    Nothing,
    Explanation,
    Keys,
}

impl Sheet {
    /// Shows a sheet, or hides it if it is shown.
    pub(crate) fn toggle(&mut self, shown: Self) {
        *self = if *self == shown { Self::Nothing } else { shown };
    }
}

/// The text of the sheet of keys.
const KEYS: &str = "\
space             play, pause
left, right       a step back, a step forward
page up, down     ten steps back, ten forward; on a sheet: scroll
home, end         first step, last step
up, down          faster, slower

G                 grid or graph
A                 next algorithm
R                 race: a second algorithm side by side
T, U              squares or hexagons, next size of the unit
P, O              points a turn; the rule for steps that
                  cost more
D                 next rule for diagonal steps
H                 next estimate (heuristic)
M, Z              next map or graph, next size
                  with shift: the one before

N                 new random start and goal, 10 or more apart
X, C              new map of this kind, clear the map
Y                 copy a link: map, start, goal, algorithms
1 to 6            wall, plain, grass, mud, water, route
7, 8              one-way edges, danger; paint again: more,
                  then removed
9                 friends: the unit passes, but does not stop
I J K L           move the cursor over the cells
enter             use the brush at the cursor; one-way: on
                  the edge that the cursor has just crossed
S, F              move start, goal to the cursor
                  on a graph: to the next node

E                 explain: the cost of each step, the extra
                  cost of your route, the walls to open;
                  and why the cell at the cursor is blocked
F2                hide the panel, show it again
+, -, 0           zoom in, zoom out, show all
shift + arrows    move the view
tab               next widget; arrows, space and enter
                  work there
escape            close the sheet, leave the widgets

mouse             click or drag paints; drag S and G;
                  drag over an edge with brush 7;
                  click two nodes; wheel zooms, middle
                  button moves the view
";

/// The sheets. Needs a window.
pub(crate) struct OverlayPlugin;

impl Plugin for OverlayPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Sheet::Nothing)
            .add_systems(Startup, spawn_sheets)
            .add_systems(Update, (show_sheet, write_explanation).after(LabSet));
    }
}

/// The node of a sheet.
#[derive(Component)]
struct SheetNode(Sheet);

/// The part of a sheet that keys scroll.
#[derive(Component)]
pub(crate) struct Scrolled;

#[derive(Component)]
struct ExplanationText;

fn spawn_sheets(mut commands: Commands) {
    for (sheet, title) in [(Sheet::Explanation, "Why this answer"), (Sheet::Keys, "Keys")] {
        let node = Node {
            position_type: PositionType::Absolute,
            left: px(24),
            top: px(48),
            width: px(560),
            max_width: percent(92),
            max_height: percent(79),
            flex_direction: FlexDirection::Column,
            row_gap: px(8),
            padding: UiRect::axes(px(20), px(14)),
            border: UiRect::all(px(1)),
            border_radius: BorderRadius::all(px(6)),
            ..default()
        };
        let shown = commands
            .spawn((
                SheetNode(sheet),
                node,
                BackgroundColor(Color::srgb(0.09, 0.09, 0.12)),
                BorderColor::all(colour::GOLD),
                Visibility::Hidden,
                GlobalZIndex(10),
            ))
            .with_child(line(title, 16.0, colour::GOLD))
            .id();
        let area = spawn_scrolled(&mut commands, shown, 0.0, "more below: page down, or turn the wheel");
        commands.entity(area).insert(Scrolled);
        let words = if sheet == Sheet::Keys { KEYS } else { "" };
        let mut text = commands.spawn((line(words, 12.0, colour::TEXT), ChildOf(area)));
        if sheet == Sheet::Explanation {
            text.insert(ExplanationText);
        }
    }
}

/// Scrolls the sheets by this many pixels, as far as they go.
pub(crate) fn scroll(areas: &mut Query<(&mut ScrollPosition, &ComputedNode), With<Scrolled>>, down: f32) {
    for (mut position, node) in areas {
        let hidden = (node.content_size().y - node.size().y) * node.inverse_scale_factor();
        position.y = (position.y + down).clamp(0.0, hidden.max(0.0));
    }
}

fn show_sheet(shown: Res<Sheet>, mut sheets: Query<(&SheetNode, &mut Visibility)>) {
    for (sheet, mut visibility) in &mut sheets {
        visibility.set_if_neq(if sheet.0 == *shown { Visibility::Inherited } else { Visibility::Hidden });
    }
}

fn write_explanation(
    lab: Res<Lab>,
    shown: Res<Sheet>,
    cursor: Res<Cursor>,
    text: Single<&mut Text, With<ExplanationText>>,
) {
    if *shown != Sheet::Explanation || !(lab.is_changed() || shown.is_changed() || cursor.is_changed()) {
        return;
    }
    let cell = cursor.at.filter(|_| lab.settings().mode == Mode::Grid);
    let cell = cell.map_or_else(String::new, |cell| format!("{}\n\n", bill::of_cell(&lab, cell)));
    let answer = bill::explanation(&lab).unwrap_or_else(|| {
        match lab.settings().mode {
            Mode::Grid => "Go to the last step (end), or draw a route from S to G with brush 6.",
            Mode::Graph => "Explanations are for grids only; on a graph the costs are below the nodes.",
        }
        .into()
    });
    let new = cell + &answer;
    let mut text = text.into_inner();
    if text.0 != new {
        text.0 = new;
    }
}
