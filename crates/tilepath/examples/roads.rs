//! The fastest, the shortest and the cheapest road in one country.
//!
//! `cargo run -p tilepath --example roads`
//!
//! Each cost has its own [`Graph`] over the same towns. Then a bridge is closed, and the nearest of
//! three inns is found.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use tilepath::graph::{Graph, GraphError, GraphPath, NodeId};

const TOWNS: [(&str, f64, f64); 8] = [
    ("Harbour", 0., 20.),
    ("Saltmarsh", 15., 2.),
    ("Millford", 30., 30.),
    ("Stonebridge", 50., 22.),
    ("Highpass", 55., 50.),
    ("Northgate", 60., -8.),
    ("Kingsmarket", 80., 28.),
    ("Eastwood", 100., 20.),
];

#[derive(Clone, Copy)]
struct Kind {
    kilometres_per_hour: f64,
    toll_per_kilometre: f64,
}

const MOTORWAY: Kind = Kind { kilometres_per_hour: 120., toll_per_kilometre: 0.15 };
const TUNNEL: Kind = Kind { kilometres_per_hour: 60., toll_per_kilometre: 0.2 };
const COUNTRY: Kind = Kind { kilometres_per_hour: 70., toll_per_kilometre: 0. };
const TRACK: Kind = Kind { kilometres_per_hour: 25., toll_per_kilometre: 0. };

const ROADS: [(&str, &str, Kind); 11] = [
    ("Harbour", "Saltmarsh", COUNTRY),
    ("Harbour", "Millford", COUNTRY),
    ("Saltmarsh", "Stonebridge", COUNTRY),
    ("Saltmarsh", "Northgate", MOTORWAY),
    ("Millford", "Stonebridge", COUNTRY),
    ("Millford", "Highpass", TRACK),
    ("Stonebridge", "Kingsmarket", COUNTRY),
    ("Stonebridge", "Eastwood", TUNNEL),
    ("Highpass", "Kingsmarket", TRACK),
    ("Northgate", "Eastwood", MOTORWAY),
    ("Kingsmarket", "Eastwood", COUNTRY),
];

const INNS: [&str; 3] = ["Highpass", "Northgate", "Stonebridge"];
const FUEL_PER_KILOMETRE: f64 = 0.1;

fn town(name: &str) -> NodeId {
    let number = TOWNS.iter().position(|(town, _, _)| *town == name).unwrap_or(TOWNS.len());
    NodeId::new(number as u32)
}

fn name(town: NodeId) -> &'static str {
    TOWNS[town.index()].0
}

/// Returns the country, with two-way roads whose cost depends on length and kind.
fn country(cost: impl Fn(f64, Kind) -> f64) -> Result<Graph, GraphError> {
    let mut graph = Graph::new();
    for (_, x, y) in TOWNS {
        graph.add_node_at(x, y)?;
    }
    for (from, to, kind) in ROADS {
        let (from, to) = (town(from), town(to));
        let length = match (graph.position(from), graph.position(to)) {
            (Some(begin), Some(end)) => begin.distance(end),
            _ => 0.0,
        };
        graph.add_edge(from, to, cost(length, kind))?;
        graph.add_edge(to, from, cost(length, kind))?;
    }
    Ok(graph)
}

/// The three kinds of cost: kilometres, minutes, coins.
struct Countries {
    length: Graph,
    time: Graph,
    money: Graph,
}

impl Countries {
    fn new() -> Result<Self, GraphError> {
        Ok(Self {
            length: country(|length, _| length)?,
            time: country(|length, kind| length / kind.kilometres_per_hour * 60.0)?,
            money: country(|length, kind| length * (FUEL_PER_KILOMETRE + kind.toll_per_kilometre))?,
        })
    }

    /// Describes a path with all three costs.
    fn describe(&self, path: &GraphPath) -> String {
        let along = |graph: &Graph| -> f64 {
            path.nodes.windows(2).filter_map(|pair| graph.edge_cost(pair[0], pair[1])).sum()
        };
        let names: Vec<&str> = path.nodes.iter().map(|&town| name(town)).collect();
        let [kilometres, minutes, coins] = [&self.length, &self.time, &self.money].map(along);
        format!("{kilometres:6.1} km  {minutes:5.0} min  {coins:6.2} coins   {}", names.join(" - "))
    }

