//! Prices of steps in a rules file: costs between classes, and named edges.

use super::{Classes, Reader, line, parsed};
use crate::{movement::Crossing, rules::error::RulesFaultKind};
use std::collections::HashMap;

/// Reads the costs of steps between classes: the class left, the class entered, and the cost.
pub(super) fn read_step_costs<'a>(
    reader: &mut Reader<'a>,
    name: Option<&str>,
    part: &'a str,
    classes: &Classes<'a>,
) -> Vec<(u8, u8, u16)> {
    let wanted = r#"pairs of classes with numbers, such as {("road", "road"): 1}"#;
    let mut costs = Vec::new();
    let mut priced: HashMap<(u8, u8), &'a str> = HashMap::new();
    for (key, value) in reader.entries(part, name, "list of step costs", wanted).unwrap_or_default() {
        let wanted = "a whole number from 1 to 65535, or 0 to close the step";
        let cost: Option<u16> = reader.value(value, name, "step cost", wanted);
        let wanted = r#"the class left and the class entered, such as ("grass", "road")"#;
        let Some((from, to)) = reader.value::<(String, String)>(key, name, "step", wanted) else { continue };
        let [from, to] = [from, to].map(|class| classes.named(reader, key, class, name));
        let Some(pair) = from.zip(to) else { continue };
        if let Some(&first) = priced.get(&pair) {
            reader.push_fault(key, name, |source| RulesFaultKind::CostTwice {
                class: key.to_owned(),
                line: line(source, first),
            });
            continue;
        }
        priced.insert(pair, key);
        costs.extend(cost.map(|cost| (pair.0, pair.1, cost)));
    }
    costs
}

/// Reads the meanings of named edges.
pub(super) fn read_edges<'a>(
    reader: &mut Reader<'a>,
    name: Option<&str>,
    part: &'a str,
) -> Vec<(String, Crossing)> {
    let wanted = r#"names with meanings, such as {"river": 6, "cliff": "closed"}"#;
    let mut edges = Vec::new();
    let mut stated: HashMap<String, &'a str> = HashMap::new();
    for (key, value) in reader.entries(part, name, "list of edges", wanted).unwrap_or_default() {
        let crossing = match parsed::<String>(value).as_deref() {
            Some("closed") => Some(Crossing::Closed),
            Some("ends-turn") => Some(Crossing::EndsTurn),
            _ => {
                let wanted = r#"a whole number from 0 to 65535, "closed" or "ends-turn""#;
                reader.value(value, name, "meaning of an edge", wanted).map(Crossing::Costs)
            }
        };
        let Some(edge) = reader.name(key, name, "edge") else { continue };
        if let Some(&first) = stated.get(&edge) {
            reader.push_fault(key, name, |source| RulesFaultKind::NameTwice {
                kind: "edge",
                name: edge,
                line: line(source, first),
            });
            continue;
        }
        stated.insert(edge.clone(), key);
        edges.extend(crossing.map(|crossing| (edge, crossing)));
    }
    edges
}
