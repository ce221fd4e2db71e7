import { describe, expect, it } from 'vitest';
import { codeBlocks, sectionProblems, sizeProblems, statedSize } from '../src/readme.mjs';

const program = '```ts\nconsole.log(1);\n```';
const titles = [
  'Install',
  'A complete program',
  'What it does not do',
  'Options',
  'API by task',
  'Errors and drop reasons',
  'Wire compatibility',
  'Security',
  'Performance',
  'Upgrading',
];

function readme(sections: readonly string[], name = '@x/netcode'): string {
  return [
    `# ${name}`,
    'Secure sessions.',
    ...sections.map((title) => `## ${title}\n\n${title.includes('program') ? program : 'Text.'}`),
  ].join('\n\n');
}

describe('codeBlocks', () => {
  it('when blocks have languages, then each comes with its first line and its text', () => {
    expect(codeBlocks('a\n```ts\nlet x;\nx = 1;\n```\n\n```sh\nnpm i\n```\n')).toEqual([
      { language: 'ts', line: 3, code: 'let x;\nx = 1;' },
      { language: 'sh', line: 8, code: 'npm i' },
    ]);
  });

  it('when a longer fence holds a shorter one, then the shorter is text', () => {
    expect(codeBlocks('````md\n```ts\n```\n````\n')).toEqual([{ language: 'md', line: 2, code: '```ts\n```' }]);
  });

  it('when a block is never closed, then it is none', () => {
    expect(codeBlocks('```ts\nlet x;\n')).toEqual([]);
  });
});

describe('sectionProblems', () => {
  it('when all eleven sections stand in order, then there is none', () => {
    expect(sectionProblems(readme(titles), '@x/netcode')).toEqual([]);
  });

  it('when the title is another, then it is named', () => {
    expect(sectionProblems(readme(titles, 'netcode'), '@x/netcode')).toEqual(['the first heading must be "# @x/netcode"']);
  });

  it('when two sections are swapped, then the first wrong place is named', () => {
    const swapped = titles.with(7, 'Performance').with(8, 'Security');
    expect(sectionProblems(readme(swapped), '@x/netcode')).toEqual(['section 9 must be "## Security", found "## Performance"']);
  });

  it('when the last section is missing, then the end is named', () => {
    expect(sectionProblems(readme(titles.slice(0, -1)), '@x/netcode')).toEqual(['section 11 must be "## Upgrading", found the end']);
  });

  it('when there is one too many, then it is named', () => {
    expect(sectionProblems(readme([...titles, 'Thanks']), '@x/netcode')).toEqual([
      '"## Thanks" is not one of the eleven sections: use a deeper heading',
    ]);
  });

  it('when a code block has lines like headings, then they do not count', () => {
    expect(sectionProblems(`${readme(titles)}\n\n\`\`\`sh\n## not a heading\n\`\`\`\n`, '@x/netcode')).toEqual([]);
  });

  it('when the program is missing or too long, then that is named', () => {
    const text = readme(titles);
    expect(sectionProblems(text.replace(program, ''), '@x/netcode')).toEqual(['"## A complete program" has no ```ts block']);
    const long = text.replace('console.log(1);', 'console.log(1);\n'.repeat(30));
    expect(sectionProblems(long, '@x/netcode')).toEqual(['the program must stay under 30 lines']);
  });
});

describe('statedSize', () => {
  it('when a table names the columns in its head, then the row below has the numbers', () => {
    const table = '| Runs on | Installed size | Dependencies |\n| --- | --- | --- |\n| Node 20 | 1,234 kB | 2 |\n';
    expect(statedSize(table)).toEqual({ installedKilobytes: 1234, dependencies: 2 });
  });

  it('when a table has one row for each, then the next cell has the number', () => {
    const table = '| | |\n| --- | --- |\n| Installed size | 560 kB |\n| Dependencies | 1 (`@noble/ciphers` 2) |\n';
    expect(statedSize(table)).toEqual({ installedKilobytes: 560, dependencies: 1 });
  });

  it('when a sentence says both, then it is read', () => {
    expect(statedSize('Installed size: 560 kB, dependencies: 0.')).toEqual({ installedKilobytes: 560, dependencies: 0 });
    expect(statedSize('Installed size 56.5 kB with 3 dependencies')).toEqual({ installedKilobytes: 56.5, dependencies: 3 });
  });
});

describe('sizeProblems', () => {
  const text = 'Installed size: 560 kB, dependencies: 1.';

  it('when the size is within a tenth, then there is none', () => {
    expect(sizeProblems(text, 600_000, 1)).toEqual([]);
  });

  it('when the size or the count is stale, then both values are named', () => {
    expect(sizeProblems(text, 700_000, 2)).toEqual(['installed size: says 560 kB, measured 700 kB', 'dependencies: says 1, counted 2']);
  });

  it('when nothing is said, then what was measured is named', () => {
    expect(sizeProblems('', 700_000, 2)).toEqual([
      'no row with "installed size" in kB (measured: 700 kB)',
      'dependencies: says nothing, counted 2',
    ]);
  });
});
