export const plan = {
  watch: /packages\/netcode\/dist\/address\.js$/,
  // A port above 65535 is taken.
  plant: { file: 'packages/netcode/dist/address.js', find: 'return port <= MAX_PORT ? port : undefined', replace: 'return port' },
};
