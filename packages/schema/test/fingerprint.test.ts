import { inspect } from 'node:util';
import { fromHex, toHex } from '@x/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChannelConfig, Fingerprint, FINGERPRINT_BYTES, Schema } from '../src/index.ts';
import { assertProperty } from './support/properties.ts';
import { thrownBy } from './support/thrown.ts';

const WIRE = '95dde79a1f5b44db4c183bc91a691cf2';
const TEXT = 'f21c691ac93b184cdb445b1f9ae7dd95';
const wireBytes = fc.uint8Array({ minLength: FINGERPRINT_BYTES, maxLength: FINGERPRINT_BYTES });

function chat(schemaVersion: number): Schema {
  const builder = Schema.builder(schemaVersion);
  return builder.event('Chat', builder.channel(ChannelConfig.reliableOrdered('reliable')), 256).build();
}

describe('published values', () => {
  test.each([
    [1, TEXT],
    [2, '67fe5de2ec8f743b99d97fdf9ebade29'],
  ])('when the chat schema has version %i, then the text is %s', (version, text) => {
    expect(String(chat(version).fingerprint)).toBe(text);
  });

  test('when the conformance schema is built, then the text is the published one', () => {
    const builder = Schema.builder(1).maxMessagesPerPacket(32);
    const reliable = builder.channel(ChannelConfig.reliableOrdered('reliable', { capacity: 64 }));
    const state = builder.channel(ChannelConfig.unreliableUnordered('state', { capacity: 64 }));
    const bulk = builder.channel(ChannelConfig.reliableOrdered('bulk', { capacity: 16 }));
    builder
      .event('Chat', reliable, 256)
      .event('Spawn', reliable, 1024)
      .event('Move', state, 64)
      .event('Ping', state, 0)
      .event('Blob', bulk, 8000);
    expect(String(builder.build().fingerprint)).toBe('66937746fb6beb3a04f8a4016bc60053');
  });
});

describe('forms', () => {
  const fingerprint = Fingerprint.fromBytes(fromHex(WIRE));

  test('when read from the wire, then the text is the bytes in reverse order', () => {
    expect(fingerprint.toString()).toBe(TEXT);
    expect(JSON.stringify({ fingerprint })).toBe(`{"fingerprint":"${TEXT}"}`);
    expect(inspect(fingerprint)).toBe(`Fingerprint(${TEXT})`);
  });

  test('when read as numbers, then the halves are those of the text, the upper one first', () => {
    expect(fingerprint.value).toBe(0xf21c691ac93b184cdb445b1f9ae7dd95n);
    expect(fingerprint.halves()).toEqual([0xf21c691ac93b184cn, 0xdb445b1f9ae7dd95n]);
  });

  test('when the number is small, then the text keeps its zeros', () => {
    const one = Fingerprint.parse('00000000000000000000000000000001');
    expect(toHex(one.bytes)).toBe('01000000000000000000000000000000');
    expect([one.value, ...one.halves()]).toEqual([1n, 0n, 1n]);
  });

  test('when the given or returned bytes are edited, then the fingerprint stays', () => {
    const wire = fromHex(WIRE);
    const made = Fingerprint.fromBytes(wire);
    wire.fill(0);
    made.bytes.fill(0);
    expect(toHex(made.bytes)).toBe(WIRE);
    expect(Object.isFrozen(made)).toBe(true);
    expect(() => Object.assign(made, { value: 1n })).toThrow(TypeError);
  });

  test('when any 16 bytes are taken, then every form leads back to them', () => {
    assertProperty(
      fc.property(wireBytes, (wire) => {
        const made = Fingerprint.fromBytes(wire);
        const number = wire.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
        const [high, low] = made.halves();
        expect(made.bytes).toEqual(wire);
        expect(made.value).toBe(number);
        expect((high << 64n) | low).toBe(number);
        expect(String(made)).toBe(number.toString(16).padStart(32, '0'));
        expect(Fingerprint.parse(String(made)).equals(made)).toBe(true);
      }),
    );
  });
});

describe('equality', () => {
  test('when any single bit differs, then they are not equal', () => {
    const original = fromHex(WIRE);
    const fingerprint = Fingerprint.fromBytes(original);
    for (let bit = 0; bit < 8 * FINGERPRINT_BYTES; bit++) {
      const changed = original.slice();
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(fingerprint.equals(Fingerprint.fromBytes(changed))).toBe(false);
    }
    expect(fingerprint.equals(Fingerprint.fromBytes(original))).toBe(true);
  });

  test('when the other one comes from another installed copy, then its bytes decide', () => {
    const foreign = (bytes: Uint8Array): Fingerprint => ({ bytes }) as unknown as Fingerprint;
    const fingerprint = Fingerprint.parse(TEXT);
    expect(fingerprint.equals(foreign(fromHex(WIRE)))).toBe(true);
    expect(fingerprint.equals(foreign(fromHex(WIRE).reverse()))).toBe(false);
    expect(fingerprint.equals(foreign(fromHex(`${WIRE}00`)))).toBe(false);
    expect(fingerprint.equals(foreign(fromHex(WIRE.slice(2))))).toBe(false);
  });

  test('when two schemas are declared alike, then they differ as objects and agree in fingerprint', () => {
    const [first, second] = [chat(1), chat(1)];
    expect(first).not.toBe(second);
    expect(first.fingerprint).not.toBe(second.fingerprint);
    expect(first.fingerprint.equals(second.fingerprint)).toBe(true);
  });
});

describe('refusals', () => {
  test.each([
    ['15 bytes', new Uint8Array(15), 'wire: expected 16 bytes, got 15 bytes'],
    ['17 bytes', new Uint8Array(17), 'wire: expected 16 bytes, got 17 bytes'],
    ['a text', TEXT, `wire: expected 16 bytes, got "${TEXT}"`],
    ['an array', [...fromHex(WIRE)], 'wire: expected 16 bytes, got an array of 16'],
    ['nothing', undefined, 'wire: expected 16 bytes, got undefined'],
  ])('when made from %s, then INVALID_OPTION', (_, value, message) => {
    expect(thrownBy(() => Fingerprint.fromBytes(value as Uint8Array))).toMatchObject({ code: 'INVALID_OPTION', field: 'wire', message });
  });

  test.each([
    ['31 digits', TEXT.slice(1)],
    ['33 digits', `0${TEXT}`],
    ['upper case', TEXT.toUpperCase()],
    ['a prefix', `0x${TEXT.slice(2)}`],
    ['a newline at the end', `${TEXT}\n`],
    ['another letter', TEXT.replace('f', 'g')],
    ['no text', 5],
  ])('when parsed from %s, then INVALID_OPTION', (_, value) => {
    expect(thrownBy(() => Fingerprint.parse(value as string))).toMatchObject({ code: 'INVALID_OPTION', field: 'text' });
  });
});
