/* eslint-disable @typescript-eslint/no-require-imports */
/* global __dirname */
// The import directions of the monorepo, as rules for dependency-cruiser.
//
//   apps -> host -> netcode, reliable, schema        token-backend -> netcode        (these three never see each other)
//   inside a package: constants, errors, internal -> codecs -> machines -> entries; only src/node and src/cli.ts touch Node
//
// Run: depcruise --config tools/import-rules/rules.cjs packages apps tools
// Sources are read before compilation (`.ts` endings, type-only imports included); workspace packages resolve to their source.
const { existsSync, readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../..');

/** Folders of all workspace members, relative to the root. */
const members = ['packages', 'apps', 'tools']
  .filter((group) => existsSync(join(root, group)))
  .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(join(root, folder, 'package.json')));

/** Every string below an exports target, whatever conditions lead to it. */
const targetsOf = (target) => (typeof target === 'string' ? [target] : Object.values(target ?? {}).flatMap(targetsOf));

/** The files that a package offers to others, as patterns: what its `exports` name. */
const offeredFiles = members.flatMap((folder) => {
  const { exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return targetsOf(exports).map((target) => `^${folder}/${target.replace('./', '').replaceAll('.', '\\.').replaceAll('*', '.+')}$`);
});

const anySource = '^packages/([^/]+)/src/';
/** Files with Node in them, where everything of the same package may be used. */
const nodeSide = '^packages/[^/]+/src/(node/|cli\\.ts$)';
/** The files that compose a public surface: `index.ts` of any folder and the subpaths that gather several concepts. */
const entryFile = '^packages/[^/]+/src/((index|token|protocol|wire)\\.ts$|.+/index\\.ts$)';
const groundFile = '^packages/[^/]+/src/(constants\\.ts$|errors\\.ts$|internal/)';
const machineFile = '^packages/(netcode/src/(client|server)-machine|reliable/src/(endpoint|connection))\\.ts$';
/** May stand on machines: the machines, the entries, the Node side, and what plays between two machines. */
const aboveMachines = [machineFile, entryFile, nodeSide, '^packages/reliable/src/simulator/'];

/** What reads the golden data: tests of a package may use it by path, since it depends on the package itself. */
const goldenData = '^tools/vectors/src/';

/** Files that a command loads by a name given to it. */
const loadedByName = '^tools/fuzz/src/(plans/|targets/|plant-loader\\.mjs$)';

/** One error rule; `comment` is what the reader of a violation gets to see. */
const forbid = (name, comment, from, to, extra = {}) => ({ name, severity: 'error', comment, from, to, ...extra });

module.exports = {
  forbidden: [
    forbid(
      'cores-stand-alone',
      'netcode, reliable and schema never import each other: declare the few fields you need as an interface.',
      { path: '^packages/(netcode|reliable|schema)/' },
      { path: '^packages/', pathNot: '^packages/$1/' },
    ),
    forbid(
      'token-backend-needs-netcode-only',
      'token-backend stands on netcode (and through it on nothing else of this repository).',
      { path: '^packages/token-backend/' },
      { path: '^packages/', pathNot: '^packages/(token-backend|netcode)/' },
    ),
    forbid(
      'host-is-on-top',
      'host stands on netcode, reliable and schema.',
      { path: '^packages/host/' },
      { path: '^packages/', pathNot: '^packages/(host|netcode|reliable|schema)/' },
    ),
    forbid(
      'packages-know-no-apps-or-tools',
      'A published package never imports from apps/ or tools/; its tests and benches may use the testkit.',
      { path: '^packages/', pathNot: '^packages/[^/]+/(test|bench)/' },
      { path: '^(apps|tools)/' },
    ),
    forbid(
      'tests-use-only-the-testkit',
      'Of apps/ and tools/, a test of a package may import the testkit and what reads the golden data, a bench the bench runner too.',
      { path: '^packages/[^/]+/(test|bench)/' },
      { path: '^(apps|tools)/', pathNot: '^tools/(testkit|bench|vectors/src)/' },
    ),
    forbid(
      'node-only-on-the-node-side',
      'Only src/node/** and src/cli.ts may import Node modules: the rest runs in browsers and on other runtimes.',
      { path: anySource, pathNot: nodeSide },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'pure-side-does-not-reach-node-side',
      'Nothing outside src/node imports it by path; a conditional `#name` of the package manifest is the way.',
      { path: anySource, pathNot: nodeSide },
      { path: nodeSide, dependencyTypesNot: ['aliased-subpath-import'] },
    ),
    forbid(
      'ground-imports-ground',
      'constants, errors and internal are the lowest layer: at run time they import only each other (types of the seams are fine).',
      { path: groundFile },
      { path: anySource, pathNot: groundFile, dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'codecs-do-not-import-machines',
      'Machines stand on codecs, never the other way round.',
      { path: '^packages/(netcode|reliable)/src/', pathNot: aboveMachines },
      { path: machineFile },
    ),
    forbid(
      'entries-are-imported-by-nobody',
      'index.ts and the subpath files gather a surface; inside src import the concept itself. Only src/node and src/cli.ts may use them.',
      { path: anySource, pathNot: nodeSide },
      { path: entryFile, pathNot: '^packages/(?!$1/)' },
    ),
    forbid(
      'internal-stays-inside',
      'internal/ is not reachable from outside its package.',
      { path: '^([^/]+/[^/]+)/' },
      { path: '^packages/[^/]+/src/(internal|.+/internal)/', pathNot: '^$1/' },
    ),
    forbid(
      'no-deep-path-of-another-package',
      'Of another workspace package import only what its exports name.',
      { path: '^([^/]+/[^/]+)/' },
      { path: '^(packages|apps|tools)/[^/]+/', pathNot: ['^$1/', goldenData, ...offeredFiles] },
    ),
    forbid(
      'no-relative-path-into-another-package',
      'Another workspace package is imported by its name, never by a path.',
      { path: '^((?:packages|apps|tools)/[^/]+)/' },
      { path: '^(packages|apps|tools)/[^/]+/(src|test|bench)/', pathNot: ['^$1/', goldenData], dependencyTypes: ['local'] },
    ),
    forbid(
      'sources-do-not-import-tests',
      'Shipped files never import tests or benches.',
      { path: '^(packages|apps)/[^/]+/src/' },
      { path: '^(packages|apps|tools)/[^/]+/(test|bench)/' },
    ),
    forbid(
      'runtime-dependencies-are-declared',
      'What src imports must be a dependency or peer of its own manifest, not a devDependency and not something found by luck.',
      { path: '^(packages|apps)/[^/]+/src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only', 'npm-peer', 'npm-optional'] },
    ),
    forbid('no-unresolvable', 'The module cannot be found: not in exports, or not installed.', {}, { couldNotResolve: true }),
    forbid('no-cycle', 'Modules that need each other at run time.', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    {
      ...forbid('no-type-cycle', 'Types that need each other: allowed, though one of the two usually belongs elsewhere.', {}, {}),
      severity: 'warn',
      to: { circular: true, via: { dependencyTypes: ['type-only'] } },
    },
    forbid(
      'no-orphan',
      'A source file that nothing imports and that imports nothing is dead.',
      {
        orphan: true,
        path: '^(packages|apps)/[^/]+/src/|^tools/[^/]+/src/',
        pathNot: ['\\.d\\.m?ts$', loadedByName, entryFile, ...offeredFiles],
      },
      {},
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|coverage|target|reports)/|^tools/(vectors/data|check-packages/fixtures)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: join(root, 'tsconfig.check.json') },
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@x/source', 'import', 'module', 'node', 'default', 'types'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts', '.d.mts'],
    },
  },
};
