export const plan = {
  watch: /packages\/netcode\/dist\/(connect-token|address|internal\/cursor)\.js$/,
  // A token that is over before it began is taken.
  plant: { file: 'packages/netcode/dist/connect-token.js', find: 'createTimestamp > expireTimestamp', replace: 'false' },
};
