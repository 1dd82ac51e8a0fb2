//! What a run of the soak is made of.

use std::{fmt, str::FromStr};

use bevy_tilepath::maps::Lattice;

/// How a world is let live. Equal settings let equal things happen.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where all numbers drawn by lot come from.
    pub seed: u64,
    /// Ticks of all epochs together; those in which everything comes to rest come on top.
    pub ticks: u32,
    /// Agents alive at a time.
    pub agents: usize,
    /// How often everything is despawned, looked for in the plugin's tables, and spawned again.
    pub epochs: u32,
    /// What may happen.
    pub deeds: Vec<Deed>,
    /// How the cells of all maps lie beside each other.
    pub lattice: Lattice,
    /// Whether most agents have one of five movements, and change it. Otherwise all go by the rules of their maps.
    pub movements: bool,
    /// Whether maps by hand are large, without doors, and all orders to one place are answered near the cheapest, part by part where it
    /// is far.
    pub near: bool,
    /// The number of an agent whose life is told on standard error.
    pub trace: Option<u32>,
}

impl Default for Settings {
    /// 2,000 ticks of 200 agents with everything that can happen, in sixteen epochs, on squares.
    fn default() -> Self {
        Self {
            seed: 1,
            ticks: 2000,
            agents: 200,
            epochs: 16,
            deeds: Deed::ALL.to_vec(),
            lattice: Lattice::Square,
            movements: false,
            near: false,
            trace: None,
        }
    }
}

/// Something that a game may do between two ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// An order to an agent without one.
    Order,
    /// Another order to an agent on its way, or still waiting for the answer.
    Replace,
    /// An order in each tick, to where another agent is then.
    Chase,
    /// An order along a path that was found beforehand, from where the agent is.
    Along,
    /// An order that lives: after or near to another agent, away from it, by several stops, without end, waiting for a way.
    Living,
    /// The stops of an order are edited.
    Stops,
    /// An order is taken back.
    Cancel,
    /// An order to a group of agents, each with a place of its own.
    Group,
    /// The order of a group is cancelled, or goes on to another place.
    GroupChange,
    /// An agent is held, or let go.
    Pause,
    /// An agent gets another speed: slow, fast, none, infinite.
    Speed,
    /// An agent is put elsewhere, on its map or off it.
    Teleport,
    /// An agent is put on another map.
    Transfer,
    /// An agent goes, and a new one comes.
    Despawn,
    /// An agent stops being one, or becomes one again.
    Retire,
    /// An agent shares its cells no more with others, or does again.
    Body,
    /// A cell of some map changes.
    Edit,
    /// A cell beside an agent on its way changes.
    EditNear,
    /// A rectangle of cells changes.
    EditMany,
    /// A map gets other rules.
    Rules,
    /// A door is opened, closed, or costs more or less.
    Door,
    /// A door goes, and a new one comes.
    DoorLife,
    /// A waypoint moves, comes or goes; a way is opened or closed.
    Graph,
    /// An obstacle comes, goes or moves.
    Obstacle,
    /// A map goes with all that belongs to it, and a new one comes.
    MapLife,
    /// Parents of maps and agents move and turn.
    Carrier,
    /// The budget of work changes.
    Budget,
    /// A tile changes, goes, comes back, or moves.
    Tile,
    /// An agent gets another movement, where there are some.
    Movement,
}

impl Deed {
    /// All of them, in the order in which they are done in a tick: positions are named when nothing moves any more.
    pub const ALL: [Self; 29] = [
        Self::MapLife,
        Self::Carrier,
        Self::Order,
        Self::Replace,
        Self::Chase,
        Self::Along,
        Self::Living,
        Self::Stops,
        Self::Cancel,
        Self::Group,
        Self::GroupChange,
        Self::Pause,
        Self::Speed,
        Self::Teleport,
        Self::Transfer,
        Self::Despawn,
        Self::Retire,
        Self::Body,
        Self::Edit,
        Self::EditNear,
        Self::EditMany,
        Self::Rules,
        Self::Door,
        Self::DoorLife,
        Self::Graph,
        Self::Obstacle,
        Self::Budget,
        Self::Tile,
        Self::Movement,
    ];

    /// How it is written on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Replace => "replace",
            Self::Chase => "chase",
            Self::Along => "along",
            Self::Living => "living",
            Self::Stops => "stops",
            Self::Cancel => "cancel",
            Self::Group => "group",
            Self::GroupChange => "group-change",
            Self::Pause => "pause",
            Self::Speed => "speed",
            Self::Teleport => "teleport",
            Self::Transfer => "transfer",
            Self::Despawn => "despawn",
            Self::Retire => "retire",
            Self::Body => "body",
            Self::Edit => "edit",
            Self::EditNear => "edit-near",
            Self::EditMany => "edit-many",
            Self::Rules => "rules",
            Self::Door => "door",
            Self::DoorLife => "door-life",
            Self::Graph => "graph",
            Self::Obstacle => "obstacle",
            Self::MapLife => "map-life",
            Self::Carrier => "carrier",
            Self::Budget => "budget",
            Self::Tile => "tile",
            Self::Movement => "movement",
        }
    }

    /// How often it is done in a tick, on average, where there are 200 agents.
    pub(crate) const fn rate(self) -> f64 {
        match self {
            Self::Order => 4.0,
            Self::Replace | Self::Living => 2.0,
            // Chasers are chosen once; all of them are ordered in each tick.
            Self::Chase | Self::Carrier | Self::Stops => 1.0,
            Self::Cancel | Self::Graph | Self::Tile => 0.4,
            Self::Pause | Self::Teleport | Self::Body | Self::Movement => 0.6,
            Self::Along | Self::Speed | Self::Obstacle => 0.3,
            Self::Transfer | Self::Despawn | Self::Retire | Self::Door | Self::Group => 0.2,
            Self::GroupChange => 0.1,
            Self::Edit | Self::EditNear => 1.5,
            Self::DoorLife => 0.05,
            Self::EditMany | Self::Budget | Self::Rules => 0.02,
            Self::MapLife => 0.005,
        }
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Deed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|deed| deed.name() == text).ok_or_else(|| {
            format!("there is no `{text}`: choose among {}", Self::ALL.map(Self::name).join(", "))
        })
    }
}
