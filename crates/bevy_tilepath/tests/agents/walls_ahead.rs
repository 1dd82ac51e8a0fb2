//! Walls on the paths of agents whose searches wait for their turns: each walks on to its wall.

use bevy::prelude::*;
use bevy_tilepath::{
    Body, Cell, Diagonals, NavGrid, OnMap, PathAgent, PathRequest, Stepwise, TilepathState,
    agents::{Drive, PathLine},
    doors::{Door, DoorEnd},
    groups::GroupOrder,
    queries::WhyNot,
    tilepath::Grid,
};

use super::{driven::tick_and_move, lines::closed_under, states::through_a_file};
use crate::harness::*;

const ROW: i32 = 5;
const SPEED: f32 = 160.0;

/// A field, and a decoy on rough ground elsewhere. The search of the decoy takes all the work.
struct Field {
    game: Game,
    map: Entity,
    ground: Entity,
    decoy: Entity,
}

impl Field {
    fn new() -> Self {
        let (mut game, map) = Game::open(60, 30);
        let classes = (0..100 * 100_u32).map(|cell| 1 + (cell * 7919 % 9) as u8).collect();
        let grid = Grid::from_classes(100, 100, classes).expect("a small map");
        let ground = game.map_of(grid, Diagonals::default());
        let mut field = Self { game, map, ground, decoy: Entity::PLACEHOLDER };
        field.decoy = field.spawn((0, 50), (99, 50));
        field.game.world_mut().entity_mut(field.decoy).insert(OnMap(ground));
        field
    }

    fn spawn(&mut self, start: (i32, i32), goal: (i32, i32)) -> Entity {
        let unit = self.game.ordered_agent(start, SPEED, goal);
        self.game.world_mut().entity_mut(unit).insert(OnMap(self.map));
        unit
    }

    fn unit(&mut self, goal: (i32, i32)) -> Entity {
        let unit = self.spawn((0, ROW), goal);
        self.game.ticks(20);
        self.game.told();
        unit
    }

    /// Closes cells, and the path of the decoy before it. Then no tick has work for other searches.
    fn close(&mut self, cells: &[Cell]) {
        let next = self.game.path(self.decoy).remaining_cells()[0];
        self.game.set_terrain(self.ground, next.x, next.y, 0);
        for cell in cells {
            self.game.set_terrain(self.map, cell.x, cell.y, 0);
        }
        self.game.budget(1);
    }

    fn is_open(&self, cell: Cell) -> bool {
        self.game.world().get::<NavGrid>(self.map).expect("the map").grid().terrain(cell) != Some(0)
    }

    /// Ticks until the unit stands because of its wall. It enters no closed cell.
    fn stands(&mut self, unit: Entity) -> Cell {
        let mut ticks = 0;
        while self.game.why_not(unit) != Some(WhyNot::Replanning) {
            self.game.tick();
            ticks += 1;
            assert!(self.is_open(self.game.cell_at(unit)), "it is in a wall");
            assert!(ticks < 200, "it stands: {:?}", self.game.why_not(unit));
        }
        self.game.cell_at(unit)
    }

    fn go_on(&mut self) {
        self.game.budget(20_000);
        self.game.run_until_quiet(2000);
    }
}

fn cell(x: i32) -> Cell {
    Cell::new(x, ROW)
}

fn is_replan(told: &Told) -> bool {
    matches!(told, Told::Replanned { .. })
}

#[test]
fn agent_walks_on_to_the_cell_before_the_wall_and_gets_its_path_there() {
    let mut field = Field::new();
    let unit = field.unit((40, ROW));
    field.close(&[cell(15)]);
    field.game.tick();
    assert_eq!(field.game.told_of(unit), [Told::Blocked(cell(15))]);
    assert_eq!(field.game.why_not(unit), None, "it walks");
    assert_eq!(field.stands(unit), cell(14));
    assert_eq!(field.game.position(unit), centre(14, ROW));
    field.go_on();
    let told = field.game.told_of(unit);
    assert!(matches!(told[..], [Told::Replanned { .. }, Told::Arrived(_)]), "{told:?}");
}

