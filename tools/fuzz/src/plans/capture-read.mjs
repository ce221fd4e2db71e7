export const plan = {
  watch: /packages\/host\/dist\/(capture\/(cursor|reader|errors)|disconnect-reason)\.js$/,
  // A payload that is cut short is taken as it is.
  plant: { file: 'packages/host/dist/capture/cursor.js', find: 'count > this.#bytes.length - start', replace: 'count > 65_536' },
};
