import { toHex } from '@x/testkit';

const RUN_BYTES = 8;

/** The base64 digits that a run of bytes has wherever it begins inside a longer text, by its three possible alignments. */
function base64Cores(run: Uint8Array): string[] {
  return [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), run])
      .toString('base64')
      .replaceAll('=', '');
    const whole = Math.floor((8 * (shift + run.length)) / 6);
    return text.slice(shift === 0 ? 0 : shift + 1, whole);
  });
}

/**
 * Every form in which eight bytes in a row of a secret stand in a text: hex (also with blanks), decimal lists, base64 and base64url, raw.
 * Empty when the text keeps the secret.
 */
export function leaksOf(text: string, secret: Uint8Array): string[] {
  const dense = text.replaceAll(/\s/g, '');
  const found: string[] = [];
  for (let i = 0; i + RUN_BYTES <= secret.length; i++) {
    const run = secret.slice(i, i + RUN_BYTES);
    if (dense.toLowerCase().includes(toHex(run))) found.push(`hex at ${i}`);
    if (dense.includes(run.join(','))) found.push(`decimal at ${i}`);
    if (dense.includes([...run].map((byte, k) => `"${i + k}":${byte}`).join(','))) found.push(`keyed decimal at ${i}`);
    if (text.includes(Buffer.from(run).toString('latin1'))) found.push(`raw at ${i}`);
    const digits = dense.replaceAll('-', '+').replaceAll('_', '/');
    if (base64Cores(run).some((core) => digits.includes(core))) found.push(`base64 at ${i}`);
  }
  return found;
}
