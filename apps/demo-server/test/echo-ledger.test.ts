import { expect, test } from 'vitest';
import { EchoLedger } from '../src/echo-ledger.ts';

test('when echoes come, then they are counted and timed', () => {
  const ledger = new EchoLedger();
  expect([ledger.meanMilliseconds, ledger.recentMilliseconds, ledger.isQuiet]).toEqual([undefined, undefined, true]);
  ledger.send(0, 10);
  ledger.send(1, 10.05);
  expect(ledger.isQuiet).toBe(false);
  expect(ledger.receive(1, 10.15)).toBe(true);
  expect(ledger.receive(0, 10.3)).toBe(true);
  expect([ledger.sent, ledger.received, ledger.lost(100), ledger.isQuiet]).toEqual([2, 2, 0, true]);
  expect(ledger.meanMilliseconds).toBeCloseTo(200);
  expect(ledger.recentMilliseconds).toBeCloseTo(125);
});

test('when an echo comes twice, or of something never sent, then it is refused', () => {
  const ledger = new EchoLedger();
  ledger.send(0, 1);
  expect([ledger.receive(0, 1.1), ledger.receive(0, 1.2), ledger.receive(5, 1.2)]).toEqual([true, false, false]);
  expect(ledger.received).toBe(1);
});

test('when an echo is a second late, then its payload is lost until it comes', () => {
  const ledger = new EchoLedger();
  ledger.send(0, 1);
  expect([ledger.lost(1.9), ledger.lost(2)]).toEqual([0, 1]);
  expect(ledger.receive(0, 2.5)).toBe(true);
  expect(ledger.lost(9)).toBe(0);
});

test('when a session ends, then only what should have been back is lost', () => {
  const ledger = new EchoLedger();
  ledger.send(0, 1);
  ledger.send(1, 1.5);
  ledger.endSession(1.6);
  expect([ledger.sent, ledger.lost(1.6), ledger.lost(99), ledger.isQuiet]).toEqual([2, 1, 1, true]);
  expect(ledger.receive(1, 1.7)).toBe(false);
});

test('when nothing comes back for long, then what is remembered stays bounded and every loss counts', () => {
  const ledger = new EchoLedger();
  for (let number = 0; number < 2000; number++) ledger.send(number, number / 20);
  expect(ledger.receive(0, 100)).toBe(false);
  expect(ledger.lost(200)).toBe(2000);
});
