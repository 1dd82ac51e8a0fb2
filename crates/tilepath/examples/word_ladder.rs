//! Word ladders: change one letter at a time, from word to word.
//!
//! `cargo run -p tilepath --example word_ladder`, or with two words of four letters after `--`.
//!
//! States are strings, and the cost is a pair. First come the steps, then, among the shortest
//! ladders, the distance that letters move through the alphabet.

#![expect(clippy::print_stdout, reason = "printing is what an example is for")]

use std::collections::BTreeSet;
use tilepath::state_space::{StatePath, StateSpace, StateSpaceError};

const WORDS: &str = "
    bail bait bake bald bale ball balm band bane bang bank bard bare bark barn base bash bask bath bead beak beam bean
    bear beat beef been beer bell belt bend bent best bike bile bill bind bird bite boat body boil bold bolt bond bone
    book boot bore born boss both bowl brag bran bred brew brim bulb bulk bull burn bush bust busy cage cake calf call
    calm came camp cane cape card care carp cart case cash cast cave cell chat chin chip chop clam clan clap claw clay
    clip clod clog clot club coal coat coil coin cold colt comb come cone cook cool cope cord core cork corn cost cove
    crab crew crib crop crow cure curl dale dame damp dare dark darn dart dash dawn dead deal dear deck deed deep deer
    dell dent desk dial dice dime dine dirt dish dive dock dome done doom door dose dove down drag draw drip drop drum
    dual duck dull dune dusk dust each earl earn east easy echo edge face fact fade fail fair fall fame fang fare farm
    fast fate fawn fear feat feed feel fell felt fend fern file fill film find fine fire firm fish fist five flag flap
    flat flaw flea fled flew flip flit flog flow foal foam fold folk fond food fool foot ford fore fork form fort foul
    four fowl free frog fuel full fume fund fuse gait gale game gate gave gaze gear germ gift gild gill give glad glow
    glue goad goal goat gold golf gone good gown grab gram gray grew grey grid grim grin grip grow gulf gull hail hair hale
    half hall halt hand hang hard hare hark harm harp hate haul have hawk head heal heap hear heat heed heel held helm
    help herb herd here hero hide high hike hill hilt hint hire hive hold hole home hood hoof hook hoop hope horn hose
    host hour howl hull hunt hurl hurt idea idle inch iron jade jail joke jolt jump just keel keen keep kelp kick kill
    kiln kind king kite knee knit knot lace lack lady laid lake lamb lame lamp land lane lark lash last late lawn lazy
    lead leaf leak lean leap left lend lens less life lift like lime limp line link lint lion list live load loaf loan
    lock loft lone long look loom loop lord lore lose loss lost loud love luck lump lung lure lush lust mace made mail
    main make male mall malt mane many mare mark marl mash mask mass mast mate maze mead meal mean meat meek meet melt
    mend mere mesh mice mild mile milk mill mind mine mint mire mist moan moat mode mold mole monk mood moon moor more
    moss most moth move much mule must mute nail name near neat neck need nest news next nice nine node none noon nose
    note oath obey oven over pace pack page paid pail pain pair pale palm pane park part pass past path pave peak pear
    peat peel peer pile pill pine pink pint pipe plan play plea plot plow plum poem poet pole pond pony pool poor pope
    pore pork port pose post pour prey pull pump pure push race rack raft rage raid rail rain rake ramp rang rank rare
    rate read real reap rear reed reef reel rein rely rest rice rich ride rift ring riot ripe rise risk road roam roar
    robe rock rode role roll roof room root rope rose ruin rule rung rush rust sack safe sage said sail sake sale salt
    same sand sane sang sash save seal seam sear seat seed seek seen self sell send sent shed shin ship shoe shop shot
    show shut sick side sigh silk sill silo sing sink site size skin skip slab slam slap sled slid slim slip slit slot
    slow slug snap snow soak soap soar sock soft soil sold sole some song soon sore sort soul soup sour spin spot spun
    star stay stem step stew stir stop stow such suit sung sunk sure surf swam swan swap sway swim tail take tale talk
    tall tame tank tape task teal team tear tell tend tent term test text than that thaw them then they thin this thus
    tide tidy tile till time tiny tire toad toil told tole toll tomb tone took tool tore torn toss tour town tram trap
    tray tree trek trim trip true tube tuck tune turf turn twig twin vale vane vast veil vein vest vine vote wade wage
    wail wait wake walk wall wand want ward ware warm warn wart wash wasp wave weak wear weed week weep well went were
    west what when whip wide wife wild will wilt wind wine wing wink wire wise wish with woke wolf wood wool word wore
    work worm worn wrap wren yard yarn year yell yolk zeal zero zone";

struct Ladder {
    words: BTreeSet<&'static str>,
    goal: String,
}

/// The cost: (steps, letters of the alphabet passed over).
type Effort = (u32, u32);

impl Ladder {
    fn to(goal: &str) -> Self {
        Self { words: WORDS.split_whitespace().collect(), goal: goal.to_owned() }
    }

    fn climb(&self, from: &str) -> Result<Option<StatePath<String, Effort>>, StateSpaceError<String>> {
        self.find(from.to_owned())
    }
}