#[test]
fn wall_nearer_than_the_first_one_is_seen_and_an_open_first_wall_changes_nothing() {
    for nearer in [6, 10, 14] {
        let mut field = Field::new();
        let unit = field.unit((40, ROW));
        field.close(&[cell(15)]);
        field.game.ticks(8);
        field.game.told();
        field.game.set_terrain(field.map, nearer, ROW, 0);
        field.game.set_terrain(field.map, 15, ROW, 1);
        assert_eq!(field.stands(unit), cell(nearer - 1));
        assert_eq!(field.game.told_of(unit), []);
        field.go_on();
        let told = field.game.told_of(unit);
        assert!(matches!(told[..], [Told::Replanned { .. }, Told::Arrived(_)]), "{told:?}");
    }
}

#[test]
fn agent_on_a_closed_step_stands_in_it() {
    let mut field = Field::new();
    let unit = field.unit((40, ROW));
    let here = field.game.position(unit);
    let next = field.game.path(unit).remaining_cells()[0];
    field.close(&[next]);
    field.game.ticks(5);
    assert_eq!((field.game.position(unit), field.game.why_not(unit)), (here, Some(WhyNot::Replanning)));
    field.go_on();
    assert!(matches!(field.game.told_of(unit)[..], [_, Told::Replanned { .. }, Told::Arrived(_)]));
}

#[test]
fn agents_on_straight_lines_and_driven_agents_stop_before_the_wall() {
    for line in [PathLine::Cells, PathLine::Straight] {
        for drive in [Drive::default(), Drive::Velocity] {
            let mut field = Field::new();
            let unit = field.spawn((0, ROW), (40, 14));
            {
                let mut agent = field.game.world_mut().get_mut::<PathAgent>(unit).expect("it is there");
                (agent.line, agent.drive) = (line, drive);
            }
            let walk = |field: &mut Field, ticks: usize| {
                for _ in 0..ticks {
                    if drive == Drive::Velocity {
                        tick_and_move(&mut field.game, field.map, unit, Vec2::ZERO);
                    } else {
                        field.game.tick();
                    }
                    assert!(field.is_open(field.game.cell_at(unit)), "{line:?} {drive:?}");
                }
            };
            walk(&mut field, 20);
            // A straight line leaves the cells of its path: the wall is under the line.
            let under = (field.game.path(unit).points()[20] / CELL).floor().as_ivec2();
            let wall = Cell::new(under.x, under.y);
            let begin = field.game.position(unit);
            field.close(&[wall]);
            walk(&mut field, 150);
            let at = field.game.position(unit);
            let off = at.distance(centre(wall.x, wall.y)) / CELL;
            assert_eq!(field.game.why_not(unit), Some(WhyNot::Replanning), "{line:?} {drive:?}");
            assert!(
                off < 2.5 && at.distance(begin) > 10.0 * CELL,
                "{line:?} {drive:?}: {off}, {begin} to {at}"
            );
            field.game.budget(20_000);
            walk(&mut field, 400);
            assert!(!field.game.is_ordered(unit), "{line:?} {drive:?}");
            assert_eq!(field.game.cell_at(unit), Cell::new(40, 14));
        }
    }
}

#[test]
fn agents_with_an_offset_touch_no_wall_that_appears_beside_their_path() {
    let mut nearer = 0;
    for line in [PathLine::Cells, PathLine::Straight] {
        for beside in [ROW - 1, ROW + 1] {
            let mut field = Field::new();
            let unit = field.spawn((0, ROW), (40, ROW));
            let mut agent = field.game.world_mut().get_mut::<PathAgent>(unit).expect("it is there");
            (agent.line, agent.spread) = (line, 0.4);
            field.game.ticks(20);
            field.close(&[cell(15)]);
            field.game.tick();
            assert_eq!(field.game.why_not(unit), None, "it walks");
            field.game.set_terrain(field.map, 10, beside, 0);
            while field.game.why_not(unit) != Some(WhyNot::Replanning) {
                field.game.tick();
                let place = field.game.position(unit);
                assert_eq!(closed_under(&field.game, field.map, place), [], "{line:?} at {place}");
            }
            nearer += usize::from(field.game.cell_at(unit).x < 14);
            field.go_on();
            assert_eq!(field.game.cell_at(unit), cell(40));
        }
    }
    assert!((1..=2).contains(&nearer), "the offset is to one side: {nearer} stand before that wall");
}

