//! The movements of a rules file, built from their bases.

use super::{
    Classes, MOVEMENTS, Reader, line, parsed,
    prices::{read_edges, read_step_costs},
    similar,
};
use crate::{
    movement::{Crossing, Diagonals, Movement, StepCosts},
    rules::{NamedMovement, error::RulesFaultKind},
    size::Size,
    terrain::CostTable,
    text::quoted,
};
use std::collections::{BTreeSet, HashMap};

/// A movement as it is written in the file.
#[derive(Debug)]
struct Stated<'a> {
    name: String,
    /// The place of its name in the text.
    key: &'a str,
    base: Base<'a>,
    costs: Vec<(u8, u16)>,
    size: Option<Size>,
    diagonals: Option<Diagonals>,
    steps: Option<StepCosts>,
    overlays: Option<Vec<String>>,
    turn_ends: Option<Vec<(u8, u8)>>,
    step_costs: Option<Vec<(u8, u8, u16)>>,
    edges: Option<Vec<(String, Crossing)>>,
}

/// The base of a movement.
#[derive(Debug)]
enum Base<'a> {
    Closed,
    Default,
    /// Another movement: its name, and the place where it is named.
    Named(String, &'a str),
}

pub(super) fn read<'a>(reader: &mut Reader<'a>, part: &'a str, classes: &Classes<'a>) -> Vec<NamedMovement> {
    let Some(entries) = reader.entries(part, None, "list of movements", MOVEMENTS) else { return Vec::new() };
    let mut stated: Vec<Stated<'a>> = Vec::with_capacity(entries.len());
    let mut places: HashMap<String, usize> = HashMap::new();
    for (key, value) in entries {
        let name = reader.name(key, None, "movement");
        if let Some(name) = &name {
            if let Some(&first) = places.get(name) {
                let (first, name) = (stated[first].key, name.clone());
                reader.push_fault(key, Some(&name.clone()), |source| RulesFaultKind::NameTwice {
                    kind: "movement",
                    name,
                    line: line(source, first),
                });
            } else {
                places.insert(name.clone(), stated.len());
            }
        }
        let movement = Stated::read(reader, name.as_deref(), key, value, classes);
        stated.push(movement);
    }
    let bases = find_bases(reader, &stated, &places);
    let order = from_bases_on(reader, &stated, &bases);
    build(stated, &bases, &order)
}

