//! Cost tables as they are stored: a rule and its exceptions.

use crate::terrain::CostTable;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A cost table as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(rename = "CostTable", deny_unknown_fields)]
pub(crate) struct StoredCostTable {
    others: Rule,
    /// The classes with another cost.
    #[serde(default)]
    classes: BTreeMap<u8, u16>,
}

/// The rule for the costs of all classes that are not listed.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Rule {
    Identity,
    Uniform,
    Impassable,
}

impl Rule {
    fn table(self) -> CostTable {
        match self {
            Self::Identity => CostTable::identity(),
            Self::Uniform => CostTable::uniform(),
            Self::Impassable => CostTable::impassable(),
        }
    }
}

impl From<CostTable> for StoredCostTable {
    /// Chooses the rule that leaves the fewest classes to list.
    fn from(table: CostTable) -> Self {
        let by_rule = |rule: Rule| {
            let usual = rule.table();
            let classes = (0..=u8::MAX).map(|class| (class, table.multiplier(class)));
            Self {
                others: rule,
                classes: classes.filter(|&(class, costs)| costs != usual.multiplier(class)).collect(),
            }
        };
        let (uniform, impassable) = (by_rule(Rule::Uniform), by_rule(Rule::Impassable));
        [uniform, impassable].into_iter().fold(by_rule(Rule::Identity), |best, other| {
            if other.classes.len() < best.classes.len() { other } else { best }
        })
    }
}

impl From<StoredCostTable> for CostTable {
    fn from(stored: StoredCostTable) -> Self {
        let classes = stored.classes.into_iter();
        classes.fold(stored.others.table(), |table, (class, multiplier)| table.with(class, multiplier))
    }
}
