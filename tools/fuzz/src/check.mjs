// What targets say when something is wrong.
export function assert(condition, text) {
  if (!condition) throw new Error(text);
}

export function assertSame(actual, expected, what) {
  assert(actual.length === expected.length && Buffer.compare(actual, expected) === 0, `${what} differ`);
}
