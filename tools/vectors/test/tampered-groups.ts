import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OWN_DATA, replayFile } from '../src/index.ts';
import type { FileReplayer, GroupResult } from '../src/index.ts';
import type { FieldKinds } from './field-kinds.ts';
import { changeDigit, lengthen, pathText, placesOf, replaceAt, shorten } from './tampering.ts';
import type { Json, Path, Place } from './tampering.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, Json>>;

/** A vector file of the repository and its replayer. */
export class VectorFile {
  readonly content: JsonObject;
  readonly #name: string;
  readonly #replayer: FileReplayer;

  constructor(name: string, replayer: FileReplayer) {
    this.content = JSON.parse(readFileSync(join(OWN_DATA, name), 'utf8')) as JsonObject;
    this.#name = name;
    this.#replayer = replayer;
  }

  casesOf(group: string): readonly Json[] {
    return group.split('.').reduce<Json>((value, key) => (value as JsonObject)[key]!, this.content) as readonly Json[];
  }

  /** Replays one case alone. The other groups are there for cases that name their entries; they are not replayed. */
  replayCase(group: string, entry: Json): GroupResult | undefined {
    const [outer, inner] = group.split('.') as [string, string | undefined];
    const value = inner === undefined ? [entry] : { [inner]: [entry] };
    const registry = { [this.#name]: { groups: { [group]: this.#replayer.groups[group] } } };
    const { groups } = replayFile(this.#name, { ...this.content, [outer]: value }, { registry, complete: false });
    return groups.find(({ name }) => name === group);
  }

  /** Replays a case that was changed; it must fail, and where a place is given the failure must name it. */
  expectRefused(group: string, entry: Json, what: string, place: string = ''): void {
    const result = this.replayCase(group, entry);
    expect({ what, failed: result?.failed }).toEqual({ what, failed: 1 });
    expect(result?.firstFailure).toContain(place);
  }
}

/** Changes every compared field of a group's cases and expects the replay to fail. `kindOf` gives several kinds of fields one name. */
export function describeTampering(file: VectorFile, group: string, kinds: FieldKinds, kindOf = (kind: string): string => kind): void {
  const { compared, others, optional = [], inputsToo = [], resultsOnly, places } = kinds;
  const cases = file.casesOf(group);
  const found = new Map<string, { readonly index: number; readonly place: Place }[]>();
  for (const [index, entry] of cases.entries()) {
    for (const place of placesOf(entry)) {
      const kind = kindOf(place.kind);
      const list = found.get(kind) ?? [];
      list.push({ index, place });
      found.set(kind, list);
    }
  }

  describe(`${group}, changed in one place`, () => {
    test('every case passes alone when nothing is changed', () => {
      for (const entry of cases) expect(file.replayCase(group, entry)).toEqual({ name: group, cases: 1, passed: 1, failed: 0 });
    });

    test('every kind of field in the data is known to this test', () => {
      expect([...found.keys()].sort()).toEqual([...compared, ...others].sort());
    });

    test.each(compared)('%s: the replay fails', (kind) => {
      const all = found.get(kind) ?? [];
      const some = places === 'one' ? [all[0]!] : [...new Set([all[0]!, all[all.length >> 1]!, all.at(-1)!])];
      for (const { index, place } of places === 'all' ? all : some) {
        const where = pathText(place.path);
        for (const change of place.isList ? [shorten, lengthen] : [changeDigit]) {
          const changed = replaceAt(cases[index]!, place.path, change);
          file.expectRefused(group, changed, `case ${index}: ${where}`, resultsOnly && !inputsToo.includes(kind) ? where : '');
        }
      }
    });

    test.each(compared.filter((kind) => !kind.endsWith(']') && !optional.includes(kind)))('%s: without it the replay fails', (kind) => {
      const { index, place } = found.get(kind)![0]!;
      const key = place.path.at(-1)!;
      const removeField = (value: Json): Json => Object.fromEntries(Object.entries(value as JsonObject).filter(([name]) => name !== key));
      const where = pathText(place.path);
      const changed = replaceAt(cases[index]!, place.path.slice(0, -1), removeField);
      file.expectRefused(group, changed, `case ${index}: no ${where}`, `${where}: missing`);
    });

    test('a field that nobody knows makes the replay fail, at every depth', () => {
      const parents = new Map<string, { readonly index: number; readonly path: Path }>();
      for (const { index, place } of [...found.values()].map((list) => list[0]!)) {
        const path = place.path.slice(0, -1);
        if (typeof place.path.at(-1) === 'string') parents.set(place.kind.replace(/\.?[^.]*$/, ''), { index, path });
      }
      for (const { index, path } of parents.values()) {
        const addField = (value: Json): Json => ({ ...(value as JsonObject), unheardOf: 1 });
        const where = pathText([...path, 'unheardOf']);
        file.expectRefused(group, replaceAt(cases[index]!, path, addField), where, `${where}: no replayer reads this field`);
      }
    });
  });
}
