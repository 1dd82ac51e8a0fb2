//! Seeds by name, so that a failing map can be made again from the name in the test.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// The seed of the random numbers of a generated map.
///
/// Equal seeds give equal maps on every machine: `ChaCha` is specified bit by bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seed(String);

impl Seed {
    /// Returns the seed with a name. The name is any text; different texts give unrelated maps.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// Returns the generator that starts at this seed.
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

    /// Returns the items in a random order from this seed.
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
