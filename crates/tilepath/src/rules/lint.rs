//! Rules that are legal but probably mistakes.

mod ground;

use self::ground::can_stand;
use super::{NamedMovement, Rules, error::textures};
use crate::{grid::Grid, movement::Movement, text::similar::most_similar, topology::Topology};
use std::{collections::HashMap, fmt};

/// A rule that is legal but probably a mistake. A game may still use it on purpose.
///
/// The `Display` text of the lint states what to change if the rule is a mistake.
///
/// # Examples
/// ```
/// use tilepath::rules::{Lint, Rules};
/// let rules = Rules::from_ron(r#"(
///     classes: {1: "grass", 4: "water", 7: "lava"},
///     textures: {0..=3: "grass", 4..=7: "water"},
///     movements: {"sheep": (costs: {"grass": 1}), "ram": (base: "sheep")},
/// )"#)?;
/// let lints: Vec<String> = rules.lint().iter().map(Lint::to_string).collect();
/// assert_eq!(lints, [
///     "textures 4 to 7 are `water`, which is closed to every movement; give it a cost in one, or the cost 0 if that is meant",
///     "the class `lava` (7) is named by no texture and by no movement; name it, or take it out",
///     "the movements `sheep` and `ram` are equal; change one of them, or keep only one",
/// ]);
/// # Ok::<(), tilepath::rules::RulesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Lint {
    /// The rules describe no movement.
    NoMovements,
    /// A class has no texture, no movement names the class, and no movement may enter it. This lint
    /// is not reported for class 0.
    UnusedClass {
        /// The number of the class.
        class: u8,
        /// The name of the class.
        name: String,
    },
    /// Some textures have a class that no movement names and no movement may enter. This lint is
    /// not reported for class 0.
    ClosedTextures {
        /// The index of the first of these textures.
        first: u32,
        /// The index of the last of these textures.
        last: u32,
        /// The name of the class.
        class: String,
    },
    /// All classes are closed to a movement.
    ClosedMovement {
        /// The name of the movement.
        movement: String,
    },
    /// Two movements differ only in their names.
    EqualMovements {
        /// The name of the movement that comes first in the file.
        first: String,
        /// The name of the other movement.
        second: String,
    },
    /// A movement may enter class 0.
    WallOpened {
        /// The name of the movement.
        movement: String,
    },
    /// A class of the map has no name. This lint is not reported for class 0.
    UnnamedClass {
        /// The number of the class.
        class: u8,
        /// The number of cells of this class.
        cells: usize,
    },
    /// The units of a movement are larger than the map.
    LargerThanMap {
        /// The name of the movement.
        movement: String,
        /// The number of cells along one side of a unit.
        side: u8,
        /// The number of columns of the map.
        width: u32,
        /// The number of rows of the map.
        height: u32,
    },
    /// The units of a movement cover more than one cell, but the cells of the map are hexagons.
    SizeOnHexagons {
        /// The name of the movement.
        movement: String,
        /// The number of cells along one side of a unit.
        side: u8,
    },
    /// There is no place on the map where a unit of a movement can stand.
    NoPlace {
        /// The name of the movement.
        movement: String,
        /// The number of cells along one side of a unit.
        side: u8,
    },
    /// No movement names this overlay of the map.
    UnreadOverlay {
        /// The name of the overlay.
        overlay: String,
        /// The most similar name of an overlay that a movement uses, if there is a similar name.
        similar: Option<String>,
    },
    /// A movement gives a meaning to edges that the map does not have, but the map has others.
    UnknownEdges {
        /// The name of the movement.
        movement: String,
        /// The name of the edges.
        edges: String,
        /// The names of the edges of the map.
        known: Vec<String>,
    },
}

