//! `tilepath render`: a map as PNG.

use crate::{
    Verdict,
    arguments::RenderArguments,
    board::Board,
    explanation,
    failure::Failure,
    map_file::MapFile,
    picture::{self, Scene},
    question::Question,
    solve,
};
use race_link::Racer;
use tilepath::HeuristicKind;

/// Draws the map, and the path between two cells if they are given. If there is no path, the map,
/// the start, the goal and the closed cells that open a path are drawn.
pub(crate) fn run(arguments: &RenderArguments) -> Result<Verdict, Failure> {
    let map = MapFile::open(&arguments.map, arguments.movement.terrain.as_ref())?;
    let movement = arguments.board.movement(arguments.movement.diagonals, arguments.steps)?;
    let board = Board::new(&map, &arguments.board.ground, movement.size())?;
    let mut scene = Scene::new(&map, board.layout)?.with_unit(&board.grid, &movement);
    let mut verdict = Verdict::Good;
    if let (Some(from), Some(to)) = (arguments.from, arguments.to) {
        let question = Question {
            file: &arguments.map,
            from,
            to,
            racer: Racer::Algorithm(arguments.movement.algorithm),
            heuristic: HeuristicKind::default(),
            closest: arguments.closest,
            cost_limit: None,
            length_limit: None,
            trace: arguments.drawing.heat,
        };
        let reply = question.ask(board, movement)?;
        verdict = solve::verdict(&reply);
        let openings = explanation::openings(&question, &reply)?;
        scene = scene.with_reply(&question, &reply).with_openings(openings);
    }
    picture::write(&scene, arguments.drawing.scale, &arguments.png)?;
    Ok(verdict)
}
