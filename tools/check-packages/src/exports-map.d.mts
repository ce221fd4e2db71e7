export type ExportsTarget = string | null | readonly ExportsTarget[] | { readonly [key: string]: ExportsTarget };
export const SOURCE_CONDITION: string;
export function withoutCondition(map: ExportsTarget, condition: string): ExportsTarget;
export function differences(expected: ExportsTarget, actual: ExportsTarget, path?: string): string[];
export function codeEntries(map: Record<string, ExportsTarget> | undefined): string[];
export function specifierOf(packageName: string, subpath: string): string;
