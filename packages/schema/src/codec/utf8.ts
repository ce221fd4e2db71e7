import { decodeText } from '../internal/globals.ts';
import { CodecError } from './codec-error.ts';

/** Longest text that is tried as ASCII before the decoder of the platform is asked. */
const SHORT_BYTES = 32;

/** Bytes of a text in UTF-8; throws `UTF8` when it has a lone surrogate, which UTF-8 cannot express. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      length += 1;
    } else if (unit < 0xd800 || unit > 0xdfff) {
      length += 2;
    } else {
      // A pair is two units and four bytes. NaN behind the end is no low surrogate.
      const next = text.charCodeAt(i + 1);
      if (unit > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) throw new CodecError('UTF8', 'a text with a lone surrogate');
      length += 2;
      i++;
    }
  }
  return length;
}

/** Writes a well-formed text, whose length in bytes is known to fit, from `at` on. */
export function writeUtf8(text: string, out: Uint8Array, at: number): void {
  let to = at;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      out[to++] = unit;
    } else if (unit < 0x800) {
      out[to++] = 0xc0 | (unit >>> 6);
      out[to++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      out[to++] = 0xe0 | (unit >>> 12);
      out[to++] = 0x80 | ((unit >>> 6) & 0x3f);
      out[to++] = 0x80 | (unit & 0x3f);
    } else {
      const point = 0x1_0000 + ((unit & 0x3ff) << 10) + (text.charCodeAt(++i) & 0x3ff);
      out[to++] = 0xf0 | (point >>> 18);
      out[to++] = 0x80 | ((point >>> 12) & 0x3f);
      out[to++] = 0x80 | ((point >>> 6) & 0x3f);
      out[to++] = 0x80 | (point & 0x3f);
    }
  }
}

/** The text of some bytes; throws `UTF8` when they are not well-formed. A byte order mark is a character like others. */
export function readUtf8(data: Uint8Array, at: number, length: number): string {
  if (length <= SHORT_BYTES) {
    let text = '';
    let i = at;
    for (; i < at + length && data[i]! < 0x80; i++) text += String.fromCharCode(data[i]!);
    if (i === at + length) return text;
  }
  try {
    return decodeText(data.subarray(at, at + length));
  } catch (cause) {
    throw new CodecError('UTF8', 'bytes that are not UTF-8', '', { cause });
  }
}

/** Whether a text is ASCII and these very bytes: then it can be used again. */
export function isAsciiText(text: string, data: Uint8Array, at: number, length: number): boolean {
  if (text.length !== length) return false;
  for (let i = 0; i < length; i++) if (data[at + i]! >= 0x80 || text.charCodeAt(i) !== data[at + i]) return false;
  return true;
}
