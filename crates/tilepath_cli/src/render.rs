//! `tilepath render`: a map as PNG.

use crate::{
    Verdict,
    arguments::RenderArguments,
    failure::Failure,
    map_file::MapFile,
    picture::{self, Scene},
    question::Question,
    solve,
};

/// Draws the map, and the path between two cells if they are given. Without a path the map, start and goal are drawn
/// all the same.
pub(crate) fn run(arguments: &RenderArguments) -> Result<Verdict, Failure> {
    let map = MapFile::open(&arguments.map, arguments.movement.terrain.as_ref())?;
    let mut scene = Scene::new(&map)?;
    let mut verdict = Verdict::Good;
    if let (Some(from), Some(to)) = (arguments.from, arguments.to) {
        let question = Question {
            file: &arguments.map,
            from,
            to,
            movement: &arguments.movement,
            steps: arguments.steps,
            closest: arguments.closest,
            trace: arguments.drawing.heat,
        };
        let reply = question.ask(map.grid()?)?;
        verdict = solve::verdict(&reply);
        scene = scene.with_reply(&question, &reply);
    }
    picture::write(&scene, arguments.drawing.scale, &arguments.png)?;
    Ok(verdict)
}
