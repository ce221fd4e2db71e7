export const plan = {
  watch:
    /packages\/reliable\/dist\/(connection|sent-packets|packer|inbox|inbox-arena|endpoint|reassembly|ack-log|known-acks|channel\/[\w-]+)\.js$/,
  // Events ahead of a missing one are parked whatever their budget.
  plant: {
    file: 'packages/reliable/dist/channel/reliable-receiver.js',
    find: 'Math.max(needed - this.#slotCapacity, 0) * PARK_OVERHEAD + length > available',
    replace: 'false',
  },
};
