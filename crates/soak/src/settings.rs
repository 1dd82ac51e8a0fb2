//! Settings of a run, and its deeds.

use std::{fmt, str::FromStr};

use bevy_tilepath::maps::Lattice;

use crate::reload::Checkpoint;

/// The settings of a run. Equal settings give equal runs.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub struct Settings {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The ticks of all epochs together, without the ticks in which everything comes to rest.
    pub ticks: u32,
    /// The number of agents at a time.
    pub agents: usize,
    /// The number of epochs. At the end of each, everything is despawned and the plugin's tables
    /// are checked.
    pub epochs: u32,
    /// The deeds that can happen.
    pub deeds: Vec<Deed>,
    /// The lattice of all maps.
    pub lattice: Lattice,
    /// True if most agents have one of seven movements, and change it. Otherwise agents use the
    /// rules of their maps, or are scouts, who pay overlays.
    pub movements: bool,
    /// True if most agents walk straight lines or with an offset, and some of them are moved by their
    /// velocity.
    pub lines: bool,
    /// True if buildings of 5 × 5 cells are set on units, and open ground takes their place.
    pub buildings: bool,
    /// The number of an agent whose life is printed on standard error.
    pub trace: Option<u32>,
    /// The tick of a checkpoint, and what the run does there.
    pub checkpoint: Option<(u32, Checkpoint)>,
    /// The ticks between two states that the run takes and drops; 0 for none.
    pub states_every: u32,
    /// True if each tick examines all paths, also those that need no check. The hash stays the same.
    pub examines_all: bool,
    /// The tick after which the run ends without further checks, wherever it is.
    pub until: Option<u32>,
}

impl Default for Settings {
    /// Returns 2,000 ticks with 200 agents and all deeds, in sixteen epochs, on squares.
    fn default() -> Self {
        Self {
            seed: 1,
            ticks: 2000,
            agents: 200,
            epochs: 16,
            deeds: Deed::ALL.to_vec(),
            lattice: Lattice::Square,
            movements: false,
            lines: false,
            buildings: false,
            trace: None,
            checkpoint: None,
            states_every: 0,
            examines_all: false,
            until: None,
        }
    }
}

impl fmt::Display for Settings {
    /// Writes the arguments of the command `soak` for these settings.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "--seed {} --ticks {} --agents {}", self.seed, self.ticks, self.agents)?;
        if self.epochs != Self::default().epochs {
            write!(formatter, " --epochs {}", self.epochs)?;
        }
        if self.lattice != Lattice::Square {
            write!(formatter, " --tiles {}", self.lattice)?;
        }
        let modes = [(self.movements, "movements"), (self.lines, "lines"), (self.buildings, "buildings")];
        for (is_on, name) in modes {
            if is_on {
                write!(formatter, " --{name}")?;
            }
        }
        let left_out: Vec<&str> =
            Deed::ALL.into_iter().filter(|deed| !self.deeds.contains(deed)).map(Deed::name).collect();
        if !left_out.is_empty() {
            write!(formatter, " --without {}", left_out.join(","))?;
        }
        if let Some((tick, _)) = self.checkpoint {
            write!(formatter, " --checkpoint {tick}")?;
        }
        if self.states_every > 0 {
            write!(formatter, " --states-every {}", self.states_every)?;
        }
        if self.examines_all {
            formatter.write_str(" --examine-all")?;
        }
        match self.until {
            Some(tick) => write!(formatter, " --until {tick}"),
            None => Ok(()),
        }
    }
}

/// An action that a game can do between two ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    /// An order to an agent without an order.
    Order,
    /// A new order to an agent that is under way or waits for its answer.
    Replace,
    /// An order in each tick, to the position of another agent.
    Chase,
    /// An order along a path that was found before, from the agent's cell.
    Along,
    /// An order that goes on: it follows or keeps near another agent, flees from it, has stops, has
    /// no end, or waits for a path.
    Living,
    /// An edit of the stops of an order.
    Stops,
    /// The cancellation of an order.
    Cancel,
    /// An order to a group of agents, each with a place of its own.
    Group,
    /// The order of a group is cancelled, or goes on to another place.
    GroupChange,
    /// An agent is paused, or continues.
    Pause,
    /// An agent gets another speed: slow, fast, 0 or infinite.
    Speed,
    /// An agent is put elsewhere, on its map or off it.
    Teleport,
    /// An agent is put on another map.
    Transfer,
    /// An agent is despawned, and a new agent is spawned.
    Despawn,
    /// An entity loses its `PathAgent`, or gets it back.
    Retire,
    /// An agent gets a body, or loses it.
    Body,
    /// A cell of any map changes.
    Edit,
    /// A cell near an agent under way changes.
    EditNear,
    /// A rectangle of cells changes.
    EditMany,
    /// A cell leaves the map, or comes back: anywhere, under an agent, on its path, or its goal.
    Void,
    /// An edge becomes a fence, a ledge or one-way, or is opened.
    Edge,
    /// The overlay of single cells changes: a value, a closed cell, or nothing.
    Overlay,
    /// Areas of danger are spawned and despawned, follow agents, fade and come back.
    Area,
    /// A map gets other rules.
    Rules,
    /// A door is opened, closed, or costs more or less.
    Door,
    /// A door is despawned, and a new door is spawned.
    DoorLife,
    /// A waypoint moves, is added or removed, or an edge is opened or closed.
    Graph,
    /// An obstacle is spawned, despawned or moved.
    Obstacle,
    /// A map is despawned with its children, and a new map is spawned.
    MapLife,
    /// The parents of maps and agents move and turn.
    Carrier,
    /// The budget of work changes.
    Budget,
    /// A tile changes, is removed, comes back, or moves.
    Tile,
    /// An agent gets another movement.
    Movement,
}

impl Deed {
    /// All deeds in their order in a tick. Deeds that name positions come after deeds that move
    /// things.
    pub const ALL: [Self; 33] = [
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
        Self::Void,
        Self::Edge,
        Self::Overlay,
        Self::Area,
        Self::Rules,
        Self::Door,
        Self::DoorLife,
        Self::Graph,
        Self::Obstacle,
        Self::Budget,
        Self::Tile,
        Self::Movement,
    ];

    /// Returns the name on the command line.
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
            Self::Void => "void",
            Self::Edge => "edge",
            Self::Overlay => "overlay",
            Self::Area => "area",
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

    /// Returns the mean number of times per tick, for 200 agents.
    pub(crate) const fn rate(self) -> f64 {
        match self {
            Self::Order => 4.0,
            Self::Replace | Self::Living => 2.0,
            // Chasers are chosen once. All of them get an order in each tick.
            Self::Chase | Self::Carrier | Self::Area | Self::Stops | Self::Overlay => 1.0,
            Self::Cancel | Self::Graph | Self::Tile | Self::Void => 0.4,
            Self::Pause | Self::Teleport | Self::Body | Self::Movement => 0.6,
            Self::Along | Self::Speed | Self::Obstacle => 0.3,
            Self::Transfer | Self::Despawn | Self::Retire | Self::Door | Self::Group => 0.2,
            Self::GroupChange => 0.1,
            Self::Edit | Self::EditNear | Self::Edge => 1.5,
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
