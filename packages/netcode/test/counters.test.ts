import { describe, expect, test } from 'vitest';
import { createCounters } from '../src/counters.ts';
import { DROP_REASONS } from '../src/drop-reason.ts';

// Protocol section 8, column "id", then section 19.1.
const READING =
  'empty request-not-allowed request-length request-no-private-key request-version request-protocol-id request-expired ' +
  'request-predates-start request-decrypt no-read-key too-small type-invalid type-not-allowed sequence-bytes short-for-sequence replay ' +
  'decrypt size-denied size-challenge size-response size-keep-alive size-payload-small size-payload-large size-disconnect type-zero';
const BEFORE = 'not-running too-long tiny';
const REQUEST =
  'request-private-data request-not-our-address request-address-connected request-id-connected request-token-used request-history-full ' +
  'request-no-mapping-room';
const RESPONSE = 'response-challenge response-no-mapping response-address-connected response-id-connected';
const OTHER = 'unexpected other-sender queue-full';
const NAMES = [BEFORE, READING, REQUEST, RESPONSE, OTHER].join(' ').split(' ');

describe('drop reasons', () => {
  test('when they are listed, then they are the ids of the protocol, each once, in the order of the checks', () => {
    expect(DROP_REASONS).toEqual(NAMES);
    expect(new Set(DROP_REASONS).size).toBe(DROP_REASONS.length);
  });

  test('when somebody writes to the list, then that fails', () => {
    expect(() => (DROP_REASONS as string[]).push('more')).toThrow(TypeError);
  });
});

describe('createCounters', () => {
  test('when they are made, then there is one per reason and one for denials, all 0', () => {
    const counters = createCounters();
    expect(Object.keys(counters).sort()).toEqual([...NAMES, 'denied'].sort());
    expect(new Set(Object.values(counters))).toEqual(new Set([0]));
  });

  test('when one set counts, then another does not', () => {
    const [one, two] = [createCounters(), createCounters()];
    one['too-long']++;
    expect([one['too-long'], two['too-long']]).toEqual([1, 0]);
  });
});
