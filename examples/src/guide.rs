//! The pages of the guide: their code runs as tests of the documentation.

#[doc = include_str!("../../docs/guide/src/01-first-unit.md")]
struct FirstUnit;

#[doc = include_str!("../../docs/guide/src/02-terrain-and-movements.md")]
struct TerrainAndMovements;

#[doc = include_str!("../../docs/guide/src/03-walls-that-change.md")]
struct WallsThatChange;

#[doc = include_str!("../../docs/guide/src/04-bodies-and-groups.md")]
struct BodiesAndGroups;

#[doc = include_str!("../../docs/guide/src/05-goals-that-move.md")]
struct GoalsThatMove;

#[doc = include_str!("../../docs/guide/src/06-stops-and-patrols.md")]
struct StopsAndPatrols;

#[doc = include_str!("../../docs/guide/src/07-turn-based-games.md")]
struct TurnBasedGames;

#[doc = include_str!("../../docs/guide/src/08-tower-defence.md")]
struct TowerDefence;

#[doc = include_str!("../../docs/guide/src/09-chunks-tiled-ldtk.md")]
struct ChunksTiledLdtk;

#[doc = include_str!("../../docs/guide/src/10-saving.md")]
struct Saving;

#[doc = include_str!("../../docs/guide/src/11-testing.md")]
struct Testing;

#[doc = include_str!("../../docs/guide/src/12-my-unit-does-not-move.md")]
struct MyUnitDoesNotMove;

#[doc = include_str!("../../docs/guide/src/13-lines-and-physics.md")]
struct LinesAndPhysics;

#[doc = include_str!("../../docs/guide/src/14-hexagons-and-isometric-maps.md")]
struct HexagonsAndIsometricMaps;

#[doc = include_str!("../../docs/guide/src/15-doors-and-storeys.md")]
struct DoorsAndStoreys;

#[doc = include_str!("../../docs/guide/src/16-waypoint-graphs.md")]
struct WaypointGraphs;

#[doc = include_str!("../../docs/guide/src/17-dangers-and-forbidden-areas.md")]
struct DangersAndForbiddenAreas;

#[doc = include_str!("../../docs/guide/src/18-a-roguelike.md")]
struct ARoguelike;

#[doc = include_str!("../../docs/guide/src/19-a-server-and-its-clients.md")]
struct AServerAndItsClients;

#[doc = include_str!("../../docs/guide/src/20-rollback.md")]
struct Rollback;
