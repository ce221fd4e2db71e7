/** Reads lower- or upper-case hex; throws on anything else, so that a damaged fixture cannot pass as shorter bytes. */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || /[^0-9a-fA-F]/.test(text)) throw new Error(`not hex: ${text.slice(0, 40)}`);
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

/** Writes lower-case hex. */
export function toHex(bytes: Uint8Array, offset: number = 0, length: number = bytes.length - offset): string {
  let text = '';
  for (let i = offset; i < offset + length; i++) text += bytes[i]!.toString(16).padStart(2, '0');
  return text;
}
