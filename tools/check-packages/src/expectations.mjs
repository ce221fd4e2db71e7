// What is known about single packages: which entries need Node, which may need their optional peer, what must stay out of an entry.

/** Entries that are for Node only, besides `./node` and what lies below it. */
const NODE_ENTRIES = {
  '@x/netcode': ['./batch'],
  '@x/token-backend': ['./redis', './agones'],
};

/** Entries that may fail to import, naming the peer, while an optional peer is not installed. All others must import without it. */
const NEEDS_PEER_AT_IMPORT = {
  '@x/schema': ['./msgpack', './protobuf'],
};

/** Files of dist that start to work when imported (workers, programs that are not listed as bin). */
const RUNS_ON_IMPORT = {
  '@x/token-backend': ['dist/cli.js'],
};

/** Modules that an entry must not load, by their place in the installed tree. */
const STAYS_OUT = {
  '@x/netcode': {
    './token':
      /(machine|simulator|transport|replay-window|key-table|token-history|challenge-token|packet|sodium|protocol|index)\.js$|\/node\//,
  },
  '@x/schema': { '.': /\/(codec\/(?!codec-error|version)|msgpack|protobuf)/ },
};

export const isNodeEntry = (name, entry) => /^\.\/node(\/|$)/.test(entry) || (NODE_ENTRIES[name]?.includes(entry) ?? false);
export const mayNeedPeer = (name, entry) => NEEDS_PEER_AT_IMPORT[name]?.includes(entry) ?? false;
export const runsOnImport = (name, file) => RUNS_ON_IMPORT[name]?.includes(file) ?? false;
export const staysOut = (name, entry) => STAYS_OUT[name]?.[entry];
