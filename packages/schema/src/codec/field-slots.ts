import { cell, NUMBER } from './number-cell.ts';

// Reading and writing the members of objects whose names are known only when the program runs, as fast as if they stood in the source.
//
// The engine learns at each place of the source which name and which shapes of objects come by. One function for all names would learn nothing: each
// access would be a look-up in a table, and each number with a fraction an object on the heap. The rule that forbids making functions from texts
// leaves one way: many functions that look alike, a pair for each field. Measured, seven fields: a fifth of the time and no allocation. A pair serves
// two structs with a field of the same name, since the engine keeps up to four shapes apart. Fields that come when all pairs are taken share the last
// one: they work the same way, slower.

/** An object of a user. */
export type Members = Record<string, unknown>;

/** Reads a member; a number comes as `NUMBER`, see number-cell.ts. */
export type Load = (from: Members, name: string) => unknown;

/** Writes a member; `NUMBER` as the number that it stands for. */
export type Store = (to: Members, name: string, value: unknown) => void;

/** A pair of functions for one field. */
export interface Slot {
  readonly load: Load;
  readonly store: Store;
}

const STRUCTS_PER_SLOT = 2;

/** The pairs in use, by the name of the field, and how many structs use the newest one. */
const newest = new Map<string, { readonly slot: Slot; uses: number }>();
let taken = 0;

/** Gives the functions for a field of a struct that is being defined. */
export function slotFor(name: string): Slot {
  const known = newest.get(name);
  if (known !== undefined && (known.uses < STRUCTS_PER_SLOT || taken >= LOADS.length)) {
    known.uses++;
    return known.slot;
  }
  const index = Math.min(taken++, LOADS.length - 1);
  const slot = { load: LOADS[index]!, store: STORES[index]! };
  if (index < LOADS.length - 1) newest.set(name, { slot, uses: 1 });
  return slot;
}

/** Reads a member that every object inherits unless it has one of its own, such as `toString`. */
export function loadOwn(from: Members, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

// Nothing is handed over or returned but what is an object or a small number already: a parameter with a default would be enough to lose that.
// prettier-ignore
const LOADS: readonly Load[] = [
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
  (o, k) => { const v = o[k]; if (typeof v !== 'number') return v; cell[0] = v; return NUMBER; },
];

// prettier-ignore
const STORES: readonly Store[] = [
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
  (o, k, v) => { if (v === NUMBER) o[k] = cell[0]; else o[k] = v; },
];
