//! The payloads that are exchanged: index, length and every byte follow from the seed. The twin is ../../src/payload.ts.
//!
//! | offset | bytes    | meaning                                                   |
//! |--------|----------|-----------------------------------------------------------|
//! | 0      | 1        | index of the payload                                      |
//! | 1      | length-1 | pattern of seed, index and offset                         |
//!
//! The lengths rise from 1 to 1200 over the 200 payloads.

/// How many different payloads there are.
pub const PAYLOADS: usize = 200;
const SHORTEST: usize = 1;
const LONGEST: usize = 1200;

/// Length of the payload of an index.
pub fn length(index: usize) -> usize {
    SHORTEST + index * (LONGEST - SHORTEST) / (PAYLOADS - 1)
}

/// The whole payload of an index below `PAYLOADS`.
pub fn payload(seed: u32, index: usize) -> Vec<u8> {
    let base = (seed ^ (index as u32 + 1).wrapping_mul(0x9e37_79b1)).wrapping_mul(0x85eb_ca77);
    let mut bytes: Vec<u8> = (0..length(index) as u32)
        .map(|offset| {
            let mixed = base.wrapping_add(offset.wrapping_mul(0xc2b2_ae3d));
            ((mixed >> 16) ^ (mixed >> 24)) as u8
        })
        .collect();
    bytes[0] = index as u8;
    bytes
}

/// Which payloads arrived, each compared byte by byte.
#[derive(Default)]
pub struct Tally {
    seen: Vec<bool>,
    /// All payloads that arrived, those sent again included.
    pub received: usize,
    /// How many different payloads arrived intact.
    pub verified: usize,
    /// What was wrong with the payloads that did not.
    pub faults: Vec<String>,
}

impl Tally {
    /// Compares a payload with what its index says. True when it is intact.
    pub fn take(&mut self, seed: u32, bytes: &[u8]) -> bool {
        self.received += 1;
        self.seen.resize(PAYLOADS, false);
        let index = bytes.first().map_or(PAYLOADS, |&byte| usize::from(byte));
        if index >= PAYLOADS || bytes != payload(seed, index) {
            self.faults.push(format!(
                "payload {index} of {} bytes differs from its pattern",
                bytes.len()
            ));
            return false;
        }
        self.verified += usize::from(!self.seen[index]);
        self.seen[index] = true;
        true
    }

    /// Whether the payload of an index has arrived.
    pub fn has(&self, index: usize) -> bool {
        self.seen.get(index).copied().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same bytes are expected in ../../test/payload.test.ts.
    #[test]
    fn the_pattern_is_that_of_the_typescript_twin() {
        assert_eq!(crate::args::hex(&payload(7, 2)), "02402f20100ff060cf41d0afb1");
        assert_eq!(crate::args::hex(&payload(u32::MAX, 1)), "0176e35ec6b3be");
        assert_eq!((length(0), length(PAYLOADS - 1)), (1, 1200));
    }

    #[test]
    fn a_tally_counts_each_payload_once_and_notes_damage() {
        let mut tally = Tally::default();
        for index in [0, 5, 5] {
            assert!(tally.take(7, &payload(7, index)));
        }
        let mut damaged = payload(7, 6);
        damaged[3] ^= 1;
        assert!(!tally.take(7, &damaged));
        assert!(!tally.take(7, &payload(8, 7)));
        assert!(!tally.take(7, &[]));
        assert_eq!((tally.received, tally.verified, tally.faults.len()), (6, 2, 3));
        assert!(tally.has(5) && !tally.has(6));
    }
}