impl<'a> Stated<'a> {
    fn read(
        reader: &mut Reader<'a>,
        name: Option<&str>,
        key: &'a str,
        part: &'a str,
        classes: &Classes<'a>,
    ) -> Self {
        let known =
            ["base", "costs", "size", "diagonals", "steps", "overlays", "turn_ends", "step_costs", "edges"];
        let description = ["movement", r#"fields in parentheses, such as (costs: {"grass": 1}, size: 2)"#];
        let fields = reader.fields(part, name, known, description);
        let [base, costs, size, diagonals, steps, overlays, turn_ends, step_costs, edges] =
            fields.unwrap_or_default();
        Self {
            name: name.unwrap_or_default().to_owned(),
            key,
            base: base.map_or(Base::Closed, |part| read_base(reader, name, part)),
            costs: costs.map_or_else(Vec::new, |part| read_costs(reader, name, part, classes)),
            size: size.and_then(|part| read_size(reader, name, part)),
            diagonals: diagonals.and_then(|part| read_diagonals(reader, name, part)),
            steps: steps.and_then(|part| read_steps(reader, name, part)),
            overlays: overlays.map(|part| {
                let parts =
                    reader.list(part, name, "list of overlays", r#"names in brackets, such as ["danger"]"#);
                parts.into_iter().filter_map(|part| reader.name(part, name, "overlay")).collect()
            }),
            turn_ends: turn_ends.map(|part| read_turn_ends(reader, name, part, classes)),
            step_costs: step_costs.map(|part| read_step_costs(reader, name, part, classes)),
            edges: edges.map(|part| read_edges(reader, name, part)),
        }
    }
}

fn read_base<'a>(reader: &mut Reader<'a>, name: Option<&str>, part: &'a str) -> Base<'a> {
    match part {
        "closed" => Base::Closed,
        "default" => Base::Default,
        _ => {
            if let Some(base) = parsed(part) {
                return Base::Named(base, part);
            }
            reader.push_bad_value(part, name, "base", "closed, default, or the name of a movement in quotes");
            Base::Closed
        }
    }
}

fn read_costs<'a>(
    reader: &mut Reader<'a>,
    name: Option<&str>,
    part: &'a str,
    classes: &Classes<'a>,
) -> Vec<(u8, u16)> {
    let wanted = r#"classes with numbers, such as {"grass": 1, "mud": 4}"#;
    let mut costs = Vec::new();
    let mut priced: HashMap<String, &'a str> = HashMap::new();
    for (key, value) in reader.entries(part, name, "list of costs", wanted).unwrap_or_default() {
        let wanted = "a whole number from 1 to 65535, or 0 to close the class";
        let cost = reader.value(value, name, "cost", wanted);
        let Some((class, of)) = classes.class(reader, key, name) else { continue };
        if let Some(&first) = priced.get(&of) {
            reader.push_fault(key, name, |source| RulesFaultKind::CostTwice {
                class: of,
                line: line(source, first),
            });
            continue;
        }
        priced.insert(of, key);
        costs.extend(cost.map(|cost| (class, cost)));
    }
    costs
}

fn read_size(reader: &mut Reader<'_>, name: Option<&str>, part: &str) -> Option<Size> {
    let size = parsed(part).and_then(|side| Size::new(side).ok());
    if size.is_none() {
        reader.push_fault(part, name, |_| RulesFaultKind::BadSize { found: quoted(part) });
    }
    size
}

fn read_diagonals(reader: &mut Reader<'_>, name: Option<&str>, part: &str) -> Option<Diagonals> {
    let rule = parsed::<String>(part).and_then(|rule| rule.parse().ok());
    if rule.is_none() {
        let wanted =
            r#""never", "only-when-no-obstacles", "if-at-most-one-obstacle" or "always", in these quotes"#;
        reader.push_bad_value(part, name, "diagonal rule", wanted);
    }
    rule
}

fn read_steps(reader: &mut Reader<'_>, name: Option<&str>, part: &str) -> Option<StepCosts> {
    let wanted = "the costs of a straight and of a diagonal step, such as (10, 14)";
    let (straight, diagonal) = reader.value(part, name, "pair of step costs", wanted)?;
    let steps = StepCosts::new(straight, diagonal);
    if let Err(error) = steps {
        reader.push_fault(part, name, |_| RulesFaultKind::BadSteps(error));
    }
    steps.ok()
}

fn read_turn_ends<'a>(
    reader: &mut Reader<'a>,
    name: Option<&str>,
    part: &'a str,
    classes: &Classes<'a>,
) -> Vec<(u8, u8)> {
    let wanted = r#"pairs of classes in brackets, such as [("land", "water")]"#;
    let mut pairs = Vec::new();
    for pair in reader.list(part, name, "list of turn ends", wanted) {
        let wanted = r#"the class left and the class entered, such as ("land", "water")"#;
        let Some((from, to)) = reader.value::<(String, String)>(pair, name, "turn end", wanted) else {
            continue;
        };
        let [from, to] = [from, to].map(|class| classes.named(reader, pair, class, name));
        pairs.extend(from.zip(to));
    }
    pairs
}