    /// Returns the shortest, the fastest and the cheapest path.
    fn ways(&self, from: &str, to: &str) -> Result<[Option<GraphPath>; 3], GraphError> {
        let way = |graph: &Graph| graph.find(town(from), town(to));
        Ok([way(&self.length)?, way(&self.time)?, way(&self.money)?])
    }

    fn close(&mut self, from: &str, to: &str) -> Result<(), GraphError> {
        for graph in [&mut self.length, &mut self.time, &mut self.money] {
            graph.remove_edge(town(from), town(to))?;
            graph.remove_edge(town(to), town(from))?;
        }
        Ok(())
    }
}

fn names(path: Option<&GraphPath>) -> Vec<&'static str> {
    path.map(|path| path.nodes.iter().map(|&town| name(town)).collect()).unwrap_or_default()
}

fn print_ways(countries: &Countries, ways: &[Option<GraphPath>; 3]) {
    for (title, way) in ["shortest", "fastest", "cheapest"].into_iter().zip(ways) {
        match way {
            Some(path) => println!("  {title:9} {}", countries.describe(path)),
            None => println!("  {title:9} no path"),
        }
    }
}

fn main() -> Result<(), GraphError> {
    let mut countries = Countries::new()?;

    println!("From Harbour to Eastwood:");
    let ways = countries.ways("Harbour", "Eastwood")?;
    print_ways(&countries, &ways);
    let [shortest, fastest, cheapest] = ways.each_ref().map(|way| names(way.as_ref()));
    assert_eq!(shortest, ["Harbour", "Millford", "Stonebridge", "Eastwood"]); // through the tunnel
    assert_eq!(fastest, ["Harbour", "Saltmarsh", "Northgate", "Eastwood"]); // by the motorway
    assert_eq!(cheapest, ["Harbour", "Millford", "Stonebridge", "Kingsmarket", "Eastwood"]); // no tolls

    println!("\nThe road from Millford to Stonebridge is flooded:");
    countries.close("Millford", "Stonebridge")?;
    let ways = countries.ways("Harbour", "Eastwood")?;
    print_ways(&countries, &ways);
    let [shortest, still_fastest, cheapest] = ways.each_ref().map(|way| names(way.as_ref()));
    assert_eq!(shortest, ["Harbour", "Saltmarsh", "Stonebridge", "Eastwood"]);
    assert_eq!(still_fastest, fastest);
    assert_eq!(cheapest, ["Harbour", "Saltmarsh", "Stonebridge", "Kingsmarket", "Eastwood"]);

    println!("\nMinutes from Harbour:");
    for (town, minutes) in countries.time.distances(town("Harbour"))? {
        println!("  {:12} {minutes:5.0}", name(town));
    }

    let inns = INNS.map(town);
    let Some(nearest) = countries.time.nearest(town("Millford"), &inns)? else { return Ok(()) };
    println!("\nThe inn soonest reached from Millford is in {}:", INNS[nearest.index]);
    println!("  {}", countries.describe(&nearest.path));
    assert_eq!(INNS[nearest.index], "Northgate"); // round by the coast, because the track to Highpass is slow
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Countries, TOWNS};
    use testkit::EdgeList;

    #[test]
    fn every_way_costs_what_the_oracle_says() {
        let countries = Countries::new().unwrap();
        for graph in [&countries.length, &countries.time, &countries.money] {
            let edges = graph.edges().map(|(from, to, cost)| (from.index(), to.index(), cost)).collect();
            let oracle = EdgeList { node_count: TOWNS.len(), edges };
            for from in graph.nodes() {
                let expected = oracle.costs_from(from.index());
                for to in graph.nodes() {
                    let cost = graph.find(from, to).unwrap().map(|path| path.cost);
                    let difference = cost.unwrap() - expected[to.index()].unwrap();
                    assert!(difference.abs() < 1e-9, "from {from} to {to}");
                }
            }
        }
    }

    #[test]
    fn the_example_runs_and_its_answers_hold() {
        super::main().unwrap();
    }
}