impl fmt::Display for Lint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMovements => formatter.write_str("there are no movements; describe one, as in movements: {\"walker\": (costs: {\"grass\": 1})}"),
            Self::UnusedClass { class, name } => write!(
                formatter,
                "the class `{name}` ({class}) is named by no texture and by no movement; name it, or take it out"
            ),
            Self::ClosedTextures { first, last, class } => write!(
                formatter,
                "{} `{class}`, which is closed to every movement; give it a cost in one, or the cost 0 if that is meant",
                textures(*first, *last, ["is", "are"])
            ),
            Self::ClosedMovement { movement } => write!(
                formatter,
                "the movement `{movement}` may enter no class; give one a cost, or begin it from default or from another movement"
            ),
            Self::EqualMovements { first, second } => write!(
                formatter,
                "the movements `{first}` and `{second}` are equal; change one of them, or keep only one"
            ),
            Self::WallOpened { movement } => write!(
                formatter,
                "the movement `{movement}` may enter class 0, and so also cells without a tile; close it, or give what it may enter another class"
            ),
            Self::UnnamedClass { class, cells } => write!(
                formatter,
                "{cells} {} of class {class}, which has no name; list it under classes",
                if *cells == 1 { "cell of the map is" } else { "cells of the map are" }
            ),
            Self::LargerThanMap { movement, side, width, height } => write!(
                formatter,
                "a unit of the movement `{movement}` covers {side} × {side} cells, and the map has {width} × {height}; make it smaller"
            ),
            Self::SizeOnHexagons { movement, side } => write!(
                formatter,
                "the movement `{movement}` has size {side}, and the map hexagons, where units cover one cell; make it size 1"
            ),
            Self::NoPlace { movement, side: 1 } => write!(
                formatter,
                "no cell of the map is open to the movement `{movement}`; give a class of the map a cost there"
            ),
            Self::NoPlace { movement, side } => write!(
                formatter,
                "nowhere on the map are {side} × {side} cells open to the movement `{movement}`; make it smaller, or open more classes to it"
            ),
            Self::UnreadOverlay { overlay, similar } => {
                write!(formatter, "the overlay `{overlay}` of the map counts for no movement; name it in one")?;
                similar.as_ref().map_or(Ok(()), |name| write!(formatter, ", or did you mean `{name}`?"))
            }
            Self::UnknownEdges { movement, edges, known } => write!(
                formatter,
                "the movement `{movement}` names the edges `{edges}`, which the map does not have; it has {}",
                known.join(", ")
            ),
        }
    }
}

impl Rules {
    /// Returns the lints of the rules. The lints of classes come first, sorted by the number of the
    /// class. The lints of movements follow, in the order of the file.
    #[must_use]
    pub fn lint(&self) -> Vec<Lint> {
        if self.movements.is_empty() {
            return vec![Lint::NoMovements];
        }
        let classes = self.classes().filter(|&(class, _)| class != 0 && self.is_forgotten(class));
        let mut lints: Vec<Lint> =
            classes.flat_map(|(class, name)| self.lint_forgotten(class, name)).collect();
        // The first name of each movement. Never iterated, so hash order cannot matter.
        let mut firsts: HashMap<&Movement, &str> = HashMap::new();
        for NamedMovement { name, movement, .. } in &self.movements {
            if is_closed(movement) {
                lints.push(Lint::ClosedMovement { movement: name.clone() });
            }
            if movement.costs().is_passable(0) {
                lints.push(Lint::WallOpened { movement: name.clone() });
            }
            if let Some(&first) = firsts.get(movement) {
                lints.push(Lint::EqualMovements { first: first.to_owned(), second: name.clone() });
            } else {
                firsts.insert(movement, name);
            }
        }
        lints
    }

