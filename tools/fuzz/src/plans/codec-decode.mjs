export const plan = {
  watch: /packages\/schema\/dist\/(codec|msgpack)\/.*\.js$|packages\/schema\/dist\/msgpack\.js$/,
  // A number in a larger size class than it needs is taken.
  plant: {
    file: 'packages/schema/dist/codec/nodes/integers.js',
    find: 'size > 0 && number < 2 ** CLASS_WIDTHS[size - 1]',
    replace: 'false',
  },
};
