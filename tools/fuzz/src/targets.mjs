// The targets by name: every file of `targets/`.
import { readdirSync } from 'node:fs';

const folder = new URL('targets/', import.meta.url);

export const targetNames = readdirSync(folder)
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => name.slice(0, -'.mjs'.length))
  .sort();

/** Loads a target, and with it the code that it watches. */
export async function loadTarget(name) {
  const { target } = await import(new URL(`${name}.mjs`, folder).href);
  return target;
}

/** What is known of a target without loading the code that it watches. */
export async function loadPlan(name) {
  return (await import(new URL(`plans/${name}.mjs`, import.meta.url).href)).plan;
}
