// What is mutated per package: files whose every branch carries a rule of the protocol, and the tests that may kill their mutants.
export const plans = {
  netcode: {
    mutate: ['replay-window', 'token-history', 'key-table', 'packet', 'request-packet'].map((name) => `packages/netcode/src/${name}.ts`),
    project: '@x/netcode',
  },
};
