import { describe as suite, expect, test } from 'vitest';
import { describe, quoted } from '../src/internal/debug-text.ts';
import { ChannelConfig, Schema } from '../src/index.ts';
import { thrownBy } from './support/thrown.ts';

suite('quoted names', () => {
  test.each([
    ['plain text and an apostrophe', "it's", `"it's"`],
    ['a quote', 'a"b', String.raw`"a\"b"`],
    ['a backslash', 'a\\b', String.raw`"a\\b"`],
    ['the controls with a letter', '\n\r\t\0', String.raw`"\n\r\t\0"`],
    ['other controls, without leading zeros', '\u0001\u001f\u0085', String.raw`"\u{1}\u{1f}\u{85}"`],
    ['DEL', '\u007f', String.raw`"\u{7f}"`],
    ['format characters', '\u00ad\u200b\u200d\u202e\ufeff', String.raw`"\u{ad}\u{200b}\u{200d}\u{202e}\u{feff}"`],
    ['combining marks', 'e\u0301\u20dd', String.raw`"e\u{301}\u{20dd}"`],
    ['separators other than the space', 'a b\u00a0\u2028', String.raw`"a b\u{a0}\u{2028}"`],
    ['characters above 16 bits', '😀\u{e0041}', String.raw`"😀\u{e0041}"`],
    ['a lone surrogate', 'a\ud800b', String.raw`"a\u{d800}b"`],
    ['printable letters of other scripts', 'café 名前', '"café 名前"'],
    ['nothing', '', '""'],
  ])('when a name holds %s, then it is escaped as a Rust debug string', (_, name, expected) => {
    expect(quoted(name)).toBe(expected);
  });

  test('when such a name is refused, then the text shows it escaped and the details as given', () => {
    const error = thrownBy(() => Schema.builder(1).channel(ChannelConfig.reliableOrdered('a"\u0000é')));
    expect(error.message).toBe(String.raw`invalid name "a\"\0é": names are 1-255 bytes of [A-Za-z0-9_.:/-]`);
    expect(error.details).toEqual({ name: 'a"\u0000é' });
  });
});

suite('described values', () => {
  test.each([
    [null, 'null'],
    [undefined, 'undefined'],
    [1.5, '1.5'],
    [Number.NaN, 'NaN'],
    [true, 'true'],
    [5n, 'the bigint 5'],
    ['a"b', String.raw`"a\"b"`],
    ['x'.repeat(64), `"${'x'.repeat(64)}"`],
    ['x'.repeat(65), 'a text of 65 characters'],
    [new Uint8Array(3), '3 bytes'],
    [[1, 2], 'an array of 2'],
    [{ secret: 1 }, 'object'],
    [Symbol('s'), 'symbol'],
    [() => 1, 'function'],
  ])('when the value is %s, then it reads %s', (value, expected) => {
    expect(describe(value)).toBe(expected);
  });
});
