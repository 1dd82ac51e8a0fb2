//! The figures of README and BENCHMARKS stand on rows of `benches/RESULTS.md` and `benches/RECORDS.md`.

use std::{collections::BTreeMap, fs, path::Path};

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The cells of a row of a table; `None` for other lines.
fn cells(line: &str) -> Option<Vec<String>> {
    let row = line.trim().strip_prefix('|')?.strip_suffix('|')?;
    Some(row.split('|').map(|cell| cell.trim().trim_matches('`').to_owned()).collect())
}

/// A number as it is written, with thousands separated by commas.
fn number(text: &str) -> Option<f64> {
    text.replace(',', "").parse().ok()
}

/// Returns whether a measured value is written as `shown`, rounded at its last digit.
fn is_rounded(shown: &str, value: f64) -> bool {
    let digits = shown.replace(',', "");
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i32;
    let zeros = if decimals > 0 { 0 } else { digits.len() - digits.trim_end_matches('0').len() } as i32;
    let unit = 10_f64.powi(zeros - decimals);
    number(shown).is_some_and(|shown| (shown - value).abs() <= unit * 0.5 + 1e-9)
}

/// The tables of `benches/RESULTS.md`.
#[derive(Default)]
struct Results {
    /// By group and contestant: time ÷ tilepath, with warm and with cold caches.
    groups: BTreeMap<(String, String), [f64; 2]>,
    /// By group, map and contestant: mean, median and 99th percentile, and the mean with cold caches, in
    /// microseconds.
    maps: BTreeMap<(String, String, String), [f64; 4]>,
    /// By scene of the plugin: the other cells.
    scenes: BTreeMap<String, Vec<f64>>,
}

impl Results {
    fn read() -> Self {
        let (mut results, mut group) = (Self::default(), String::new());
        for line in read("benches/RESULTS.md").lines() {
            if let Some(heading) = line.strip_prefix("##") {
                heading.trim_start_matches('#').trim().clone_into(&mut group);
            }
            let Some(cells) = cells(line) else { continue };
            let numbers: Vec<f64> = cells.iter().skip(1).filter_map(|cell| number(cell)).collect();
            match (cells.len(), numbers.len()) {
                (4, 3) => {
                    results.groups.insert((group.clone(), cells[0].clone()), [numbers[1], numbers[2]]);
                }
                (10, 8) => {
                    let key = (group.clone(), cells[0].clone(), cells[1].clone());
                    results.maps.insert(key, [numbers[1], numbers[2], numbers[3], numbers[4]]);
                }
                (13, 12) => _ = results.scenes.insert(cells[0].clone(), numbers),
                _ => {}
            }
        }
        results
    }

    /// The rows of one contestant, by group and map.
    fn of<'a>(&'a self, who: &'a str) -> impl Iterator<Item = (&'a str, &'a str, [f64; 4])> {
        let rows = self.maps.iter().filter(move |((_, _, name), _)| name == who);
        rows.map(|((group, map, _), &times)| (group.as_str(), map.as_str(), times))
    }

    /// The least and the largest ratio of a contestant over all groups, with warm (0) or cold caches (1).
    fn range(&self, who: &str, caches: usize) -> (f64, f64) {
        let ratios = self.groups.iter().filter(|((_, name), _)| name == who).map(|(_, both)| both[caches]);
        ratios.fold((f64::INFINITY, 0.0), |(least, most), ratio| (least.min(ratio), most.max(ratio)))
    }
}

/// The rows of the first table below a heading, with its head as the first row.
fn table(document: &str, heading: &str) -> Vec<Vec<String>> {
    let text = read(document);
    let (_, section) = text.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("{heading}"));
    let rows = section.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|')).filter(|line| !line.starts_with("|--"));
    rows.filter_map(cells).collect()
}

/// The contestant of a column of BENCHMARKS, and whether its caches were warm (0) or cold (1).
fn contestant(column: &str) -> Option<(&str, usize)> {
    let (name, caches) = column.strip_suffix(", cold").map_or((column, 0), |name| (name, 1));
    let who = match name.trim_matches('`') {
        "with landmarks" => "tilepath, landmarks",
        "A* by name" | "tilepath's A* by name" => "tilepath A*",
        "hand-written A*" => "hand-written",
        peer @ ("pathfinding" | "grid_pathfinding" | "condor jump points") => peer,
        _ => return None,
    };
    Some((who, caches))
}

