export const plan = {
  watch: /packages\/reliable\/dist\/(connection|sent-packets|packer|ack-log|known-acks|channel\/[\w-]+)\.js$/,
  // An event that was delivered before is taken for one far ahead.
  plant: { file: 'packages/reliable/dist/channel/reliable-receiver.js', find: 'ahead >= this.#window', replace: 'false' },
};
