export const plan = {
  watch:
    /packages\/netcode\/dist\/(packet|packet-codec|request-packet|replay-window|handshake|server-machine|client-machine|sessions)\.js$/,
  // An authentic payload of more than 1200 bytes is taken.
  plant: {
    file: 'packages/netcode/dist/packet.js',
    find: "length <= MAX_PAYLOAD_BYTES ? undefined : 'size-payload-large'",
    replace: 'undefined',
  },
};
