//! The plugin's types in inspectors.

use std::{any::TypeId, collections::BTreeSet};

use bevy::{
    asset::io::memory::Dir,
    prelude::*,
    reflect::{
        GetPath, NamedField, PartialReflect, TypeInfo, UnnamedField,
        enums::{DynamicEnum, DynamicVariant, VariantInfo},
    },
};
use bevy_tilepath::{
    Cell, Diagonals, NavMap, PathFailure, PathRequest, PathStatus,
    doors::{Door, DoorEnd},
};

use crate::harness::*;

/// The opaque types in types of the plugin, and the reason why each is opaque.
const OPAQUE: [(&str, &str); 21] = [
    ("bevy_platform::sync::Arc<[bevy_tilepath::PathTarget]>", AN_ARC),
    ("bevy_platform::sync::Arc<[bevy_tilepath::Place]>", AN_ARC),
    ("bevy_platform::sync::Arc<str>", AN_ARC),
    ("bevy_tilepath::AgentPath", STATE),
    ("bevy_tilepath::BodyPatience", PRIVATE),
    ("bevy_tilepath::Edges", "a list of values of the core"),
    ("bevy_tilepath::Fence", "a list of values of the core"),
    ("bevy_tilepath::Group", STATE),
    ("bevy_tilepath::NavGraph", IN_SCENES),
    ("bevy_tilepath::NavGrid", IN_SCENES),
    ("bevy_tilepath::OpaqueClasses", "Bevy reflects every `BTreeSet` as one value"),
    ("bevy_tilepath::core_types::Algorithm", MAY_GROW),
    ("bevy_tilepath::core_types::Bounds", PRIVATE),
    ("bevy_tilepath::core_types::Cost", PRIVATE),
    ("bevy_tilepath::core_types::CostTable", PRIVATE),
    ("bevy_tilepath::core_types::Formation", MAY_GROW),
    ("bevy_tilepath::core_types::Movement", PRIVATE),
    ("bevy_tilepath::core_types::Movements", PRIVATE),
    ("bevy_tilepath::core_types::Path", PRIVATE),
    ("bevy_tilepath::core_types::PathFault", MAY_GROW),
    ("bevy_tilepath::core_types::StepCosts", PRIVATE),
];

/// With the feature `serde`.
const IN_SCENES: &str = "scenes write it as one value";
const AN_ARC: &str = "Bevy reflects every `Arc` as one value";
const MAY_GROW: &str = "the core may add variants";
const PRIVATE: &str = "the core keeps the parts private";
const STATE: &str = "a change of a part would break the state of the plugin";

/// The opaque types that every inspector shows.
const SHOWN: [&str; 12] = [
    "&str",
    "alloc::string::String",
    "bevy_ecs::entity::Entity",
    "bool",
    "f32",
    "f64",
    "i32",
    "u16",
    "u32",
    "u64",
    "u8",
    "usize",
];

/// Collects the opaque types in a type. Types of other crates are not entered, except for
/// containers of the plugin's types.
fn collect(info: &'static TypeInfo, seen: &mut BTreeSet<TypeId>, opaque: &mut BTreeSet<&'static str>) {
    let path = info.type_path();
    let is_entered = path.starts_with("bevy_tilepath::") || path.starts_with("core::option::");
    if !seen.insert(info.type_id()) {
        return;
    }
    let parts: Vec<Option<&TypeInfo>> = match info {
        TypeInfo::Struct(info) if is_entered => info.iter().map(NamedField::type_info).collect(),
        TypeInfo::TupleStruct(info) if is_entered => info.iter().map(UnnamedField::type_info).collect(),
        TypeInfo::Enum(info) if is_entered => info
            .iter()
            .flat_map(|variant| match variant {
                VariantInfo::Struct(variant) => variant.iter().map(NamedField::type_info).collect(),
                VariantInfo::Tuple(variant) => variant.iter().map(UnnamedField::type_info).collect(),
                VariantInfo::Unit(_) => Vec::new(),
            })
            .collect(),
        TypeInfo::List(info) => vec![info.item_info()],
        TypeInfo::Array(info) => vec![info.item_info()],
        TypeInfo::Map(info) => vec![info.key_info(), info.value_info()],
        TypeInfo::Tuple(info) => info.iter().map(UnnamedField::type_info).collect(),
        TypeInfo::Opaque(_) => {
            opaque.insert(path);
            Vec::new()
        }
        _ => Vec::new(),
    };
    for part in parts {
        collect(part.expect("a reflected type knows its parts"), seen, opaque);
    }
}

