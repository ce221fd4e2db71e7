export const plan = {
  watch: /packages\/netcode\/dist\/(connect-token|address|internal\/cursor)\.js$/,
  // The number of addresses is not limited.
  plant: { file: 'packages/netcode/dist/connect-token.js', find: 'count <= 0 || count > MAX_SERVERS_PER_CONNECT', replace: 'count <= 0' },
};
