//! Links: the experiment in the address of a page, and copied from here.

use bevy::{clipboard::Clipboard, prelude::*};
use race_link::{RaceLink, Racer};
use tilepath::{Algorithm, Grid, Lattice, Size, Topology};
use tilepath_examples::{
    map_file::MarkedMap,
    panel::{colour, write_line},
};

use crate::{
    lab::{Lab, LabSet},
    method::Method,
    order::Order,
    settings::{Ground, Mode, Settings, UNITS},
    shape::cell_of,
};

/// Copies links to the clipboard. Needs a window.
pub(crate) struct LinkPlugin;

impl Plugin for LinkPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(Update, (copy_link.after(LabSet), write_caption).chain());
    }
}

/// The caption of the button that copies the link, and the seconds for which it shows the outcome.
#[derive(Component, Debug, Default)]
pub(crate) struct LinkCaption {
    outcome: Option<&'static str>,
    left: f32,
}

/// The caption before and after the outcome.
pub(crate) const CAPTION: &str = "Y  copy link";
const SECONDS: f32 = 2.0;

impl Method {
    /// Returns the name of this algorithm in a link.
    const fn racer(self) -> Racer {
        match self {
            Self::Landmarks => Racer::Landmarks,
            _ => Racer::Algorithm(self.on_grids()),
        }
    }

    fn of_racer(racer: Racer) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|method| method.racer() == racer);
        known.ok_or_else(|| match racer {
            Racer::Algorithm(Algorithm::WeightedAStar { percent }) => {
                format!(
                    "the laboratory has weighted-astar with {} percent, not with {percent}",
                    Algorithm::DEFAULT_WEIGHT_PERCENT
                )
            }
            _ => format!("the laboratory has no {racer}; open the link with `tilepath solve --link`"),
        })
    }
}

/// Returns the link to an experiment. Turns and friends are not in it: no search depends on them.
///
/// # Errors
/// Returns a reason if no link is possible.
pub(crate) fn link_to(lab: &Lab) -> Result<RaceLink, &'static str> {
    let (settings, field) = (lab.settings(), lab.field());
    if settings.mode == Mode::Graph {
        return Err("no link: a graph");
    }
    let (columns, rows) = field.shape().cells();
    if columns * rows > RaceLink::MOST_TILES {
        return Err("no link: too large");
    }
    Ok(RaceLink {
        grid: field.finder.grid().clone(),
        lattice: lattice(settings.topology),
        columns,
        rows,
        start: field.start,
        goal: field.goal,
        racer: settings.method.racer(),
        rival: settings.rival.map(Method::racer),
        diagonals: settings.diagonals,
        heuristic: settings.heuristic,
        size: field.unit(),
    })
}

/// Returns the experiment of a link, with further choices from other settings.
///
/// # Errors
/// Returns a text if the laboratory has no such experiment.
pub(crate) fn lab_of(link: &RaceLink, settings: Settings) -> Result<Lab, String> {
    let topology = link.lattice.topology();
    if link.lattice != lattice(topology) {
        return Err(format!(
            "the laboratory has no {}; open the link with `tilepath solve --link`",
            link.lattice
        ));
    }
    let unit = link.size.side();
    if !UNITS.contains(&unit) || topology == Topology::Hexagonal && link.size != Size::ONE {
        return Err(format!("the laboratory has no unit of {unit} x {unit} cells on {topology} cells"));
    }
    let method = Method::of_racer(link.racer)?;
    let rival = link.rival.map(Method::of_racer).transpose()?.filter(|&rival| rival != method);
    let settings = Settings {
        mode: Mode::Grid,
        method,
        rival,
        topology,
        unit,
        diagonals: link.diagonals,
        heuristic: link.heuristic,
        ground: Ground::Default,
        ..settings
    };
    let mut lab = Lab::new(settings);
    lab.take_map(rows_of(link)?);
    lab.take_grid(link.grid.clone());
    lab.place_ends(Some(link.start), Some(link.goal))?;
    Ok(lab)
}

/// Returns the lattice of boards of the laboratory.
const fn lattice(topology: Topology) -> Lattice {
    match topology {
        Topology::Square => Lattice::Square,
        Topology::Hexagonal => Lattice::HexRowOdd,
    }
}

/// Returns the ground of a link as rows of squares, as maps of files are kept.
fn rows_of(link: &RaceLink) -> Result<MarkedMap, String> {
    let topology = link.lattice.topology();
    let tiles =
        (0..link.rows as i32).flat_map(|row| (0..link.columns as i32).map(move |column| (column, row)));
    let ground = tiles.filter_map(|(column, row)| {
        let class = link.grid.terrain(cell_of(topology, column, row))?;
        Some((cell_of(Topology::Square, column, row), class))
    });
    let bounds = Lattice::Square.bounds_of(link.columns, link.rows);
    let grid =
        bounds.and_then(|bounds| Grid::from_tiles(bounds, ground)).map_err(|error| error.to_string())?;
    Ok(MarkedMap { grid, start: None, goal: None })
}

