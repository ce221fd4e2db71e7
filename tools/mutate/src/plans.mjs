// What is mutated per package: files whose every branch carries a rule of the protocol, and the tests that judge: those of the same files, so that a rule is
// guarded where it stands and a run takes minutes.
export const plans = {
  netcode: {
    mutate: ['replay-window', 'token-history', 'key-table', 'packet', 'request-packet'].map((name) => `packages/netcode/src/${name}.ts`),
    tests: ['replay-window', 'token-history', 'key-table', 'packet', 'packet-checks', 'request-packet'].flatMap((name) => [
      `packages/netcode/test/${name}.test.ts`,
      `packages/netcode/test/${name}.prop.test.ts`,
    ]),
  },
  reliable: {
    mutate: [
      'sequence',
      'id-delta',
      'packet-decoder',
      'endpoint',
      'channel/reliable-sender',
      'channel/reliable-receiver',
      'channel/unreliable-queue',
    ].map((name) => `packages/reliable/src/${name}.ts`),
    tests: [
      'sequence.test',
      'channel.test',
      'connection.test',
      'connection-limits.test',
      'events-hostile.test',
      'packet-codec.prop.test',
      'packer.prop.test',
      'endpoint.test',
      'endpoint-hostile.test',
      'endpoint-stats.test',
      'endpoint-twin.prop.test',
    ].map((name) => `packages/reliable/test/${name}.ts`),
  },
};