#[test]
fn ratios_in_benchmarks_equal_the_groups() {
    let results = Results::read();
    let mut count = 0;
    for (heading, suffix) in [
        ("Times slower than tilepath", ""),
        ("Where corners may be cut", ", corners cut"),
        ("In four directions", ", four ways"),
    ] {
        let rows = table("BENCHMARKS.md", heading);
        for row in &rows[1..] {
            for (column, shown) in rows[0].iter().zip(row) {
                let Some((who, caches)) = contestant(column).filter(|_| shown != "-") else { continue };
                let key = (format!("{}{suffix}", row[0]), who.to_owned());
                let ratio = results.groups.get(&key).unwrap_or_else(|| panic!("no row {key:?}"))[caches];
                assert!(is_rounded(shown, ratio), "{key:?}: {ratio}, shown as {shown}");
                count += 1;
            }
        }
    }
    assert!(count > 150, "only {count} ratios were compared");
}

#[test]
fn microseconds_in_benchmarks_equal_the_maps() {
    let results = Results::read();
    let rows = table("BENCHMARKS.md", "Microseconds of a query");
    for row in &rows[1..] {
        let map = row[0].split(" (").next().unwrap_or_default();
        let group = row[0].split_once(" (").map_or("cluttered", |(_, group)| group.trim_end_matches(')'));
        let times = |who: &str| results.maps[&(group.to_owned(), map.to_owned(), who.to_owned())];
        let mut values = times("tilepath").to_vec();
        let landmarks = ("tilepath, landmarks", row[5] != "-");
        for (who, is_shown) in [landmarks, ("hand-written", true), ("pathfinding", true)] {
            let [mean, _, _, cold] = if is_shown { times(who) } else { [f64::NAN; 4] };
            values.extend([mean, cold]);
        }
        for (shown, value) in row[1..].iter().zip(values) {
            assert!(shown == "-" || is_rounded(shown, value), "{row:?}: {value}, shown as {shown}");
        }
    }
}

#[test]
fn ticks_in_benchmarks_equal_the_scenes() {
    let results = Results::read();
    for row in &table("BENCHMARKS.md", "Ticks of the plugin")[1..] {
        let scene = row[0].replace(",000", "000");
        let figures = results.scenes.get(&scene).unwrap_or_else(|| panic!("no row {scene}"));
        for (shown, value) in row[1..].iter().zip(figures) {
            assert!(is_rounded(shown, *value), "{scene}: {value}, shown as {shown}");
        }
    }
}

/// The rows of RESULTS behind the README's table of ticks.
const SCENES: [&str; 5] = [
    "10000 walkers, 0 edits a second",
    "1000 walkers, 50 edits a second",
    "10000 walkers, 50 edits a second",
    "10000 bodies between 16 goals on 256 x 256",
    "5000 orders to 16 goals in one tick on mixed ground",
];

#[test]
fn ticks_in_the_readme_equal_the_scenes() {
    let results = Results::read();
    let rows = table("README.md", "How much it does in a tick");
    assert_eq!(rows.len(), 1 + SCENES.len());
    for (row, scene) in rows[1..].iter().zip(SCENES) {
        let figures = &results.scenes[scene];
        let mut shown = row[3].split(", ");
        for value in &figures[..2] {
            let shown = shown.next().expect("median and 99th percentile");
            assert!(is_rounded(shown, *value), "{scene}: {value}, shown as {shown}");
        }
        let [.., ticks, megabytes] = figures[..] else { panic!("{scene}: {figures:?}") };
        assert!(row[4] == "-" || number(&row[4]) == Some(ticks), "{scene}: {row:?}");
        assert_eq!(number(&row[5]), Some(megabytes), "{scene}: {row:?}");
    }
}

