import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, mkdirSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, Record<string, string> | string>;
  publishConfig: { exports: Record<string, Record<string, string> | string> };
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
};

test('when the package is packed, then its entries are those of the sources', () => {
  const withoutSource = Object.entries(manifest.exports).map(([entry, target]) => {
    if (typeof target === 'string') return [entry, target];
    const { '@x/source': source, ...published } = target;
    expect(existsSync(join(root, source!))).toBe(true);
    return [entry, published];
  });
  expect(Object.fromEntries(withoutSource)).toEqual(manifest.publishConfig.exports);
  expect(Object.keys(manifest.exports)).toEqual(['.', './codec', './msgpack', './protobuf', './package.json']);
});

test('when peers are declared, then all of them are optional', () => {
  expect(Object.keys(manifest.peerDependencies)).toEqual(Object.keys(manifest.peerDependenciesMeta));
  expect(Object.values(manifest.peerDependenciesMeta).every(({ optional }) => optional)).toBe(true);
});

describe('a project without the optional peers', () => {
  const project = mkdtempSync(join(tmpdir(), 'schema-entries-'));

  beforeAll(() => {
    if (!existsSync(join(root, 'dist/index.js'))) throw new Error('the package is not built: npm run build');
    const installed = join(project, 'node_modules/@x/schema');
    mkdirSync(join(project, 'node_modules/@noble'), { recursive: true });
    cpSync(join(root, 'dist'), join(installed, 'dist'), { recursive: true });
    cpSync(join(root, 'package.json'), join(installed, 'package.json'));
    symlinkSync(realpathSync(join(root, 'node_modules/@noble/hashes')), join(project, 'node_modules/@noble/hashes'));
  });

  afterAll(() => {
    rmSync(project, { recursive: true });
  });

  const load = (entry: string): ReturnType<typeof spawnSync> =>
    spawnSync(process.execPath, ['--input-type=module', '-e', `import('${entry}').then((m) => console.log(Object.keys(m).length))`], {
      cwd: project,
      encoding: 'utf8',
    });

  test.each(['@x/schema', '@x/schema/codec'])('when %s is imported, then it loads', (entry) => {
    const { status, stdout } = load(entry);
    expect(status).toBe(0);
    expect(Number(stdout)).toBeGreaterThan(5);
  });

  test.each([
    ['@x/schema/msgpack', '@msgpack/msgpack'],
    ['@x/schema/protobuf', '@bufbuild/protobuf'],
  ])('when %s is imported, then one error names %s', (entry, peer) => {
    const { status, stderr } = load(entry);
    expect(status).not.toBe(0);
    expect(String(stderr)).toContain(`Cannot find package '${peer}'`);
    expect(String(stderr)).toContain('ERR_MODULE_NOT_FOUND');
  });
});

test('when an unused builder is not asked for, then nothing runs when the entry is loaded', () => {
  const script = `const before = Object.getOwnPropertyNames(globalThis).length; await import(${JSON.stringify(join(root, 'dist/codec/index.js'))});
    console.log(Object.getOwnPropertyNames(globalThis).length - before);`;
  expect(
    execFileSync(process.execPath, ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script], {
      encoding: 'utf8',
    }).trim(),
  ).toBe('0');
});

test('when code may not be made from texts, then codecs work all the same', () => {
  const script = `import { b } from ${JSON.stringify(join(root, 'dist/codec/index.js'))};
    const codec = b.struct({ a: b.q(0, 1, 0.5), t: b.string(9) });
    const out = new Uint8Array(20);
    console.log(JSON.stringify(codec.decode(out.subarray(0, codec.encodeInto({ a: 0.5, t: 'x' }, out, 0)))));`;
  const flags = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', script];
  expect(execFileSync(process.execPath, flags, { encoding: 'utf8' }).trim()).toBe('{"a":0.5,"t":"x"}');
});
