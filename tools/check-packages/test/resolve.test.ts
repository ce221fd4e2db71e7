import { describe, expect, it } from 'vitest';
import { lookUp, pickTarget, resolveImport } from '../src/resolve.mjs';

describe('pickTarget', () => {
  const target = { node: { import: './node.mjs' }, browser: './browser.js', default: './any.js' };

  it('when several conditions hold, then the first in the map wins', () => {
    expect(pickTarget(target, ['browser', 'node', 'import'])).toBe('./node.mjs');
  });

  it('when a condition holds but nothing below it, then the next is tried', () => {
    expect(pickTarget(target, ['node', 'browser'])).toBe('./browser.js');
    expect(pickTarget(target, ['node'])).toBe('./any.js');
  });

  it('when a target is null, then there is none', () => {
    expect(pickTarget(null, ['import'])).toBeUndefined();
  });
});

describe('lookUp', () => {
  it('when a pattern fits, then its star is filled', () => {
    expect(lookUp({ './*.js': './dist/*.js' }, './a/b.js', [])).toBe('./dist/a/b.js');
  });

  it('when two patterns fit, then the longer prefix wins', () => {
    expect(lookUp({ './*': './dist/*', './internal/*': null }, './internal/x.js', [])).toBeUndefined();
  });
});

describe('resolveImport', () => {
  it('when a module is of Node, then it says so', () => {
    expect(resolveImport('node:fs', import.meta.filename, [])).toEqual({ builtin: 'node:fs' });
    expect(resolveImport('fs', import.meta.filename, [])).toEqual({ builtin: 'fs' });
  });

  it('when a file has no ending, then it is missing, as for Node', () => {
    expect(resolveImport('../src/resolve', import.meta.filename, []).missing).toMatch(/does not exist$/);
    expect(resolveImport('../src/resolve.mjs', import.meta.filename, []).file).toMatch(/resolve\.mjs$/);
  });

  it('when a package is not installed, then its name comes back', () => {
    expect(resolveImport('@x/nowhere/deep', import.meta.filename, [])).toMatchObject({ package: '@x/nowhere' });
  });
});