/// Returns the distances in the alphabet between two words, letter by letter.
fn leaps<'a>(from: &'a str, to: &'a str) -> impl Iterator<Item = u32> + 'a {
    from.bytes().zip(to.bytes()).map(|(from, to)| u32::from(from.abs_diff(to)))
}

impl StateSpace for Ladder {
    type State = String;
    type Cost = Effort;

    fn successors(&self, word: &String, mut emit: impl FnMut(String, Effort)) {
        for place in 0..word.len() {
            for letter in 'a'..='z' {
                let mut next = word.clone();
                next.replace_range(place..=place, letter.encode_utf8(&mut [0; 4]));
                if next != *word && self.words.contains(next.as_str()) {
                    let leap = leaps(word, &next).sum();
                    emit(next, (1, leap));
                }
            }
        }
    }

    /// Returns the estimate: each wrong letter takes at least one step, and at least its distance
    /// in the alphabet.
    fn estimate(&self, word: &String) -> Effort {
        let wrong = leaps(word, &self.goal).filter(|&leap| leap > 0).count() as u32;
        (wrong, leaps(word, &self.goal).sum())
    }

    fn is_goal(&self, word: &String) -> bool {
        *word == self.goal
    }
}

/// Writes one word a line, the new letter in capitals.
fn draw(path: &StatePath<String, Effort>) -> String {
    let mut picture = format!("  {}\n", path.states[0]);
    for pair in path.states.windows(2) {
        let letters = pair[0].chars().zip(pair[1].chars());
        let word: String =
            letters.map(|(old, new)| if old == new { new } else { new.to_ascii_uppercase() }).collect();
        picture = format!("{picture}  {word}\n");
    }
    picture
}

fn main() -> Result<(), StateSpaceError<String>> {
    let arguments: Vec<String> = std::env::args().skip(1).map(|word| word.to_lowercase()).collect();
    if let [from, to] = &arguments[..] {
        match Ladder::to(to).climb(from)? {
            Some(path) => println!("{} steps:\n\n{}", path.cost.0, draw(&path)),
            None => println!(
                "No ladder leads from {from} to {to}, with the {} words known here.",
                Ladder::to(to).words.len()
            ),
        }
        return Ok(());
    }
    for (from, to, steps) in
        [("cold", "warm", 4), ("head", "tail", 5), ("lead", "gold", 3), ("wood", "coal", 3)]
    {
        let path = Ladder::to(to).climb(from)?;
        assert_eq!(path.as_ref().map(|path| path.cost.0), Some(steps), "from {from} to {to}");
        if let Some(path) = path {
            println!(
                "From {from} to {to}: {} steps, {} letters passed.\n\n{}",
                path.cost.0,
                path.cost.1,
                draw(&path)
            );
        }
    }
    let nowhere = Ladder::to("idea").climb("echo")?;
    println!("From echo to idea no ladder leads: {nowhere:?}");
    assert_eq!(nowhere, None);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Effort, Ladder, leaps};

    /// Returns the cheapest cost from each word to the goal, by relaxing all pairs of words until
    /// nothing changes.
    fn efforts(ladder: &Ladder) -> Vec<(&'static str, Option<Effort>)> {
        let words: Vec<&'static str> = ladder.words.iter().copied().collect();
        let is_step = |from: &str, to: &str| leaps(from, to).filter(|&leap| leap > 0).count() == 1;
        let steps: Vec<(usize, usize, u32)> = (0..words.len())
            .flat_map(|from| (0..words.len()).map(move |to| (from, to)))
            .filter(|&(from, to)| is_step(words[from], words[to]))
            .map(|(from, to)| (from, to, leaps(words[from], words[to]).sum()))
            .collect();
        let mut efforts: Vec<Option<Effort>> =
            words.iter().map(|&word| (word == ladder.goal).then_some((0, 0))).collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for &(from, to, leap) in &steps {
                if let Some((count, leaped)) = efforts[to] {
                    let candidate = (count + 1, leaped + leap);
                    if efforts[from].is_none_or(|known| candidate < known) {
                        efforts[from] = Some(candidate);
                        has_changed = true;
                    }
                }
            }
        }
        words.into_iter().zip(efforts).collect()
    }

    #[test]
    fn ladders_from_every_word_take_the_least_effort() {
        let ladder = Ladder::to("warm");
        let mut unreachable = 0;
        for (word, effort) in efforts(&ladder) {
            let path = ladder.climb(word).unwrap();
            assert_eq!(path.map(|path| path.cost), effort, "from {word}");
            unreachable += usize::from(effort.is_none());
        }
        assert!(unreachable > 0, "some words stand alone");
    }

    #[test]
    fn the_examples_answers_hold() {
        for (from, to, steps) in [("cold", "warm", 4), ("head", "tail", 5)] {
            let path = Ladder::to(to).climb(from).unwrap().unwrap();
            assert_eq!(path.cost.0, steps);
            assert!(
                path.states
                    .windows(2)
                    .all(|pair| leaps(&pair[0], &pair[1]).filter(|&leap| leap > 0).count() == 1)
            );
        }
    }
}