fn copy_link(
    mut orders: MessageReader<Order>,
    lab: Res<Lab>,
    mut clipboard: ResMut<Clipboard>,
    mut captions: Query<&mut LinkCaption>,
) {
    if !orders.read().any(|order| *order == Order::CopyLink) {
        return;
    }
    let outcome = link_to(&lab).and_then(|link| {
        let text = link.to_string();
        #[cfg(target_arch = "wasm32")]
        let text = tilepath_examples::page::moved_to(&text);
        clipboard.set_text(&text).map(|()| "link copied").map_err(|error| {
            warn!("{error}: the link is {text}");
            "not copied: see log"
        })
    });
    for mut caption in &mut captions {
        caption.outcome = Some(outcome.unwrap_or_else(|reason| reason));
        caption.left = SECONDS;
    }
}

fn write_caption(time: Res<Time>, mut captions: Query<(&mut LinkCaption, &mut Text, &mut TextColor)>) {
    for (mut caption, mut text, mut shown) in &mut captions {
        let Some(outcome) = caption.outcome else { continue };
        caption.left -= time.delta_secs();
        if caption.left <= 0.0 {
            caption.outcome = None;
        }
        write_line(&mut text, &mut shown, caption.outcome.map_or(CAPTION, |_| outcome), colour::TEXT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{brush::DANGER, run::Run};
    use tilepath::Cell;

    /// Returns the cost and the number of expanded cells of each lane at its end.
    fn ends(lab: &mut Lab) -> Vec<(u32, u64)> {
        lab.obey(Order::SeekEnd);
        let end = |lane: &crate::lab::Lane| {
            let Run::Grid(run) = &lane.run else { panic!("a grid is searched") };
            let answer = run.answer().unwrap().unwrap();
            (answer.outcome.path().unwrap().cost().get(), answer.statistics.expanded)
        };
        lab.lanes().iter().map(end).collect()
    }

    #[test]
    fn a_link_opens_the_same_race_on_the_same_map() {
        for topology in [Topology::Square, Topology::Hexagonal] {
            for ground in [Ground::Default, Ground::Terrain, Ground::Towers] {
                let rival = Some(Method::Dijkstra);
                let mut lab = Lab::new(Settings { rival, topology, ground, ..Settings::default() });
                lab.obey(Order::Endanger(lab.field().start, 9));
                lab.obey(Order::Paint(Cell::new(3, 0), 0));
                let text = link_to(&lab).unwrap().to_string();
                let mut opened = lab_of(&text.parse().unwrap(), Settings::default()).unwrap();
                assert!(opened.is_playing() && opened.at() == 0, "it plays");
                assert_eq!(link_to(&opened).unwrap().to_string(), text, "{topology}, {}", ground.name());
                assert_eq!(ends(&mut opened), ends(&mut lab), "{topology}, {}", ground.name());
                assert_eq!(opened.field().danger(opened.field().start), 9);
            }
        }
    }

    #[test]
    fn every_algorithm_and_unit_is_found_again() {
        for method in Method::ALL {
            assert_eq!(Method::of_racer(method.racer()), Ok(method));
        }
        let lab = Lab::new(Settings { unit: 3, method: Method::Landmarks, ..Settings::default() });
        let opened = lab_of(&link_to(&lab).unwrap(), Settings::default()).unwrap();
        assert_eq!((opened.settings().unit, opened.settings().method), (3, Method::Landmarks));
        assert_eq!(opened.field().finder.grid().overlay(DANGER, Cell::new(0, 0)), 0);
    }

    #[test]
    fn missing_parts_of_the_laboratory_are_reported() {
        for (rest, said) in [
            ("&algorithm=auto", "has no auto"),
            ("&algorithm=weighted-astar:300", "with 150 percent, not with 300"),
            ("&unit=4", "no unit of 4 x 4"),
            ("&lattice=staggered", "has no staggered"),
        ] {
            let link = format!("map=9x9*1x81&from=0.0&to=5.5{rest}").parse().unwrap();
            let fault = lab_of(&link, Settings::default()).err().unwrap_or_default();
            assert!(fault.contains(said), "{rest}: {fault}");
        }
    }

    #[test]
    fn a_graph_and_a_very_large_map_have_no_link() {
        let graph = Lab::new(Settings { mode: Mode::Graph, ..Settings::default() });
        assert_eq!(link_to(&graph).err(), Some("no link: a graph"));
        let mut large = Lab::new(Settings::default());
        large.take_map(MarkedMap { grid: Grid::new(300, 300, 1).unwrap(), start: None, goal: None });
        assert_eq!(link_to(&large).err(), Some("no link: too large"));
    }
}