#[test]
fn counted_draws_of_crowds_equal_the_rows() {
    let rows = table("benches/RESULTS.md", "Movement");
    let sum = |column: usize| rows[1..].iter().filter_map(|row| number(&row[column])).sum::<f64>();
    let (draws, resolved, lost) = (5 * (rows.len() - 1), sum(3), sum(7));
    let (readme, benchmarks) = (read("README.md"), read("BENCHMARKS.md"));
    assert!(
        readme.contains(&format!("{resolved} of {draws} counted draws resolve")),
        "{resolved} of {draws}"
    );
    let sentence =
        format!("Of {draws} draws in corridors, crossings and gates {resolved} resolve; {lost} of");
    assert!(benchmarks.contains(&sentence), "{sentence}");
}

#[test]
fn ranges_in_the_readme_equal_the_groups() {
    let (readme, results) = (read("README.md").replace('\n', " "), Results::read());
    let sentences = [
        "`pathfinding` takes 3.9 to 1,200 times longer",
        "written by hand 1.4 to 240 times (cold: 2.5 to 140, 1.1 to 29)",
    ];
    for sentence in sentences {
        assert!(readme.contains(sentence), "{sentence}");
    }
    for (who, caches, least, most) in [
        ("pathfinding", 0, "3.9", "1,200"),
        ("hand-written", 0, "1.4", "240"),
        ("pathfinding", 1, "2.5", "140"),
        ("hand-written", 1, "1.1", "29"),
    ] {
        let range = results.range(who, caches);
        assert!(is_rounded(least, range.0) && is_rounded(most, range.1), "{who}: {range:?}");
    }
}

#[test]
fn gains_by_landmarks_equal_the_rows() {
    let (benchmarks, results) = (read("BENCHMARKS.md").replace('\n', " "), Results::read());
    let is_weighted = |group: &str| group.contains("weighted");
    let (mut mean, mut tail) = (Vec::new(), Vec::new());
    for ((group, who), ratio) in results.groups.iter().filter(|((group, _), _)| is_weighted(group)) {
        if who == "pathfinding" {
            mean.push(ratio[0] / results.groups[&(group.clone(), "tilepath, landmarks".to_owned())][0]);
        }
    }
    for (group, map, with) in
        results.of("tilepath, landmarks").filter(|&(group, map, _)| is_weighted(group) && map != "den312d")
    {
        let without = results.maps[&(group.to_owned(), map.to_owned(), "tilepath".to_owned())];
        tail.push(without[2] / with[2]);
    }
    for (mut gains, [least, most], sentence) in [
        (mean, ["11", "37"], "searched 11 to 37 times faster than by `pathfinding`"),
        (tail, ["1.4", "5.5"], "it is 1.4 to 5.5 times lower"),
    ] {
        gains.sort_unstable_by(f64::total_cmp);
        assert!(benchmarks.contains(sentence), "{sentence}");
        assert!(
            is_rounded(least, gains[0]) && gains.last().is_some_and(|&gain| is_rounded(most, gain)),
            "{gains:?}"
        );
    }
}

#[test]
fn no_rival_is_faster_on_a_map_of_the_results() {
    let results = Results::read();
    assert!(read("BENCHMARKS.md").contains("a lower mean query time than every rival on each map"));
    let rivals = results.maps.iter().filter(|((_, _, who), _)| !who.starts_with("tilepath"));
    let mut count = 0;
    for ((group, map, who), theirs) in rivals {
        let ours = results.maps[&(group.clone(), map.clone(), "tilepath".to_owned())];
        assert!(ours[0] < theirs[0] && ours[2] < theirs[2], "{group}: {map}: {who}");
        count += 1;
    }
    assert!(count > 150, "only {count} rows were compared");
}

#[test]
fn rivals_that_are_faster_with_cold_caches_are_named() {
    let results = Results::read();
    let rivals = results.maps.iter().filter(|((_, _, who), _)| !who.starts_with("tilepath"));
    let faster = rivals.filter(|((group, map, _), theirs)| {
        results.maps[&(group.clone(), map.clone(), "tilepath".to_owned())][3] >= theirs[3]
    });
    let faster: Vec<_> = faster.map(|((_, map, who), _)| (map.as_str(), who.as_str())).collect();
    assert_eq!(faster, [("cluttered 10 %", "hand-written")]);
    assert!(read("BENCHMARKS.md").contains("on cluttered 10 % the hand-written loop has the lower mean"));
}

