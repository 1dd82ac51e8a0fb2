//! Seeds by name, so that a failing map can be made again from the test's own words.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Where the random numbers of a generated map come from.
///
/// Equal seeds give equal maps on every machine: `ChaCha` is specified bit by bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed(String);

impl Seed {
    /// The seed called `name`. Any text will do; different texts give unrelated maps.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// The generator that starts at this seed.
    #[must_use]
    pub fn generator(&self) -> ChaCha8Rng {
        let mut key = [0_u8; 32];
        // The position is mixed in, so that permuted and repeated texts differ too.
        for (position, byte) in self.0.bytes().enumerate() {
            let place = &mut key[position % 32];
            *place = place.wrapping_mul(31).wrapping_add(byte).wrapping_add((position / 32) as u8);
        }
        ChaCha8Rng::from_seed(key)
    }

    /// The items in an order that this seed says.
    #[must_use]
    pub fn shuffled<T: Clone>(&self, items: &[T]) -> Vec<T> {
        let mut items = items.to_vec();
        items.shuffle(&mut self.generator());
        items
    }
}

impl From<&str> for Seed {
    fn from(name: &str) -> Self {
        Self::named(name)
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;
    use rand::Rng;

    #[test]
    fn equal_names_give_equal_numbers_and_different_names_different_ones() {
        let numbers = |name: &str| -> Vec<u64> {
            let mut generator = Seed::named(name).generator();
            (0..4).map(|_| generator.random()).collect()
        };
        assert_eq!(numbers("caves"), numbers("caves"));
        assert_ne!(numbers("caves"), numbers("rooms"));
        assert_ne!(numbers("ab"), numbers("ba"));
    }
}
