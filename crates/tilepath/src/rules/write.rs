//! Rules as RON.

use super::{NamedMovement, Rules};
use crate::{
    movement::{Crossing, Diagonals, StepCosts},
    size::Size,
    text::written,
};
use std::fmt::Write;

impl Rules {
    /// Writes the rules as RON, with one line for each class, each range of textures and each
    /// movement. If a movement was based on another movement, the text describes it without this
    /// base.
    ///
    /// # Guarantee
    /// [`from_ron`](Self::from_ron) reads equal rules from this text.
    ///
    /// # Examples
    /// ```
    /// use tilepath::rules::Rules;
    /// let text = r#"(
    ///     classes: {
    ///         0: "wall",
    ///         1: "grass",
    ///     },
    ///     textures: {
    ///         0..=15: "grass",
    ///         16: "wall",
    ///     },
    ///     movements: {
    ///         "sheep": (costs: {"grass": 1}, diagonals: "never", turn_ends: [("grass", "grass")]),
    ///         "ghost": (base: default, size: 2, overlays: ["holy"]),
    ///         "cart": (step_costs: {("grass", "wall"): 0}, edges: {"cliff": "closed", "river": 6}),
    ///     },
    /// )
    /// "#;
    /// assert_eq!(Rules::from_ron(text)?.to_ron(), text);
    /// # Ok::<(), tilepath::rules::RulesError>(())
    /// ```
    #[must_use]
    pub fn to_ron(&self) -> String {
        let mut text = String::from("(\n");
        let classes = self.classes.iter().map(|(class, name)| format!("{class}: {}", in_quotes(name)));
        push_section(&mut text, "classes", classes);
        if !self.textures.is_empty() {
            let ranges = self.textures.iter().map(|range| {
                let (first, last) = (range.first, range.last);
                let indices = if first == last { first.to_string() } else { format!("{first}..={last}") };
                format!("{indices}: {}", self.class_in_quotes(range.class))
            });
            push_section(&mut text, "textures", ranges);
        }
        if !self.movements.is_empty() {
            let movements = self.movements.iter().map(|movement| self.movement_in_ron(movement));
            push_section(&mut text, "movements", movements);
        }
        text + ")\n"
    }

    /// Writes the fields that differ from an empty description.
    fn movement_in_ron(&self, named: &NamedMovement) -> String {
        let movement = &named.movement;
        let mut fields = Vec::new();
        if named.is_open {
            fields.push("base: default".to_owned());
        }
        if !named.named.is_empty() {
            let costs = named.named.iter().map(|&class| {
                format!("{}: {}", self.class_in_quotes(class), movement.costs().multiplier(class))
            });
            fields.push(format!("costs: {{{}}}", costs.collect::<Vec<_>>().join(", ")));
        }
        if movement.size() != Size::ONE {
            fields.push(format!("size: {}", movement.size().side()));
        }
        if movement.diagonals() != Diagonals::default() {
            fields.push(format!("diagonals: \"{}\"", movement.diagonals()));
        }
        let steps = movement.steps();
        if steps != StepCosts::default() {
            fields.push(format!("steps: ({}, {})", steps.straight(), steps.diagonal()));
        }
        if !movement.overlays().is_empty() {
            let overlays = movement.overlays().iter().map(|name| in_quotes(name));
            fields.push(format!("overlays: [{}]", overlays.collect::<Vec<_>>().join(", ")));
        }
        if !movement.turn_ends().is_empty() {
            let pair = |&(from, to): &(u8, u8)| {
                format!("({}, {})", self.class_in_quotes(from), self.class_in_quotes(to))
            };
            let pairs: Vec<String> = movement.turn_ends().iter().map(pair).collect();
            fields.push(format!("turn_ends: [{}]", pairs.join(", ")));
        }
        if !movement.class_steps().is_empty() {
            let step = |&(from, to, cost): &(u8, u8, u16)| {
                format!("({}, {}): {cost}", self.class_in_quotes(from), self.class_in_quotes(to))
            };
            let steps: Vec<String> = movement.class_steps().iter().map(step).collect();
            fields.push(format!("step_costs: {{{}}}", steps.join(", ")));
        }
        if !movement.edges().is_empty() {
            let edge = |(name, crossing): &(String, Crossing)| {
                let meaning = match crossing {
                    Crossing::Costs(cost) => cost.to_string(),
                    Crossing::Closed => "\"closed\"".to_owned(),
                    Crossing::EndsTurn => "\"ends-turn\"".to_owned(),
                };
                format!("{}: {meaning}", in_quotes(name))
            };
            let edges: Vec<String> = movement.edges().iter().map(edge).collect();
            fields.push(format!("edges: {{{}}}", edges.join(", ")));
        }
        format!("{}: ({})", in_quotes(&named.name), fields.join(", "))
    }

    /// Returns the name of a class, in quotes. A class of textures or movements always has a name.
    fn class_in_quotes(&self, class: u8) -> String {
        in_quotes(self.class_name(class).unwrap_or_default())
    }
}

fn in_quotes(name: &str) -> String {
    written(ron::to_string(name).ok())
}

fn push_section(text: &mut String, field: &str, lines: impl Iterator<Item = String>) {
    // Writing to a `String` cannot fail.
    let _ = writeln!(text, "    {field}: {{");
    for line in lines {
        let _ = writeln!(text, "        {line},");
    }
    text.push_str("    },\n");
}
