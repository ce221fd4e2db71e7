import { describe, expect, it } from 'vitest';
import { SOURCE_CONDITION, codeEntries, differences, specifierOf, withoutCondition } from '../src/exports-map.mjs';

const workspace = {
  '.': { '@x/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
  './package.json': './package.json',
};
const published = {
  '.': { types: './dist/index.d.ts', default: './dist/index.js' },
  './package.json': './package.json',
};

describe('withoutCondition', () => {
  it('when the map has the source condition, then only that goes', () => {
    expect(withoutCondition(workspace, SOURCE_CONDITION)).toEqual(published);
  });

  it('when the condition is nested below another, then it goes there too', () => {
    const imports = { '#udp': { node: { '@x/source': './src/node/udp.ts', default: './dist/node/udp.js' }, default: './dist/none.js' } };
    expect(withoutCondition(imports, SOURCE_CONDITION)).toEqual({
      '#udp': { node: { default: './dist/node/udp.js' }, default: './dist/none.js' },
    });
  });

  it('when a target has nothing but the condition, then the target goes', () => {
    expect(withoutCondition({ './debug': { '@x/source': './src/debug.ts' } }, SOURCE_CONDITION)).toEqual({});
  });
});

describe('differences', () => {
  it('when the maps are equal, then there is none', () => {
    expect(differences(withoutCondition(workspace, SOURCE_CONDITION), published)).toEqual([]);
  });

  it('when an entry is missing, superfluous or different, then each is named', () => {
    expect(differences({ a: './a.js', b: './b.js' }, { b: './c.js', d: './d.js' })).toEqual([
      'exports["a"]: missing',
      'exports["b"]: expected "./b.js", got "./c.js"',
      'exports["d"]: not in the workspace map',
    ]);
  });

  it('when only the order differs, then that is a difference, since the first match wins', () => {
    expect(differences({ types: './a.d.ts', default: './a.js' }, { default: './a.js', types: './a.d.ts' })).toEqual([
      'exports: expected the order types, default, got default, types',
    ]);
  });
});

describe('entries', () => {
  it('when a map has data and blocked subpaths, then only code counts', () => {
    expect(codeEntries({ ...published, './token': './dist/token.js', './internal/*': null })).toEqual(['.', './token']);
  });

  it('when a subpath is imported, then its name follows the package name', () => {
    expect(specifierOf('@x/netcode', '.')).toBe('@x/netcode');
    expect(specifierOf('@x/netcode', './token')).toBe('@x/netcode/token');
  });
});
