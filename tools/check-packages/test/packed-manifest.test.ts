import { describe, expect, it } from 'vitest';
import { leftoverProtocols, manifestProblems } from '../src/packed-manifest.mjs';

describe('leftoverProtocols', () => {
  it('when ranges were rewritten, then nothing is left', () => {
    expect(leftoverProtocols({ dependencies: { '@x/netcode': '^0.1.0' }, keywords: ['a workspace: no'] })).toEqual([]);
  });

  it('when a range still speaks of the workspace or the catalog, then its place is named', () => {
    expect(leftoverProtocols({ dependencies: { a: 'workspace:^' }, devDependencies: { b: 'catalog:' } })).toEqual([
      'dependencies.a: workspace:^',
      'devDependencies.b: catalog:',
    ]);
  });
});

describe('manifestProblems', () => {
  const source = { exports: { '.': { '@x/source': './src/index.ts', default: './dist/index.js' } } };

  it('when the published map is the workspace map without sources, then there is none', () => {
    expect(manifestProblems(source, { exports: { '.': { default: './dist/index.js' } } })).toEqual([]);
  });

  it('when the source condition was packed, then it is named', () => {
    expect(manifestProblems(source, source)).toEqual(['exports["."]["@x/source"]: not in the workspace map']);
  });

  it('when conditional imports were not rewritten, then they are named', () => {
    const imports = { '#udp': { '@x/source': './src/udp.ts', default: './dist/udp.js' } };
    expect(manifestProblems({ imports }, { imports })).toEqual(['imports["#udp"]["@x/source"]: not in the workspace map']);
  });
});
