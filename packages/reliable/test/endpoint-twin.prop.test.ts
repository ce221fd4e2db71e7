import { eachSeed, toHex } from '@x/testkit';
import type { SeededRandom } from '@x/testkit';
import { expect, test } from 'vitest';
import { End } from './support/end.ts';
import { EndpointTwin } from './twins/endpoint-twin.ts';
import type { TwinConfig } from './twins/endpoint-twin.ts';

/** Random traffic between two ends over a bad link, each beside its twin that is told the same. */
class Schedule {
  readonly ends: readonly (readonly [End, EndpointTwin])[];
  readonly #random: SeededRandom;
  readonly #config: TwinConfig;
  /** Datagrams on their way to each end. */
  readonly #flying: Uint8Array[][] = [[], []];
  #time: number = 50;

  constructor(random: SeededRandom) {
    this.#random = random;
    const fragmentSize = 1 + random.below(40);
    const maxFragments = 1 + random.below(40);
    this.#config = {
      maxPacketSize: Math.max(1, random.below(maxFragments * fragmentSize + 1)),
      fragmentAbove: 1 + random.below(60),
      maxFragments,
      fragmentSize,
      ackBufferSize: 1 + random.below(40),
      sentPacketsBufferSize: 2 ** (1 + random.below(8)),
      receivedPacketsBufferSize: 2 ** (1 + random.below(8)),
      fragmentReassemblyBufferSize: 2 ** random.below(5),
      rttSmoothingFactor: random.unit(),
      rttHistorySize: 1 + random.below(100),
      packetLossSmoothingFactor: random.unit(),
      bandwidthSmoothingFactor: random.unit(),
      packetHeaderSize: random.below(60),
    };
    const pair = (): readonly [End, EndpointTwin] => [new End(this.#config, this.#time), new EndpointTwin(this.#config, this.#time)];
    this.ends = [pair(), pair()];
  }

  step(): void {
    const random = this.#random;
    const side = random.below(2);
    const action = random.below(100);
    if (action < 35) this.#send(side);
    else if (action < 75) this.#receive(side);
    else if (action < 90) this.#update();
    else if (action < 96) this.#clearAcks(side);
    else if (action < 99) this.#receiveBytes(side, random.bytes(random.below(20)));
    else if (random.chance(0.05)) this.#reset();
    this.#compare();
  }

  #send(side: number): void {
    const random = this.#random;
    const [end, twin] = this.ends[side]!;
    const payload = random.bytes(1 + random.below(random.chance(0.5) ? 10 : this.#config.maxPacketSize + 2));
    twin.send([...payload]);
    if (payload.length > this.#config.maxPacketSize) expect(() => end.send(payload)).toThrow();
    else end.endpoint.send(payload);
    const sent = end.take();
    expect(sent.map((datagram) => toHex(datagram))).toEqual(twin.transmitted.splice(0).map((bytes) => toHex(Uint8Array.from(bytes))));
    const target = this.#flying[1 - side]!;
    for (const datagram of sent) {
      if (random.chance(0.15)) continue;
      target.push(datagram);
      if (random.chance(0.1)) target.push(datagram);
    }
  }

  #receive(side: number): void {
    const random = this.#random;
    const flying = this.#flying[side]!;
    for (let i = random.below(4); i > 0 && flying.length > 0; i--) {
      const [datagram] = flying.splice(random.chance(0.7) ? 0 : random.below(flying.length), 1);
      const copy = datagram!.slice();
      if (random.chance(0.05)) copy[random.below(copy.length)]! ^= 1 << random.below(8);
      this.#receiveBytes(side, copy);
    }
  }

  #receiveBytes(side: number, bytes: Uint8Array): void {
    const [end, twin] = this.ends[side]!;
    end.accepts = twin.accepts = this.#random.chance(0.95);
    twin.receive([...bytes]);
    end.receive(bytes);
    expect(end.processed.splice(0).map(({ sequence, payload }) => [sequence, toHex(payload)])).toEqual(
      twin.processed.splice(0).map(({ sequence, payload }) => [sequence, toHex(Uint8Array.from(payload))]),
    );
  }

  #update(): void {
    this.#time += this.#random.pick([0, 0, 1 / 60, 1 / 60, 0.3, 11, -2]) * this.#random.unit();
    for (const [end, twin] of this.ends) {
      end.endpoint.update(Math.max(0, this.#time));
      twin.update(this.#time);
    }
  }

  #clearAcks(side: number): void {
    const [end, twin] = this.ends[side]!;
    const acks: number[] = [];
    end.endpoint.drainAcks((sequence) => acks.push(sequence));
    expect(acks).toEqual(twin.acks);
    twin.acks = [];
  }

  #reset(): void {
    for (const [end, twin] of this.ends) {
      end.endpoint.reset();
      twin.reset();
    }
  }

  #compare(): void {
    for (const [end, twin] of this.ends) {
      const { endpoint } = end;
      const now = [endpoint.nextSequence, end.acks().join(), Object.values(endpoint.counters).join()];
      expect(now).toEqual([twin.sequence, twin.acks.join(), Object.values(twin.counters).join()]);
      // Not at every step: what is read is computed, and what was not read must not matter.
      if (!this.#random.chance(0.2)) continue;
      expect({ ...endpoint.stats }).toEqual(twin.stats);
      expect(JSON.stringify(endpoint.stats)).toBe(JSON.stringify(twin.stats));
    }
  }
}

test('random schedules: datagrams, deliveries, acks, counters and every estimate are those of the slow twin', () => {
  eachSeed(60, (random) => {
    const schedule = new Schedule(random);
    for (let i = 0; i < 300; i++) schedule.step();
  });
});

test('long schedules go around the rings many times', () => {
  eachSeed(2, (random) => {
    const schedule = new Schedule(random);
    for (let i = 0; i < 4000; i++) schedule.step();
  });
});
