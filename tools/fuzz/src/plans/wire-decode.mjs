export const plan = {
  watch: /packages\/reliable\/dist\/(packet-decoder|packet-writer|message-packet|id-delta)\.js$/,
  // The bits that fill up the last byte may be anything.
  plant: {
    file: 'packages/reliable/dist/packet-decoder.js',
    find: '!this.#alignsWithZeros()',
    replace: '(this.#alignsWithZeros(), false)',
  },
};
