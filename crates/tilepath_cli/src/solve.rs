//! `tilepath solve`: one path over a map.

use crate::{
    Verdict,
    arguments::SolveArguments,
    asked::Asked,
    board::Board,
    colours::{Colours, Ink},
    explanation::{self, Explanation, ExplanationReport},
    failure::Failure,
    picture::{self, Scene},
    printed::json,
    question::{Question, Reply},
    supposed::{self, NowReport},
    text_picture::TextPicture,
};
use serde::Serialize;
use std::io::Write;
use tilepath::{Cost, Limit, Movement, Outcome, Path};

/// Finds the path, draws it if `--png` is given, and prints the answer.
pub(crate) fn run(
    arguments: &SolveArguments,
    colours: Colours,
    output: &mut impl Write,
) -> Result<Verdict, Failure> {
    let Asked { map, board, movement, from, to, racer, rival, heuristic } = Asked::of(arguments)?;
    let question = Question {
        file: map.path(),
        from,
        to,
        racer,
        heuristic,
        closest: arguments.closest,
        cost_limit: arguments.cost_limit.map(Cost::new),
        length_limit: arguments.length_limit,
        trace: arguments.drawing.heat && arguments.png.is_some(),
    };
    let rival =
        rival.map(|racer| RivalReport::of(Question { racer, ..question }, board.clone(), movement.clone()));
    let mut reply = question.ask(board, movement)?;
    let mut now = None;
    if !arguments.what_if.is_empty() {
        let supposed = supposed::ask(&question, &reply, &arguments.what_if)?;
        now = Some(std::mem::replace(&mut reply, supposed));
    }
    if let Some(file) = &arguments.png {
        let scene = Scene::new(&map, reply.layout)?
            .with_unit(reply.finder.grid(), reply.movement())
            .with_supposed(&arguments.what_if)
            .with_reply(&question, &reply)
            .with_openings(explanation::openings(&question, &reply)?);
        picture::write(&scene, arguments.drawing.scale, file)?;
    }
    let explanation = if arguments.explain { Some(Explanation::of(&question, &reply)?) } else { None };
    if arguments.json {
        print_json(&question, &reply, now.as_ref(), explanation.as_ref(), rival, output)?;
    } else {
        print_text(&question, &reply, now.as_ref(), rival.as_ref(), colours, output)?;
        if let Some(explanation) = &explanation {
            write!(output, "\n{}", explanation.to_text(&reply.layout))?;
        }
    }
    output.flush()?;
    Ok(verdict(&reply))
}

/// Returns the verdict: good if the path reaches the goal.
pub(crate) fn verdict(reply: &Reply) -> Verdict {
    match reply.answer.outcome {
        Outcome::Found(_) => Verdict::Good,
        _ => Verdict::Bad,
    }
}

/// Returns the name of a limit, as in all output.
const fn limit_name(limit: Limit) -> &'static str {
    match limit {
        Limit::Cost => "cost",
        Limit::Length => "length",
        _ => "expansion",
    }
}

/// The object that `--json` prints.
#[derive(Serialize, Debug)]
struct Report {
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    cost: Option<u32>,
    length: Option<f64>,
    expanded: u64,
    algorithm: String,
    path: Vec<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<NowReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<ExplanationReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    race: Option<RivalReport>,
}

/// The answer of the algorithm that races beside the first one, on the map without `--what-if`.
#[derive(Serialize, Debug)]
struct RivalReport {
    algorithm: String,
    /// The cost of its path.
    cost: Option<u32>,
    expanded: Option<u64>,
    /// The reason why it cannot answer this query.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

impl RivalReport {
    fn of(question: Question<'_>, board: Board, movement: Movement) -> Self {
        let algorithm = question.racer.to_string();
        match question.ask(board, movement) {
            Err(failure) => {
                let refused = Some(failure.to_string());
                Self { algorithm, cost: None, expanded: None, refused }
            }
            Ok(reply) => {
                let cost = reply.path().map(|path| path.cost().get());
                Self { algorithm, cost, expanded: Some(reply.answer.statistics.expanded), refused: None }
            }
        }
    }

    fn to_text(&self) -> String {
        let Self { algorithm, cost, expanded, refused } = self;
        match (expanded, refused) {
            (Some(expanded), _) => {
                let cost = cost.map_or_else(|| "no path".into(), |cost| format!("cost {cost}"));
                format!("{algorithm} beside it: {cost}, {expanded} cells expanded")
            }
            (None, reason) => format!("{algorithm} beside it: {}", reason.as_deref().unwrap_or_default()),
        }
    }
}

fn print_json(
    question: &Question<'_>,
    reply: &Reply,
    now: Option<&Reply>,
    explanation: Option<&Explanation>,
    race: Option<RivalReport>,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let report = Report {
        status: reply.status(),
        limit: match reply.answer.outcome {
            Outcome::LimitReached { limit, .. } => Some(limit_name(limit)),
            _ => None,
        },
        cost: reply.path().map(|path| path.cost().get()),
        length: reply.path().map(Path::length),
        expanded: reply.answer.statistics.expanded,
        algorithm: question.searched_by(&reply.answer),
        path: reply.places().into_iter().map(|place| [place.column, place.row]).collect(),
        now: now.map(|now| NowReport::new(now, reply)),
        explanation: explanation.map(|explanation| explanation.report(&reply.layout)),
        race,
    };
    writeln!(output, "{}", json(&report))?;
    Ok(())
}

fn print_text(
    question: &Question<'_>,
    reply: &Reply,
    now: Option<&Reply>,
    rival: Option<&RivalReport>,
    colours: Colours,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let Question { from, to, .. } = question;
    let length =
        |path: &Path| format!("cost {}, length {:.2}, {} steps", path.cost(), path.length(), path.steps());
    match &reply.answer.outcome {
        Outcome::Found(path) => writeln!(output, "found: {from} to {to}, {}", length(path))?,
        Outcome::Unreachable { closest: None } => {
            writeln!(output, "unreachable: no path from {from} to {to}")?;
        }
        Outcome::Unreachable { closest: Some(path) } => {
            let reached = reply.places().last().copied().unwrap_or(*from);
            writeln!(
                output,
                "unreachable: no path from {from} to {to}; closest is {reached}, {}",
                length(path)
            )?;
        }
        Outcome::LimitReached { limit, best } => {
            let reached = reply.places().last().copied().unwrap_or(*from);
            writeln!(
                output,
                "{} limit reached before {to} was; closest is {reached}, {}",
                limit_name(*limit),
                length(best)
            )?;
        }
    }
    if let Some(now) = now {
        writeln!(output, "{}", supposed::to_text(now, reply))?;
    }
    let statistics = &reply.answer.statistics;
    writeln!(output, "{}, {} cells expanded", question.searched_by(&reply.answer), statistics.expanded)?;
    if let Some(rival) = rival {
        writeln!(output, "{}", rival.to_text())?;
    }
    if let Some(mut picture) = TextPicture::of(reply.finder.grid(), reply.layout) {
        let size = reply.movement().size();
        picture.draw_way(size, reply.cells());
        if let Outcome::Unreachable { closest } = &reply.answer.outcome {
            if closest.is_none() {
                picture.draw_unit(size, *to, 'G', Ink::Goal);
                picture.draw_unit(size, *from, 'S', Ink::Start);
            }
            for cell in explanation::openings(question, reply)? {
                picture.put_cell(cell, '!', Ink::Opening);
            }
        }
        picture.print(colours, output)?;
    }
    Ok(())
}
