export interface CodeBlock {
  readonly language: string;
  readonly line: number;
  readonly code: string;
}
export function codeBlocks(markdown: string): CodeBlock[];
export function sectionProblems(markdown: string, packageName: string): string[];
export function statedSize(markdown: string): { installedKilobytes: number | undefined; dependencies: number | undefined };
export function sizeProblems(markdown: string, installedBytes: number, dependencies: number): string[];