    /// Returns the lints for the use of the rules on a map. The lints of classes come first, sorted
    /// by the number of the class. The lints of movements follow, in the order of the file, and
    /// then the lints of overlays and edges. The lints of [`lint`](Self::lint) are not included.
    ///
    /// # Complexity
    /// O(cells) for each movement whose units cover more than one cell, and O(1) for each other
    /// movement.
    ///
    /// # Examples
    /// ```
    /// use tilepath::{format, rules::{Lint, Rules}};
    /// let rules = Rules::from_ron(r#"(
    ///     classes: {1: "grass", 4: "water"},
    ///     movements: {"sheep": (costs: {"grass": 1}), "boat": (costs: {"water": 1}), "cow": (base: "sheep", size: 2)},
    /// )"#)?;
    /// let grid = format::parse_ascii("
    ///     112
    ///     1#1
    /// ")?;
    /// let lints: Vec<String> = rules.lint_on(&grid).iter().map(Lint::to_string).collect();
    /// assert_eq!(lints, [
    ///     "1 cell of the map is of class 2, which has no name; list it under classes",
    ///     "no cell of the map is open to the movement `boat`; give a class of the map a cost there",
    ///     "nowhere on the map are 2 × 2 cells open to the movement `cow`; make it smaller, or open more classes to it",
    /// ]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn lint_on(&self, grid: &Grid) -> Vec<Lint> {
        let unnamed =
            (1..=u8::MAX).filter(|&class| grid.class_count(class) > 0 && self.class_name(class).is_none());
        let unnamed = unnamed.map(|class| Lint::UnnamedClass { class, cells: grid.class_count(class) });
        let misplaced = self.movements().filter_map(|(name, movement)| lint_place(name, movement, grid));
        let names = || self.movements().flat_map(|(_, movement)| movement.overlays()).map(String::as_str);
        let unread = grid.overlay_names().filter(|&overlay| names().all(|name| name != overlay));
        let unread = unread.map(|overlay| Lint::UnreadOverlay {
            overlay: overlay.to_owned(),
            similar: most_similar(overlay, names()).map(str::to_owned),
        });
        let known: Vec<String> = grid.edge_names().map(str::to_owned).collect();
        let named = self
            .movements()
            .flat_map(|(name, movement)| movement.edges().iter().map(move |(edges, _)| (name, edges)));
        let unknown = named.filter(|(_, edges)| !known.is_empty() && !known.contains(edges));
        let unknown = unknown.map(|(movement, edges)| Lint::UnknownEdges {
            movement: movement.to_owned(),
            edges: edges.clone(),
            known: known.clone(),
        });
        unnamed.chain(misplaced).chain(unread).chain(unknown).collect()
    }

    /// Returns whether no movement names the class, and none may enter it.
    fn is_forgotten(&self, class: u8) -> bool {
        let knows =
            |named: &NamedMovement| named.named.contains(&class) || named.movement.costs().is_passable(class);
        !self.movements.iter().any(knows)
    }

    fn lint_forgotten(&self, class: u8, name: &str) -> Vec<Lint> {
        let ranges = self.textures.iter().filter(|range| range.class == class);
        let closed = ranges.map(|range| Lint::ClosedTextures {
            first: range.first,
            last: range.last,
            class: name.to_owned(),
        });
        let closed: Vec<Lint> = closed.collect();
        if closed.is_empty() { vec![Lint::UnusedClass { class, name: name.to_owned() }] } else { closed }
    }
}

/// Returns the reason why units of a movement cannot be on a map, if there is one. Movements that
/// are closed everywhere have [`Lint::ClosedMovement`] already.
fn lint_place(name: &str, movement: &Movement, grid: &Grid) -> Option<Lint> {
    let (side, width, height) = (movement.size().side(), grid.width(), grid.height());
    let movement_name = name.to_owned();
    if side > 1 && grid.topology() == Topology::Hexagonal {
        return Some(Lint::SizeOnHexagons { movement: movement_name, side });
    }
    if u32::from(side) > width.min(height) {
        return Some(Lint::LargerThanMap { movement: movement_name, side, width, height });
    }
    let is_told = is_closed(movement) || can_stand(movement, grid);
    (!is_told).then_some(Lint::NoPlace { movement: movement_name, side })
}

/// Returns whether the movement may enter no class.
fn is_closed(movement: &Movement) -> bool {
    movement.costs().highest() == 0
}
