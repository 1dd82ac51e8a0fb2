//! All choices of each kind, in the order of the panel.

use super::{Brush, Ground, Method, Mode, Net, Setting, Size, UNITS};
use crate::turns::POINTS;
use tilepath::{Diagonals, HeuristicKind, Topology, turns::LongStep};

pub(crate) fn modes() -> Vec<Setting> {
    [Mode::Grid, Mode::Graph].map(Setting::Mode).to_vec()
}

pub(crate) fn methods() -> Vec<Setting> {
    Method::ALL.map(Setting::Method).to_vec()
}

pub(crate) fn rivals() -> Vec<Setting> {
    std::iter::once(None).chain(Method::ALL.map(Some)).map(Setting::Rival).collect()
}

pub(crate) fn diagonals() -> Vec<Setting> {
    Diagonals::ALL.map(Setting::Diagonals).to_vec()
}

pub(crate) fn heuristics() -> Vec<Setting> {
    HeuristicKind::ALL.map(Setting::Heuristic).to_vec()
}

pub(crate) fn brushes() -> Vec<Setting> {
    Brush::ALL.map(Setting::Brush).to_vec()
}

pub(crate) fn sizes() -> Vec<Setting> {
    Size::ALL.map(Setting::Size).to_vec()
}

pub(crate) fn grounds() -> Vec<Setting> {
    Ground::ALL.map(Setting::Ground).to_vec()
}

pub(crate) fn nets() -> Vec<Setting> {
    Net::ALL.map(Setting::Net).to_vec()
}

pub(crate) fn topologies() -> Vec<Setting> {
    [Topology::Square, Topology::Hexagonal].map(Setting::Topology).to_vec()
}

pub(crate) fn units() -> Vec<Setting> {
    UNITS.map(Setting::Unit).to_vec()
}

pub(crate) fn points() -> Vec<Setting> {
    std::iter::once(None).chain(POINTS.map(Some)).map(Setting::Points).collect()
}

pub(crate) fn long_steps() -> Vec<Setting> {
    [LongStep::Never, LongStep::OwnTurn].map(Setting::LongStep).to_vec()
}
