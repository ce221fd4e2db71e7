// The slow twin of the address texts, from the tables of protocol section 4 alone: one grammar as a regular expression, one state machine.

/** What a text means: the family's numbers in human order (4 octets or 8 groups) and the port. */
export interface TwinAddress {
  readonly numbers: readonly number[];
  readonly port: number;
}

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9])';
const DOTTED = `(?:${OCTET}\\.){3}${OCTET}`;
const H = '[0-9A-Fa-f]{1,4}';
const LAST = `(?:${H}:${H}|${DOTTED})`;
// The grammar of RFC 3986, whose `::` stands for one or more groups.
const IPV6 = new RegExp(
  `^(?:${[
    `(?:${H}:){6}${LAST}`,
    `::(?:${H}:){5}${LAST}`,
    `(?:${H})?::(?:${H}:){4}${LAST}`,
    `(?:(?:${H}:){0,1}${H})?::(?:${H}:){3}${LAST}`,
    `(?:(?:${H}:){0,2}${H})?::(?:${H}:){2}${LAST}`,
    `(?:(?:${H}:){0,3}${H})?::${H}:${LAST}`,
    `(?:(?:${H}:){0,4}${H})?::${LAST}`,
    `(?:(?:${H}:){0,5}${H})?::${H}`,
    `(?:(?:${H}:){0,6}${H})?::`,
  ].join('|')})$`,
);
const IPV4 = new RegExp(`^${DOTTED}$`);

function octetsOf(text: string): number[] {
  return text.split('.').map(Number);
}

function groupsOf(text: string): number[] {
  const undotted = text.replace(new RegExp(`${DOTTED}$`), (dotted) => {
    const [a, b, c, d] = octetsOf(dotted) as [number, number, number, number];
    return `${(256 * a + b).toString(16)}:${(256 * c + d).toString(16)}`;
  });
  const present = undotted.split(':').filter((group) => group !== '').length;
  const filled = undotted.replace('::', `:${'0:'.repeat(8 - present)}`);
  return filled
    .split(':')
    .filter((group) => group !== '')
    .map((group) => Number(`0x${group}`));
}

function isPort(digits: string): boolean {
  return digits !== '' && !/[^0-9]/.test(digits) && BigInt(digits) <= 65_535n;
}

/** Reads a text by the steps of section 4.1, or gives `undefined`. */
export function parseTwin(input: string): TwinAddress | undefined {
  let characters = input.split('').slice(0, 255);
  let port = 0;
  if (characters[0] === '[') {
    const closed = characters.at(-1) === ']';
    const last = characters.length - 1;
    for (let step = 0; step < 6; step++) {
      const k = last - step;
      if (k < 3) break;
      if (characters[k] === ':' && characters[k - 1] === ']') {
        const digits = characters.slice(k + 1).join('');
        if (!isPort(digits)) return undefined;
        port = Number(digits);
        characters.length = k - 1;
        break;
      }
    }
    if (closed) characters.pop();
    characters.shift();
  }
  if (IPV6.test(characters.join(''))) return { numbers: groupsOf(characters.join('')), port };
  const last = characters.length - 1;
  for (let step = 0; step < 6 && last - step >= 0; step++) {
    if (characters[last - step] !== ':') continue;
    const digits = characters.slice(last - step + 1).join('');
    if (!isPort(digits)) return undefined;
    port = Number(digits);
    characters = characters.slice(0, last - step);
    break;
  }
  const rest = characters.join('');
  return IPV4.test(rest) ? { numbers: octetsOf(rest), port } : undefined;
}

/** Prints numbers and port by section 4.6. */
export function printTwin({ numbers, port }: TwinAddress): string {
  if (numbers.length === 4) return numbers.join('.') + (port > 0 ? `:${port}` : '');
  const text = printGroups(numbers);
  return port > 0 ? `[${text}]:${port}` : text;
}

function printGroups(numbers: readonly number[]): string {
  const marks = numbers.map((group) => (group === 0 ? 'z' : 'n')).join('');
  const run = [...marks.matchAll(/zz+/g)].sort((a, b) => b[0].length - a[0].length || a.index - b.index)[0];
  const dotted = numbers
    .slice(6)
    .flatMap((group) => [Math.floor(group / 256), group % 256])
    .join('.');
  if (/^z{6}n/.test(marks)) return `::${dotted}`;
  if (/^z{5}n/.test(marks) && numbers[5] === 65_535) return `::ffff:${dotted}`;
  const hex = numbers.map((group) => group.toString(16));
  if (run === undefined) return hex.join(':');
  const before = hex.slice(0, run.index).join(':');
  const after = hex.slice(run.index + run[0].length).join(':');
  return `${before}::${after}`;
}