#[test]
fn stepwise_agent_uses_its_steps_up_to_the_wall() {
    for is_animated in [true, false] {
        let mut field = Field::new();
        let unit = field.spawn((0, ROW), (40, ROW));
        field.game.world_mut().entity_mut(unit).insert(Stepwise { is_animated, ..default() });
        field.game.ticks(20);
        field.close(&[cell(15)]);
        field.game.tick();
        field.game.world_mut().get_mut::<Stepwise>(unit).expect("it is one").steps = 20;
        assert_eq!(field.stands(unit), cell(14));
        assert_eq!(field.game.world().get::<Stepwise>(unit).expect("it is one").steps, 6);
    }
}

#[test]
fn bodies_before_a_wall_are_under_way_make_way_and_lose_no_patience() {
    let mut field = Field::new();
    let spawn = |field: &mut Field, at: (i32, i32), goal: (i32, i32)| {
        let body = field.spawn(at, goal);
        field.game.world_mut().entity_mut(body).insert(Body::default());
        body
    };
    let first = spawn(&mut field, (4, ROW), (40, ROW));
    let second = spawn(&mut field, (2, ROW), (40, ROW));
    field.game.ticks(20);
    field.close(&[cell(15)]);
    assert_eq!(field.stands(first), cell(14));
    field.game.ticks(30);
    let off = field.game.cell_at(second) - cell(14);
    assert!(off.x.abs() <= 2 && off.y.abs() <= 2, "{off:?}");
    for body in [first, second] {
        assert!(field.game.body_news().waits.iter().all(|(who, ..)| *who != body));
        assert!(field.game.is_ordered(body));
    }
    field.go_on();
    assert!(field.game.body_news().lost.is_empty());
    for body in [first, second] {
        assert!(!field.game.is_ordered(body));
    }
}

#[test]
fn body_before_a_wall_makes_way_for_a_crossing_body() {
    let mut field = Field::new();
    let unit = field.spawn((4, ROW), (40, ROW));
    let crossing = field.spawn((14, ROW + 9), (14, 0));
    field.game.world_mut().entity_mut(unit).insert(Body::default());
    field.game.world_mut().entity_mut(crossing).insert(Body::default());
    field.game.world_mut().get_mut::<PathAgent>(crossing).expect("it is there").speed = (SPEED / 3.0).into();
    field.game.ticks(20);
    field.close(&[cell(15)]);
    assert_eq!(field.stands(unit), cell(14));
    field.game.tick_until(400, |game| game.cell_at(crossing).y < ROW - 1);
    assert!(field.game.body_news().lost.is_empty() && field.game.is_ordered(unit));
}

#[test]
fn order_with_stops_and_an_order_to_an_entity_go_on_after_the_wall() {
    let mut field = Field::new();
    let unit = field.spawn((0, ROW), (20, ROW));
    field.game.order(unit, PathRequest::to_cell(cell(20)).then(cell(40)));
    let (dog, hare) = (field.spawn((0, ROW + 3), (1, ROW + 3)), field.spawn((30, ROW + 3), (45, ROW + 3)));
    field.game.world_mut().get_mut::<PathAgent>(hare).expect("it is there").speed = 20.0.into();
    field.game.order(dog, PathRequest::to(hare).following());
    field.game.ticks(20);
    field.game.told();
    field.close(&[cell(15), Cell::new(15, ROW + 3)]);
    assert_eq!(field.stands(unit), cell(14));
    assert_eq!(field.stands(dog), Cell::new(14, ROW + 3));
    field.game.budget(20_000);
    field.game.ticks(1000);
    let told = field.game.told();
    assert!(told.iter().any(|(who, what)| *who == unit && *what == Told::Arrived(cell(40))));
    let off = field.game.cell_at(dog) - field.game.cell_at(hare);
    assert!(field.game.is_ordered(dog) && off.x.abs() <= 1 && off.y.abs() <= 1, "{off:?}");
}

