/** Largest part by which the README's installed size may differ from the measured one. */
const SIZE_TOLERANCE = 0.1;
/** The complete program of a README stays below this many lines. */
const PROGRAM_LINES = 30;

/** The second-level headings of a package README, in order; the first of the eleven sections is the title itself. */
const SECTIONS = [
  { title: 'Install', matches: /^install/i },
  { title: 'A complete program', matches: /program|example|quick start/i },
  { title: 'What it does not do', matches: /\bnot\b/i },
  { title: 'Options', matches: /^options/i },
  { title: 'API', matches: /^api\b/i },
  { title: 'Errors and drop reasons', matches: /^errors/i },
  { title: 'Wire compatibility', matches: /compatibility/i },
  { title: 'Security', matches: /^security/i },
  { title: 'Performance', matches: /^performance/i },
  { title: 'Upgrading', matches: /^upgrading/i },
];

/** The fenced code blocks of a Markdown text, with the first word after the fence and the line on which the code begins. */
export function codeBlocks(markdown) {
  const blocks = [];
  let open;
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const [, fence, info] = /^\s*(`{3,}|~{3,})\s*(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence !== undefined) open = { fence, language: info.split(/\s/)[0], line: index + 2, code: [] };
    } else if (fence !== undefined && info === '' && fence.startsWith(open.fence)) {
      blocks.push({ language: open.language, line: open.line, code: open.code.join('\n') });
      open = undefined;
    } else open.code.push(line);
  }
  return blocks;
}

/** The headings of a Markdown text outside code blocks. */
function headings(markdown) {
  let fence;
  return markdown.split(/\r?\n/).flatMap((text, index) => {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    const [, hashes, title] = (fence === undefined && /^(#{1,6})\s+(.*?)\s*#*$/.exec(text)) || [];
    return hashes === undefined ? [] : [{ level: hashes.length, title, line: index + 1 }];
  });
}

/** What is wrong with the order of sections of a package README; empty when all eleven stand in their order and no other. */
export function sectionProblems(markdown, packageName) {
  const all = headings(markdown);
  const problems = [];
  const first = all[0];
  if (first?.level !== 1 || first.title !== packageName) problems.push(`the first heading must be "# ${packageName}"`);
  const second = all.filter((heading) => heading.level === 2);
  const between = markdown.split(/\r?\n/).slice(first?.line ?? 0, second.length > 0 ? second[0].line - 1 : undefined);
  if (!between.some((line) => /[.!?]$/.test(line.trim()))) problems.push('a sentence that says what the package is must follow the title');
  let at = 0;
  for (const [index, { title, matches }] of SECTIONS.entries()) {
    if (second[at] !== undefined && matches.test(second[at].title)) at++;
    else
      problems.push(
        `section ${index + 2} must be "## ${title}", found ${second[at] === undefined ? 'the end' : `"## ${second[at].title}"`}`,
      );
    if (problems.length > 0 && problems.at(-1).startsWith('section')) return problems;
  }
  if (second[at] !== undefined) problems.push(`"## ${second[at].title}" is not one of the eleven sections: use a deeper heading`);
  const program = codeBlocks(markdown).find(({ language, line }) => language === 'ts' && line > second[1].line && line < second[2].line);
  if (program === undefined) problems.push(`"## ${second[1].title}" has no \`\`\`ts block`);
  else if (program.code.split('\n').length >= PROGRAM_LINES) problems.push(`the program must stay under ${PROGRAM_LINES} lines`);
  return problems;
}

/** The cells of a Markdown table row, or undefined. */
function cells(line) {
  return line.trim().startsWith('|')
    ? line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => cell.trim())
    : undefined;
}

/** The first number of a text; spaces, commas and underscores may group its thousands. */
function firstNumber(text) {
  const digits = /\d+(?:[ ,_\u00a0\u202f]\d{3})*(?:\.\d+)?/.exec(text)?.[0];
  return digits === undefined ? undefined : Number(digits.replace(/[ ,_\u00a0\u202f]/g, ''));
}

/** The number of a sentence that belongs to a label: directly before it (`3 dependencies`), else the first after it. */
function besideLabel(line, label) {
  const at = line.search(label);
  const before = /(\d+) $/.exec(line.slice(0, at))?.[1];
  return before === undefined ? firstNumber(line.slice(at)) : Number(before);
}

/**
 * The installed size in kB (1000 bytes) and the number of dependencies that a README states: in a table whose head or first column
 * says `installed size` and `dependencies`, or in plain lines that do.
 */
export function statedSize(markdown) {
  const lines = markdown.split(/\r?\n/);
  const find = (label) => {
    for (const [index, line] of lines.entries()) {
      if (!label.test(line)) continue;
      const row = cells(line);
      const column = row?.findIndex((cell) => label.test(cell)) ?? -1;
      const below = cells(lines[index + 2] ?? '');
      const isHead = row !== undefined && /^[\s|:-]+$/.test(lines[index + 1] ?? '') && below?.[column] !== undefined;
      const value = isHead ? firstNumber(below[column]) : row !== undefined ? firstNumber(row[column + 1] ?? '') : besideLabel(line, label);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return { installedKilobytes: find(/installed size/i), dependencies: find(/\bdependenc(y|ies)\b/i) };
}

/** What is stale in the README's size statement, given what was measured. */
export function sizeProblems(markdown, installedBytes, dependencies) {
  const stated = statedSize(markdown);
  const measured = installedBytes / 1000;
  const problems = [];
  if (stated.installedKilobytes === undefined) problems.push(`no row with "installed size" in kB (measured: ${Math.round(measured)} kB)`);
  else if (Math.abs(stated.installedKilobytes - measured) > measured * SIZE_TOLERANCE) {
    problems.push(`installed size: says ${stated.installedKilobytes} kB, measured ${Math.round(measured)} kB`);
  }
  if (stated.dependencies !== dependencies)
    problems.push(`dependencies: says ${stated.dependencies ?? 'nothing'}, counted ${dependencies}`);
  return problems;
}
