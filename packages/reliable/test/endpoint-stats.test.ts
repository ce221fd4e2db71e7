import { describe, expect, test } from 'vitest';
import { End } from './support/end.ts';

function expectSane(end: End): void {
  const stats = { ...end.endpoint.stats };
  for (const [name, value] of Object.entries(stats)) {
    expect(Number.isFinite(value), name).toBe(true);
    expect(value, name).toBeGreaterThanOrEqual(0);
    expect(value, name).toBe(Math.fround(value));
  }
  expect(stats.rttMin).toBeLessThanOrEqual(stats.rttAvg);
  expect(stats.rttAvg).toBeLessThanOrEqual(stats.rttMax);
  expect(stats.packetLoss).toBeLessThanOrEqual(100);
  expect(JSON.stringify(end.endpoint.stats)).not.toContain('null');
}

describe('estimates', () => {
  test('FF-47: finite at every stage, on both sides', () => {
    const [a, b] = [new End(), new End()];
    let time = 100;
    const update = (by: number): void => {
      time += by;
      for (const end of [a, b]) {
        end.endpoint.update(time);
        expectSane(end);
      }
    };
    update(0);
    const first = [a.send(10), b.send(10)] as const;
    update(0);
    const second = [a.send(10), b.send(10)] as const;
    update(0.02);
    b.receive(...first[0], ...second[0]);
    a.receive(...first[1], ...second[1]);
    const answers = [a.send(10), b.send(10)] as const;
    update(0.02);
    b.receive(...answers[0]);
    a.receive(...answers[1]);
    update(0);
    for (const { endpoint } of [a, b]) expect(endpoint.stats.rtt).toBeGreaterThan(0);
    for (let i = 0; i < 1000; i++) {
      const [ab, ba] = [a.send(10 + (i % 50)), b.send(10)];
      update(1 / 60);
      if (i % 7 !== 0) b.receive(...ab);
      a.receive(...ba);
      a.endpoint.clearAcks();
      b.endpoint.clearAcks();
    }
    expect(a.endpoint.stats.packetLoss).toBeGreaterThan(5);
    expect(a.endpoint.stats.rttMax).toBeLessThan(1000);
    for (let i = 0; i < 600; i++) update(1 / 60);
    expect(a.endpoint.stats.sentKbps).toBeGreaterThan(0);
  });

  test('FF-54: a time before the latest counts as the latest', () => {
    const [a, b] = [new End({}, 10), new End({}, 10)];
    for (const time of [10, 9, 9.9, 10.1]) {
      const sent = a.send(1);
      a.endpoint.update(time);
      b.endpoint.update(time);
      b.receive(...sent);
      a.receive(...b.send(1));
      expectSane(a);
      expectSane(b);
    }
    expect(a.endpoint.stats.rtt).toBeCloseTo(100, 3);
    a.endpoint.update(10.1);
    expect(a.endpoint.stats).toMatchObject({ rttMin: 0, rttMax: a.endpoint.stats.rtt });
  });

  test.each([16, 64, 65, 400])(
    'when %i samples arrive after an update, then the figures are those of the update until the next one',
    (count) => {
      for (const isReadBefore of [true, false]) {
        const config = { ackBufferSize: 1000, sentPacketsBufferSize: 1024, rttHistorySize: 100 };
        const [a, b] = [new End(config), new End()];
        b.receive(...a.send(1));
        a.endpoint.update(100.1);
        a.receive(...b.send(1));
        a.endpoint.update(100.2);
        if (isReadBefore) expect(a.endpoint.stats.rttMax).toBeCloseTo(100, 3);
        a.endpoint.update(100.2);
        const sent = Array.from({ length: count }, () => a.send(1)[0]!);
        a.endpoint.update(100.5);
        for (const datagram of sent) {
          b.receive(datagram);
          a.receive(...b.send(1));
        }
        const { rttMin, rttMax, rttAvg, jitterMax, jitterStdDev } = a.endpoint.stats;
        expect([rttMin, rttMax, jitterMax, jitterStdDev]).toEqual([rttAvg, rttAvg, 0, 0]);
        expect(rttAvg).toBeCloseTo(100, 3);
        a.endpoint.update(100.5);
        expect(a.endpoint.stats.rttMax).toBeCloseTo(300, 3);
        expect(a.endpoint.stats.rttMin).toBeCloseTo(count < 100 ? 100 : 300, 3);
      }
    },
  );

  test('counters and estimates are live views: the same objects, new values', () => {
    const a = new End();
    const { counters, stats } = a.endpoint;
    a.send(1);
    expect(counters.packetsSent).toBe(1);
    expect(a.endpoint.counters).toBe(counters);
    expect(a.endpoint.stats).toBe(stats);
    a.endpoint.reset();
    expect(counters.packetsSent).toBe(0);
  });
});
