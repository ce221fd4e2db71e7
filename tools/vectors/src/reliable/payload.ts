import { Fields, readBytes } from '../fields.ts';

/** The payload of a pattern: byte i = (seed + 31·i + 7·floor(i / 256)) mod 256. */
export function pattern(length: number, seed: number): Uint8Array {
  const payload = new Uint8Array(length);
  for (let i = 0; i < length; i++) payload[i] = seed + 31 * i + 7 * Math.floor(i / 256);
  return payload;
}

/** Reads a payload: hex, or `{len, seed}` for a pattern. */
export function readPayload(value: unknown, path: string): Uint8Array {
  if (typeof value === 'string') return readBytes(value, path);
  return Fields.read(value, path, (fields) => pattern(fields.number('len'), fields.number('seed')));
}