#[test]
fn loss_of_the_automatic_choice_in_groups_equals_benchmarks() {
    let results = Results::read();
    let named = ["tilepath A*", "tilepath jump points"];
    let ratios = results.groups.iter().filter(|((_, who), _)| named.contains(&who.as_str()));
    let least = ratios.map(|(_, ratio)| ratio[0]).fold(f64::INFINITY, f64::min);
    assert!(read("BENCHMARKS.md").replace('\n', " ").contains("loses at most 10 % in the mean of a group"));
    assert!(is_rounded("10", (1.0 - least) * 100.0), "{least}");
}

#[test]
fn loss_of_the_automatic_choice_on_single_maps_equals_benchmarks() {
    let (benchmarks, results) = (read("BENCHMARKS.md").replace('\n', " "), Results::read());
    let mut losses: Vec<(u32, &str)> = Vec::new();
    for (group, map, ours) in results.of("tilepath") {
        for named in ["tilepath A*", "tilepath jump points"] {
            let key = (group.to_owned(), map.to_owned(), named.to_owned());
            if let Some(theirs) = results.maps.get(&key) {
                losses.push((((ours[0] / theirs[0] - 1.0).max(0.0) * 100.0).round() as u32, map));
            }
        }
    }
    losses.sort_unstable();
    let largest: Vec<String> =
        losses.iter().rev().take(2).map(|(loss, map)| format!("by {loss} % on {map}")).collect();
    for sentence in &largest {
        assert!(benchmarks.contains(sentence), "BENCHMARKS.md does not state: {sentence}");
    }
}

#[test]
fn cost_of_slices_equals_benchmarks() {
    let (benchmarks, results) = (read("BENCHMARKS.md").replace('\n', " "), Results::read());
    assert!(benchmarks.contains("In slices of 100, A* takes up to 8 % more time in the mean of a group"));
    let slices = results.groups.iter().filter(|((_, who), _)| who == "tilepath A* in slices of 100");
    let more = slices.map(|((group, _), ratio)| {
        ratio[0] / results.groups[&(group.clone(), "tilepath A*".to_owned())][0] - 1.0
    });
    let most = more.fold(0.0, f64::max);
    assert!(is_rounded("8", most * 100.0), "{most}");
}

/// Sentences with figures, and the row or sentence on which they stand.
const SENTENCES: [(&str, &str, &str, &str); 7] = [
    (
        "BENCHMARKS.md",
        "30 to 100 ns",
        "benches/RECORDS.md",
        "| map | µs without | with | cold without | with |",
    ),
    (
        "BENCHMARKS.md",
        "1.5 times as long beside",
        "benches/RECORDS.md",
        "`maze512-1-0` take 1.5 times as long",
    ),
    (
        "BENCHMARKS.md",
        "55 ticks and 5.4 million",
        "benches/RESULTS.md",
        "| 5000 orders to 16 goals in one tick on mixed ground |",
    ),
    (
        "BENCHMARKS.md",
        "501 ticks and 50 million",
        "benches/RESULTS.md",
        "| 5000 orders to 16 goals in one tick on mixed ground, each searched",
    ),
    (
        "BENCHMARKS.md",
        "8 ticks of 37 to 73 ms",
        "benches/RECORDS.md",
        "| 1000 orders in one tick on even ground | defaults | 37.052 | 73.355 |",
    ),
    (
        "BENCHMARKS.md",
        "93 ticks of 2.2 ms",
        "benches/RESULTS.md",
        "| 1000 orders in one tick on even ground | 2.183 |",
    ),
    (
        "BENCHMARKS.md",
        "take 4.1 ms, but",
        "benches/RECORDS.md",
        "| 10000 walkers, 50 edits a second | no limit | 4.087 |",
    ),
];

#[test]
fn sentences_with_figures_have_their_rows() {
    for (document, sentence, record, row) in SENTENCES {
        assert!(read(document).replace('\n', " ").contains(sentence), "{document}: {sentence}");
        assert!(read(record).contains(row), "{record}: {row}");
    }
}

#[test]
fn rounding_follows_the_last_digit() {
    assert!(is_rounded("1,200", 1249.0) && is_rounded("1.0", 1.04) && is_rounded("0.17", 0.168));
    assert!(!is_rounded("1,200", 1251.0) && !is_rounded("1.0", 1.06) && !is_rounded("23", 22.4));
}
