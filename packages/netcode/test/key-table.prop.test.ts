import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseAddress } from '../src/address.ts';
import { KeyTable, NEVER } from '../src/key-table.ts';
import { propertyOptions } from './support/codec-property.ts';
import { KeyTableTwin } from './twins/key-table-twin.ts';

const TEXTS = ['10.0.0.1:1', '10.0.0.1:2', '10.0.0.2:1', '[::1]:1', '[::ffff:10.0.0.1]:1', '[::2]:1'];

type Step =
  | { do: 'add'; who: number; timeout: number; deadline: number }
  | { do: 'find' | 'remove'; who: number }
  | { do: 'touch'; who: number; place: number }
  | { do: 'deadline'; place: number; deadline: number }
  | { do: 'slot'; place: number; slot: number }
  | { do: 'wait'; seconds: number }
  | { do: 'reset' };

const who = fc.nat(TEXTS.length - 1);
const place = fc.nat(7);
/** Seconds from now; -1: none. */
const deadline = fc.constantFrom(-1, -1, 0, 0.5, 1, 3);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('add' as const), who, timeout: fc.constantFrom(-1, 0, 1, 2, 2, 5), deadline }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('find' as const, 'remove' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('touch' as const), who, place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deadline' as const), place, deadline }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('slot' as const), place, slot: fc.constantFrom(-1, 0, 5) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(0.25, 0.5, 1, 2, 5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
);

/** The same table twice; `filling` places before it are taken by addresses that stay. */
class Pair {
  readonly table: KeyTable<string> = new KeyTable<string>();
  readonly twin: KeyTableTwin = new KeyTableTwin();
  readonly #filling: number;
  #time: number = 0;
  #made: number = 0;

  constructor(filling: number) {
    this.#filling = filling;
    for (let i = 0; i < filling; i++) this.#add(`10.9.${i >> 8}.${i & 255}:9`, -1, NEVER);
  }

  #add(text: string, timeoutSeconds: number, expireTime: number): void {
    const keys = `keys ${++this.#made}`;
    const entry = { historyIndex: this.#made, historySerial: this.#made };
    const added = this.table.add(
      { address: parseAddress(text), sendKey: keys, receiveKey: keys, timeoutSeconds, expireTime, ...entry },
      this.#time,
    );
    const expected = this.twin.add(text, keys, timeoutSeconds, expireTime < 0 ? 'never' : expireTime, this.#time);
    if (added !== expected) expect.fail(`${text}: added at ${added}, expected ${expected}`);
  }

  /** A deadline on the clock; -1 stays -1. */
  #at(seconds: number): number {
    return seconds < 0 ? NEVER : this.#time + seconds;
  }

  run(action: Step): void {
    switch (action.do) {
      case 'add':
        this.#add(TEXTS[action.who]!, action.timeout, this.#at(action.deadline));
        break;
      case 'find': {
        const text = TEXTS[action.who]!;
        expect(this.table.find(parseAddress(text), this.#time)).toBe(this.twin.find(text, this.#time));
        break;
      }
      case 'remove': {
        const text = TEXTS[action.who]!;
        expect(this.table.remove(parseAddress(text), this.#time)).toBe(this.twin.remove(text, this.#time));
        break;
      }
      case 'touch': {
        const text = TEXTS[action.who]!;
        const index = this.#filling + action.place;
        expect(this.table.touch(index, parseAddress(text), this.#time)).toBe(this.twin.touch(index, text, this.#time));
        break;
      }
      case 'deadline':
      case 'slot':
        this.#set(this.#filling + action.place, action);
        break;
      case 'wait':
        this.#time += action.seconds;
        break;
      case 'reset':
        this.table.reset();
        this.twin.reset();
    }
    this.#compare();
  }

  /** Only places in use are bound or given a deadline, as a server does. */
  #set(index: number, action: Extract<Step, { place: number }>): void {
    if (this.twin.keys(index) === undefined) return;
    if (action.do === 'deadline') {
      const at = this.#at(action.deadline);
      this.table.setExpireTime(index, at);
      this.twin.setDeadline(index, at < 0 ? 'never' : at);
    }
    if (action.do === 'slot') {
      this.table.setSlot(index, action.slot);
      this.twin.setSlot(index, action.slot < 0 ? undefined : action.slot);
    }
  }

  #compare(): void {
    for (let i = this.#filling; i < this.#filling + 8; i++) expect(this.table.mapping(i)?.sendKey).toBe(this.twin.keys(i));
  }
}

test('when mappings are added, found, bound, removed and expire in any order, then each answer is that of the twin', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const pair = new Pair(0);
      for (const action of steps) pair.run(action);
    }),
    propertyOptions(120),
  );
});

test('when only three places are left, then each answer is that of the twin', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 40 }), (steps) => {
      const pair = new Pair(1021);
      for (const action of steps) pair.run(action);
    }),
    propertyOptions(4),
  );
});
