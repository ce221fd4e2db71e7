import type { ExportsTarget } from './exports-map.mjs';

export function pickTarget(target: ExportsTarget | undefined, conditions: readonly string[]): string | undefined;
export function lookUp(map: Record<string, ExportsTarget>, key: string, conditions: readonly string[]): string | undefined;
export function resolveImport(
  specifier: string,
  fromFile: string,
  conditions: readonly string[],
): { file?: string; builtin?: string; missing?: string; package?: string };
