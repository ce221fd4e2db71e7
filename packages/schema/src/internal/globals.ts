/** The few web globals that every runtime has and neither `lib.es2023` nor Node's types are loaded for. */
interface WebGlobals {
  readonly TextEncoder: new () => {
    encode(text: string): Uint8Array;
    encodeInto(text: string, out: Uint8Array): { readonly read: number; readonly written: number };
  };
  readonly TextDecoder: new (
    label: string,
    options: { readonly fatal: boolean; readonly ignoreBOM: boolean },
  ) => { decode(bytes: Uint8Array): string };
}

const globals = globalThis as unknown as WebGlobals;

const encoder = new globals.TextEncoder();
/** Keeps a byte order mark as the character that it is, so that decoding and encoding give the same bytes. */
const decoder = new globals.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** UTF-8 of a text; lone surrogates become U+FFFD. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes UTF-8 into `out` as far as whole characters fit; gives how much of the text was read and how many bytes were written. */
export function encodeTextInto(text: string, out: Uint8Array): { readonly read: number; readonly written: number } {
  return encoder.encodeInto(text, out);
}

/** The text of well-formed UTF-8; throws a `TypeError` for anything else. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