#[test]
fn agent_before_a_closed_door_walks_on_to_the_door() {
    let mut field = Field::new();
    let other = field.game.open_map(10, 10);
    let ends = [DoorEnd::cell(field.map, cell(15)), DoorEnd::cell(other, Cell::new(2, 2))];
    let [from, to] = ends;
    let door = field.game.world_mut().spawn(Door::new(from, to)).id();
    let unit = field.spawn((0, ROW), (1, ROW));
    field.game.order(unit, PathRequest::to_cell((8, 8)).on_map(other).or_wait());
    field.game.ticks(20);
    field.close(&[]);
    field.game.world_mut().get_mut::<Door>(door).expect("it is there").open = false;
    assert_eq!(field.stands(unit), cell(15));
    field.game.world_mut().get_mut::<Door>(door).expect("it is there").open = true;
    field.game.budget(20_000);
    field.game.ticks(300);
    assert_eq!(field.game.world().get::<OnMap>(unit).map(|on_map| on_map.0), Some(other));
    assert!(!field.game.is_ordered(unit));
}

#[test]
fn agents_get_paths_in_the_order_of_arrival_at_their_walls() {
    let mut field = Field::new();
    let rows = [2, 4, 6, 8];
    let units = rows.map(|row| field.spawn((0, row), (59, row)));
    field.game.ticks(20);
    field.game.told();
    // The agent with the lowest number has the farthest wall.
    let walls: Vec<Cell> = rows.iter().map(|&row| Cell::new(40 - 3 * row, row)).collect();
    field.close(&walls);
    field.game.budget(10);
    field.game.ticks(400);
    let replans: Vec<Entity> =
        field.game.told().into_iter().filter(|(_, told)| is_replan(told)).map(|(who, _)| who).collect();
    let replans: Vec<Entity> = replans.into_iter().filter(|who| units.contains(who)).collect();
    assert_eq!(replans, [units[3], units[2], units[1], units[0]]);
}

#[test]
fn agent_of_a_state_taken_on_the_way_to_a_wall_walks_on_to_it() {
    for ticks in [1, 30, 100] {
        let mut field = Field::new();
        let unit = field.unit((40, ROW));
        field.close(&[cell(15)]);
        field.game.ticks(ticks);
        let state = TilepathState::take(field.game.world_mut()).expect("the plugin is there");
        let walk = |field: &mut Field| -> Vec<Vec2> {
            (0..120).map(|_| (field.game.tick(), field.game.position(unit)).1).collect()
        };
        let expected = walk(&mut field);
        let state = through_a_file(&state);
        state.put(field.game.world_mut(), &mut state.same_entities()).expect("all entities are there");
        assert_eq!(walk(&mut field), expected, "taken after {ticks} ticks");
        assert_eq!(field.stands(unit), cell(14));
        field.go_on();
        assert_eq!(field.game.cell_at(unit), cell(40));
    }
}

#[test]
fn members_of_a_group_walk_on_to_the_wall_and_arrive_together() {
    let mut field = Field::new();
    let members: Vec<Entity> = (0..3)
        .map(|row| {
            let member = field.game.body(2, ROW - 1 + row, SPEED);
            field.game.world_mut().entity_mut(member).insert(OnMap(field.map));
            member
        })
        .collect();
    let group = field.game.order_group(GroupOrder::to(members.iter().copied(), cell(40)));
    field.game.ticks(30);
    let wall: Vec<Cell> = (0..26).map(|y| Cell::new(15, y)).collect();
    field.close(&wall);
    field.game.ticks(200);
    for &member in &members {
        let at = field.game.cell_at(member);
        assert!((12..15).contains(&at.x), "{at}");
        assert_eq!(field.game.why_not(member), Some(WhyNot::Replanning));
    }
    field.game.budget(20_000);
    field.game.run_to_end(group, 3000);
    assert_eq!(field.game.only_end()[0], 3, "{:?}", field.game.only_end());
    assert!(field.game.cells_of(&members).iter().all(|at| at.x > 36));
}