/// Returns the index of the base of each movement that is based on another one.
fn find_bases<'a>(
    reader: &mut Reader<'a>,
    stated: &[Stated<'a>],
    places: &HashMap<String, usize>,
) -> Vec<Option<usize>> {
    let base_of = |movement: &Stated<'a>| {
        let Base::Named(base, part) = &movement.base else { return None };
        let place = places.get(base).copied();
        if place.is_none() {
            let names =
                || stated.iter().map(|other| other.name.as_str()).filter(|other| *other != movement.name);
            reader.push_fault(part, Some(&movement.name), |_| RulesFaultKind::UnknownBase {
                base: base.clone(),
                similar: similar(base, names()),
            });
        }
        place
    };
    stated.iter().map(base_of).collect()
}

/// Returns the indices of the movements, each after its base. Notes a fault for each ring.
fn from_bases_on<'a>(reader: &mut Reader<'a>, stated: &[Stated<'a>], bases: &[Option<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(stated.len());
    let mut is_seen = vec![false; stated.len()];
    let mut is_placed = vec![false; stated.len()];
    for start in 0..stated.len() {
        let mut walk = Vec::new();
        let mut next = Some(start);
        while let Some(place) = next.filter(|&place| !is_seen[place]) {
            is_seen[place] = true;
            walk.push(place);
            next = bases[place];
        }
        if let Some(place) = next.filter(|&place| !is_placed[place]) {
            let ring =
                walk.iter().skip_while(|&&other| other != place).map(|&place| stated[place].name.clone());
            reader.push_fault(stated[place].key, Some(&stated[place].name), |_| RulesFaultKind::BaseRing {
                ring: ring.collect(),
            });
        }
        for place in walk.into_iter().rev() {
            is_placed[place] = true;
            order.push(place);
        }
    }
    order
}

fn build(stated: Vec<Stated<'_>>, bases: &[Option<usize>], order: &[usize]) -> Vec<NamedMovement> {
    let mut built: Vec<Option<NamedMovement>> = vec![None; stated.len()];
    for &place in order {
        let base = bases[place].and_then(|base| built[base].as_ref());
        built[place] = Some(stated[place].build(base));
    }
    built.into_iter().flatten().collect()
}

impl Stated<'_> {
    /// Builds the movement. `base` is `None` if it is not based on another movement.
    fn build(&self, base: Option<&NamedMovement>) -> NamedMovement {
        let is_open = base.map_or(matches!(self.base, Base::Default), |base| base.is_open);
        let usual = if is_open { CostTable::identity() } else { CostTable::impassable() };
        let plain = || Movement::new().with_costs(usual);
        let base_movement = base.map_or_else(plain, |base| base.movement.clone());
        let costs = self
            .costs
            .iter()
            .fold(base_movement.costs().clone(), |table, &(class, cost)| table.with(class, cost));
        let movement = Movement::new()
            .with_costs(costs)
            .with_diagonals(self.diagonals.unwrap_or(base_movement.diagonals()))
            .with_steps(self.steps.unwrap_or(base_movement.steps()))
            .with_size(self.size.unwrap_or(base_movement.size()));
        let overlays = self.overlays.as_deref().unwrap_or(base_movement.overlays());
        let turn_ends = self.turn_ends.as_deref().unwrap_or(base_movement.turn_ends());
        let movement =
            turn_ends.iter().fold(movement, |movement, &(from, to)| movement.with_turn_end([from], [to]));
        let step_costs = self.step_costs.as_deref().unwrap_or(base_movement.class_steps());
        let movement = (step_costs.iter())
            .fold(movement, |movement, &(from, to, cost)| movement.with_step_cost([from], [to], cost));
        let edges = self.edges.as_deref().unwrap_or(base_movement.edges());
        let movement =
            edges.iter().fold(movement, |movement, (name, crossing)| movement.with_edges(name, *crossing));
        let mut named = base.map_or_else(BTreeSet::new, |base| base.named.clone());
        named.extend(self.costs.iter().map(|&(class, _)| class));
        NamedMovement {
            name: self.name.clone(),
            movement: overlays.iter().fold(movement, Movement::with_overlay),
            is_open,
            named,
        }
    }
}