#[test]
fn only_these_types_are_opaque() {
    let game = Game::with_files(&Dir::default());
    let registry = game.world().resource::<AppTypeRegistry>().read();
    let (mut seen, mut opaque) = (BTreeSet::new(), BTreeSet::new());
    for registration in registry.iter() {
        if registration.type_info().type_path().starts_with("bevy_tilepath::") {
            collect(registration.type_info(), &mut seen, &mut opaque);
        }
    }
    opaque.retain(|path| !SHOWN.contains(path));
    let listed = OPAQUE.iter().map(|(path, _)| *path);
    let listed: BTreeSet<&str> = listed
        .filter(|path| cfg!(feature = "tilemap") || !path.ends_with("::Fence") && !path.ends_with("::Edges"))
        .collect();
    assert_eq!(opaque, listed);
}

/// Returns a part of a value as its `Debug` text.
fn part(value: &dyn Reflect, path: &str) -> String {
    format!("{:?}", value.reflect_path(path).expect("the value has the path"))
}

#[test]
fn inspectors_see_cells_goals_and_reasons() {
    let (mut game, map) = Game::drawn_as(".#.");
    let unit = game.agent(0, 0, 16.0);
    game.order(unit, PathRequest::to_cell((1, 0)).with_tolerance(0.5));
    let request = game.world().get::<PathRequest>(unit).unwrap();
    assert_eq!(part(request, ".first.goal.0.0.x"), "1");
    assert_eq!(part(request, ".tolerance"), "0.5");
    game.tick();
    let status = game.world().get::<PathStatus>(unit).unwrap();
    assert_eq!(*status, PathStatus::Failed(PathFailure::GoalBlocked { cell: Cell::new(1, 0) }));
    assert_eq!(part(status, ".0.cell.x"), "1");

    let door = Door::new(DoorEnd::cell(map, Cell::new(2, 5)), DoorEnd::waypoint(map, "gate")).with_cost(4.0);
    assert_eq!(part(&door, ".from.cell.y"), "5");
    assert_eq!(part(&door, ".to.graph"), format!("{map:?}"));
    assert_eq!(part(&door, ".cost"), "4.0");
}

#[test]
fn rule_that_an_inspector_changes_takes_effect() {
    let (mut game, map) = Game::open(4, 4);
    let cost = |game: &mut Game| {
        game.ask(move |nav| {
            let view = nav.map(map).unwrap();
            view.find(Cell::new(0, 0), Cell::new(3, 3)).unwrap().outcome.path().unwrap().cost().get()
        })
    };
    assert_eq!(cost(&mut game), 3 * 14);
    let mut rules = game.world_mut().get_mut::<NavMap>(map).unwrap();
    let never = DynamicEnum::new("Never", DynamicVariant::Unit);
    rules.reflect_path_mut(".diagonals").unwrap().apply(never.as_partial_reflect());
    assert_eq!(rules.diagonals, Diagonals::Never);
    game.tick();
    assert_eq!(cost(&mut game), 6 * 10);
}

#[test]
fn components_are_copied_whole_by_reflection() {
    let (mut game, map) = Game::open(4, 4);
    game.world_mut().entity_mut(map).insert(NavMap::default().with_movement("boat", default()));
    let rules = game.world().get::<NavMap>(map).unwrap();
    assert_eq!(NavMap::from_reflect(rules.as_partial_reflect()).as_ref(), Some(rules));
    let order = PathRequest::to_nearest([Cell::new(1, 2), Cell::new(3, 3)]).on_map(map).or_wait();
    assert_eq!(PathRequest::from_reflect(&order), Some(order));
    let failure = PathFailure::GoalBlocked { cell: Cell::new(1, 2) };
    assert_eq!(PathFailure::from_reflect(&failure), Some(failure));
}
