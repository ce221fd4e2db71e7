import { readU128, readU64, writeU128, writeU64 } from '@x/reliable/bits';
import type { BitReader, BitSink } from '@x/reliable/bits';
import { fromHex, toHex } from '@x/testkit';
import { readBytes, readNumber, shown } from '../fields.ts';

/** One operation of a case: its name and its arguments. */
export interface Op {
  readonly name: string;
  readonly path: string;
  readonly values: readonly unknown[];
}

/** What an operation reads or writes; `null` for those without a value. */
export type OpValue = number | boolean | string | null;

/** Number of arguments of each operation with a value and without one. */
const ARGUMENTS: Readonly<Record<string, readonly [withValue: number, without: number]>> = {
  bits: [2, 1],
  bool: [1, 0],
  int: [3, 2],
  align: [0, 0],
  bytes: [1, 1],
  u16: [1, 0],
  u64: [1, 0],
  u128: [1, 0],
  rel: [2, 1],
  end: [0, 0],
};

/** Reads an operation and refuses one that is unknown or has more or fewer arguments than it takes. */
export function readOp(value: unknown, path: string, hasValue: boolean): Op {
  if (!Array.isArray(value) || typeof value[0] !== 'string') throw new Error(`${path}: expected an operation, got ${shown(value)}`);
  const [name, ...values] = value as [string, ...unknown[]];
  const count = Object.hasOwn(ARGUMENTS, name) ? ARGUMENTS[name]![hasValue ? 0 : 1] : undefined;
  if (count === undefined) throw new Error(`${path}: ${name} is unknown`);
  if (values.length !== count) throw new Error(`${path}: expected ${count} arguments, got ${shown(value)}`);
  return { name, path, values };
}

/** The value that an operation writes. */
export function valueOf({ name, path, values }: Op): OpValue {
  if (name === 'align' || name === 'end') return null;
  const value = name === 'rel' ? values[1] : values[0];
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string') return value;
  throw new Error(`${path}: expected a value, got ${shown(value)}`);
}

/** The arguments that reading takes of an operation that has a value. */
export function withoutValue(op: Op): Op {
  const { name, path, values } = op;
  if (name === 'bytes') return { name, path, values: [readBytes(values[0], path).length] };
  return { name, path, values: name === 'rel' ? values.slice(0, 1) : values.slice(1) };
}

/** Writes an operation. */
export function writeOp(sink: BitSink, op: Op): void {
  const { name, path, values } = op;
  const number = (index: number): number => readNumber(values[index], `${path}[${index + 1}]`);
  switch (name) {
    case 'bits':
      sink.bits(number(0), number(1));
      break;
    case 'bool':
      if (typeof values[0] !== 'boolean') throw new Error(`${path}: expected a boolean, got ${shown(values[0])}`);
      sink.bool(values[0]);
      break;
    case 'int':
      sink.int(number(0), number(1), number(2));
      break;
    case 'bytes':
      sink.bytes(readBytes(values[0], path));
      break;
    case 'u16':
      sink.bits(number(0), 16);
      break;
    case 'u64':
      writeU64(sink, BigInt(`0x${digits(values[0], 16, path)}`));
      break;
    case 'u128':
      writeU128(sink, fromHex(digits(values[0], 32, path)).reverse());
      break;
    case 'rel':
      sink.intRelative(number(0), number(1));
      break;
    default:
      sink.align();
  }
}

/** Reads an operation. The result means nothing once the reader has failed. */
export function readValue(reader: BitReader, bytes: Uint8Array, op: Op): OpValue {
  const { name, path, values } = op;
  const number = (index: number): number => readNumber(values[index], `${path}[${index + 1}]`);
  switch (name) {
    case 'bits':
      return reader.bits(number(0));
    case 'bool':
      return reader.bool();
    case 'int':
      return reader.int(number(0), number(1));
    case 'bytes': {
      const at = reader.skipBytes(number(0));
      return toHex(bytes.subarray(at, at + number(0)));
    }
    case 'u16':
      return reader.bits(16);
    case 'u64':
      return readU64(reader).toString(16).padStart(16, '0');
    case 'u128': {
      const value = new Uint8Array(16);
      readU128(reader, value);
      return toHex(value.reverse());
    }
    case 'rel':
      return reader.intRelative(number(0));
    case 'align':
      reader.align();
      return null;
    default:
      reader.end();
      return null;
  }
}

function digits(value: unknown, count: number, path: string): string {
  const text = toHex(readBytes(value, path));
  if (text.length !== count) throw new Error(`${path}: expected ${count} digits, got ${shown(value)}`);
  return text;
}
