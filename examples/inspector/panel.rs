//! The inspector: named entities and the plugin's resources.

use std::any::{Any, TypeId};

use bevy::{prelude::*, window::PrimaryWindow};
use bevy_inspector_egui::{
    bevy_egui::{EguiContext, EguiPrimaryContextPass, PrimaryEguiContext},
    bevy_inspector::{ui_for_entity, ui_for_resource},
    egui,
    inspector_egui_impls::InspectorEguiImpl,
};
use bevy_tilepath::{
    AgentPath, Diagonals, NavGraph, NavMap, PathAgent, PathRequest, TilepathDiagnostics, TilepathSettings,
    doors::Door, recording::PathRecorder,
};
use tilepath_examples::scale::scale_of;

pub(crate) struct PanelPlugin;

impl Plugin for PanelPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Startup, describe_types).add_systems(EguiPrimaryContextPass, show);
    }
}

/// Adds a text or widgets for components with opaque values of the core.
fn describe_types(registry: Res<AppTypeRegistry>) {
    let mut registry = registry.write();
    let mut describe = |id: TypeId, description: InspectorEguiImpl| {
        if let Some(registration) = registry.get_mut(id) {
            registration.insert(description);
        }
    };
    describe(TypeId::of::<NavMap>(), description::<NavMap>());
    describe(TypeId::of::<NavGraph>(), description::<NavGraph>());
    describe(TypeId::of::<Door>(), description::<Door>());
    describe(TypeId::of::<PathRequest>(), description::<PathRequest>());
    describe(TypeId::of::<AgentPath>(), description::<AgentPath>());
}

/// A component with opaque values, as the inspector shows it.
trait Described: Any {
    fn text(&self) -> String;

    /// Shows widgets that change it. Returns whether they changed it.
    fn edit(&mut self, _: &mut egui::Ui) -> bool {
        false
    }
}

fn description<T: Described>() -> InspectorEguiImpl {
    InspectorEguiImpl::new(
        |value, ui, _, _, _| {
            value.downcast_mut::<T>().is_some_and(|value| {
                ui.label(value.text());
                value.edit(ui)
            })
        },
        |value, ui, _, _, _| {
            if let Some(value) = value.downcast_ref::<T>() {
                ui.label(value.text());
            }
        },
        |ui, _, _, _, _, _| {
            ui.label("one at a time");
            false
        },
    )
}

impl Described for NavMap {
    fn text(&self) -> String {
        format!("steps {:?}, missing tiles: {:?}", self.steps, self.missing_tile)
    }

    fn edit(&mut self, ui: &mut egui::Ui) -> bool {
        let mut changed = false;
        for rule in Diagonals::ALL {
            changed |= ui.radio_value(&mut self.diagonals, rule, format!("diagonals {rule}")).changed();
        }
        changed
    }
}

impl Described for NavGraph {
    fn text(&self) -> String {
        format!("{} waypoints", self.graph().len())
    }
}

impl Described for Door {
    fn text(&self) -> String {
        format!("from {:?}\nto {:?}", self.from, self.to)
    }

    fn edit(&mut self, ui: &mut egui::Ui) -> bool {
        ui.checkbox(&mut self.open, "open").changed() | ui.checkbox(&mut self.one_way, "one way").changed()
    }
}

impl Described for PathRequest {
    fn text(&self) -> String {
        format!("{:?}", self.goal())
    }
}

impl Described for AgentPath {
    fn text(&self) -> String {
        let (points, left) = (self.points().len(), self.points().len() - self.next_point());
        let cost = self.cost().map_or_else(|| "-".to_owned(), |cost| cost.to_string());
        format!("cost {cost}, {points} points, {left} of them ahead")
    }
}

/// Shows the inspector. It is an exclusive system because the inspector reads and writes the whole
/// world.
fn show(world: &mut World) {
    let mut contexts = world.query_filtered::<&mut EguiContext, With<PrimaryEguiContext>>();
    let Ok(mut context) = contexts.single(world).cloned() else { return };
    if let Ok(window) = world.query_filtered::<&Window, With<PrimaryWindow>>().single(world) {
        context.get_mut().set_zoom_factor(scale_of(window.size()));
    }
    let mut named: Vec<(String, Entity)> = (world.query::<(Entity, &Name)>().iter(world))
        .filter(|(_, name)| name.as_str() != "camera")
        .map(|(entity, name)| (name.to_string(), entity))
        .collect();
    named.sort_by_key(|(name, entity)| (world.get::<PathAgent>(*entity).is_none(), name.clone()));

    let place = egui::pos2(850.0, 10.0);
    egui::Window::new("bevy_tilepath").default_pos(place).default_size((400.0, 680.0)).show(
        context.get_mut(),
        |ui| {
            egui::ScrollArea::vertical().show(ui, |ui| {
                for (name, entity) in named {
                    let is_agent = world.get::<PathAgent>(entity).is_some();
                    egui::CollapsingHeader::new(&name).default_open(is_agent).show(ui, |ui| {
                        ui.push_id(entity, |ui| ui_for_entity(world, entity, ui));
                    });
                }
                ui.separator();
                ui.collapsing("TilepathSettings", |ui| ui_for_resource::<TilepathSettings>(world, ui));
                ui.collapsing("TilepathDiagnostics", |ui| ui_for_resource::<TilepathDiagnostics>(world, ui));
                ui.collapsing("PathRecorder", |ui| ui_for_resource::<PathRecorder>(world, ui));
            });
        },
    );
}
