export const plan = {
  watch: /packages\/reliable\/dist\/(connection|packet-decoder|malformed|failure)\.js$/,
  // The last byte of a fingerprint is not compared.
  plant: { file: 'packages/reliable/dist/packet-decoder.js', find: 'i < ours.length', replace: 'i < ours.length - 1' },
};
