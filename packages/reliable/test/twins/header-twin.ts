/** A header as a list of bytes, part by part. */
export function headerTwin(sequence: number, ack: number, ackBits: number): number[] {
  const parts = [0, 8, 16, 24].map((shift) => Math.floor(ackBits / 2 ** shift) % 256);
  const difference = (sequence - ack + 65536) % 65536;
  let prefix = difference <= 255 ? 32 : 0;
  for (const [i, part] of parts.entries()) if (part !== 255) prefix += 2 ** (i + 1);
  const ackBytes = difference <= 255 ? [difference] : [ack % 256, Math.floor(ack / 256)];
  return [prefix, sequence % 256, Math.floor(sequence / 256), ...ackBytes, ...parts.filter((part) => part !== 255)];
}
