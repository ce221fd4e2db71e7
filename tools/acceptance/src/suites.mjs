// The acceptance suites: which ids a suite has, what they say in a few words, and in which packages the tests stand whose names begin with them. Where a
// suite has no titles of its own, a check is called as its first test.
const numbered = (letter, count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`${letter}${i + 1}`, undefined]));

export const suites = {
  codecs: {
    packages: ['schema', 'host'],
    checks: {
      C1: 'types: every inference holds, every wrong line is refused, from TypeScript 5.4 on',
      C2: 'round trips of every builder, within the stated error and maxBytes',
      C3: 'fixed vectors of every builder',
      C4: 'decoding is canonical',
      C5: 'a million random payloads: CodecError only, little memory, bounded time',
      C6: 'descriptors, codec versions and fingerprints',
      C7: 'mismatched codecs are noticed when a connection begins',
      C8: 'events in the wrong direction are refused undecoded',
      C9: 'what cannot be defined is refused with a clear text',
      C10: 'deltas converge over a lossy link, noise sends nothing',
      C11: 'hostile MessagePack is refused before the library is called',
      C12: 'lone surrogates and ill-formed UTF-8 are refused',
      C13: 'sizes of the sample exactly; speed reported',
      C14: 'worst errors of rotations and directions',
    },
  },
  lobby: { packages: ['host'], checks: numbered('L', 19) },
  'token-backend': { packages: ['token-backend'], checks: numbered('A', 20) },
};
