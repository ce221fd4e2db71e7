import { SeededRandom, toHex } from '@x/testkit';
import { describe, expect, test } from 'vitest';
import { ReliableEndpoint, ReliableError } from '../src/index.ts';
import type { EndpointConfig, EndpointHandlers } from '../src/index.ts';
import { End, pattern } from './support/end.ts';

const refusal = (kind: string, field?: string): Error =>
  expect.objectContaining({ kind, ...(field === undefined ? {} : { field }) }) as Error;

const SILENT: EndpointHandlers = { transmit: () => undefined, process: () => true };

describe('acks', () => {
  test('without loss, then everything of at least the first half is acknowledged on both sides', () => {
    const [a, b] = [new End(), new End()];
    for (let i = 0; i < 256; i++) {
      b.receive(...a.send(8));
      a.receive(...b.send(8));
    }
    expect(a.acks().slice(0, 128)).toEqual(Array.from({ length: 128 }, (_, i) => i));
    expect(b.acks().slice(0, 128)).toEqual(Array.from({ length: 128 }, (_, i) => i));
  });

  test('when every second packet is lost both ways, then exactly the others are acknowledged', () => {
    const [a, b] = [new End(), new End()];
    for (let i = 0; i < 256; i++) {
      const [ab, ba] = [a.send(8), b.send(8)];
      if (i % 2 === 1) continue;
      b.receive(...ab);
      a.receive(...ba);
    }
    const even = Array.from({ length: 128 }, (_, i) => 2 * i);
    expect(a.acks()).toEqual(even.slice(0, a.endpoint.ackCount));
    expect(b.acks()).toEqual(even.slice(0, b.endpoint.ackCount));
    expect(a.endpoint.ackCount).toBeGreaterThan(120);
  });

  test('FF-38: bit n acknowledges ack − n, also across the wrap', () => {
    const [a, b] = [new End(), new End()];
    const sent = Array.from({ length: 11 }, () => a.send(1)[0]!);
    b.receive(sent[7]!, sent[8]!, sent[10]!);
    const [answer] = b.send(1);
    expect(toHex(answer!, 0, 9)).toBe('1e00000a000d000000');
    a.receive(answer!);
    expect(a.acks()).toEqual([10, 8, 7]);
  });

  test('FF-38: the wrap', () => {
    const [a, b] = [new End(), new End()];
    for (let i = 0; i < 65534; i++) a.endpoint.send(pattern(1));
    a.take();
    const sent = [65534, 65535, 0, 1].map(() => a.send(1)[0]!);
    for (const s of [20_000, 40_000]) b.receive(Uint8Array.of(0x20, s % 256, s >>> 8, 0));
    b.receive(sent[0]!, sent[1]!, sent[3]!);
    const [answer] = b.send(1);
    a.receive(answer!);
    expect(a.acks()).toEqual([1, 65535, 65534]);
  });

  test('when the array of acks is full, then the rest is reported by the next header', () => {
    const [a, b] = [new End({ ackBufferSize: 16 }), new End()];
    for (let i = 0; i < 32; i++) b.receive(...a.send(1));
    a.receive(...b.send(1));
    expect(a.acks()).toEqual(Array.from({ length: 16 }, (_, i) => 31 - i));
    a.endpoint.clearAcks();
    a.receive(...b.send(1));
    expect(a.acks()).toEqual(Array.from({ length: 16 }, (_, i) => 15 - i));
    expect(a.endpoint.counters.packetsAcked).toBe(32);
  });

  test('when a header acknowledged a packet before it was sent, then a later one still does', () => {
    const a = new End();
    // Sequences 0 … 2 with all acks set for packet 5 and before.
    for (let s = 0; s < 2; s++) a.receive(Uint8Array.of(0, s, 0, 5, 0));
    for (let i = 0; i < 6; i++) a.send(1);
    a.receive(Uint8Array.of(0, 2, 0, 5, 0));
    expect(a.acks()).toEqual([5, 4, 3, 2, 1, 0]);
  });

  test('when sequences come around and a header says the same again, then it acknowledges the new packets', () => {
    const a = new End();
    const header = (sequence: number): Uint8Array => Uint8Array.of(0x1e, sequence, 0, 5, 0, 1, 0, 0, 0);
    for (let i = 0; i < 6; i++) a.send(1);
    a.receive(header(0));
    for (let i = 0; i < 65_536; i++) a.send(1);
    a.receive(header(1));
    expect(a.acks()).toEqual([5, 5]);
    a.endpoint.reset();
    for (let i = 0; i < 6; i++) a.send(1);
    a.receive(header(0), header(1));
    expect(a.acks()).toEqual([5]);
  });

  test('drainAcks tells each ack once; when it throws, then the rest stays', () => {
    const [a, b] = [new End(), new End()];
    for (let i = 0; i < 5; i++) b.receive(...a.send(1));
    a.receive(...b.send(1));
    const told: number[] = [];
    expect(() =>
      a.endpoint.drainAcks((sequence) => {
        told.push(sequence);
        if (told.length === 2) throw new Error('enough');
      }),
    ).toThrow('enough');
    expect([told, a.acks()]).toEqual([
      [4, 3],
      [2, 1, 0],
    ]);
    a.endpoint.drainAcks((sequence) => {
      told.push(sequence);
      a.endpoint.send(pattern(1));
      for (const call of [() => a.endpoint.clearAcks(), () => a.endpoint.drainAcks(() => undefined), () => a.receive(pattern(9))]) {
        expect(call).toThrow(refusal('reentrant'));
      }
    });
    expect([told, a.endpoint.ackCount]).toEqual([[4, 3, 2, 1, 0], 0]);
    expect(() => a.endpoint.ackAt(0)).toThrow(refusal('invalidRange', 'index'));
  });
});

describe('receiving', () => {
  test('FF-46: when every datagram comes twice, then each packet is processed once', () => {
    const [a, b] = [new End(), new End()];
    for (let i = 0; i < 16; i++) {
      const sent = a.send(20);
      b.receive(...sent, ...sent);
    }
    expect(b.sequences()).toEqual(Array.from({ length: 16 }, (_, i) => i));
    expect(b.endpoint.counters).toMatchObject({ packetsReceived: 32, packetsDuplicate: 16 });
    const fragments = a.send(3000);
    b.receive(...fragments.flatMap((fragment) => [fragment, fragment]));
    expect(b.processed).toHaveLength(17);
    expect(b.endpoint).toMatchObject({ reassemblies: 0, reassemblyBytes: 0 });
    expect(b.endpoint.counters).toMatchObject({ packetsDuplicate: 16, fragmentsReceived: 3, fragmentsInvalid: 0 });
  });

  test('when a packet is older than the window, then it is stale', () => {
    const [a, b] = [new End(), new End()];
    const sent = Array.from({ length: 300 }, () => a.send(1)[0]!);
    b.receive(...sent);
    b.receive(sent[0]!);
    expect(b.processed).toHaveLength(300);
    expect(b.endpoint.counters.packetsStale).toBe(1);
  });

  test('when process rejects, then nothing of the packet counts and a copy is offered again', () => {
    const [a, b] = [new End(), new End()];
    b.receive(...a.send(1));
    const answer = b.send(1);
    a.accepts = false;
    a.receive(...answer);
    expect([a.acks(), a.processed.length]).toEqual([[], 1]);
    a.accepts = true;
    a.receive(...answer);
    expect([a.acks(), a.processed.length, a.endpoint.counters.packetsDuplicate]).toEqual([[0], 2, 0]);
  });

  test('mixed sizes arrive intact, from anywhere in a buffer', () => {
    const config = { fragmentAbove: 500, maxPacketSize: 4096, maxFragments: 16, fragmentSize: 500 };
    const [a, b] = [new End(config), new End(config)];
    const buffer = new Uint8Array(5000);
    const random = new SeededRandom(3);
    for (let i = 0; i < 300; i++) {
      const payload = pattern(2 + random.below(4095), i);
      buffer.set(payload, 13);
      a.endpoint.send(buffer, 13, payload.length);
      for (const datagram of a.take()) {
        buffer.set(datagram, 100);
        b.endpoint.receive(buffer, 100, datagram.length);
      }
      expect(toHex(b.processed.pop()!.payload)).toBe(toHex(payload));
    }
  });

  test('32769 packets in a row: all received', () => {
    const b = new End();
    const a = new ReliableEndpoint({}, { ...SILENT, transmit: (bytes, offset, length) => b.endpoint.receive(bytes, offset, length) }, 0);
    for (let i = 0; i < 32769; i++) a.send(i % 1000 === 0 ? pattern(2000) : pattern(1));
    expect(b.processed).toHaveLength(32769);
    expect(b.endpoint.counters).toMatchObject({ fragmentsInvalid: 0, packetsStale: 0, packetsReceived: 32769 });
  });

  test('an empty datagram is invalid; a datagram above the limit is too large', () => {
    const { endpoint } = new End({ maxPacketSize: 100, fragmentAbove: 100 });
    endpoint.receive(new Uint8Array(0));
    endpoint.receive(new Uint8Array(114));
    endpoint.receive(new Uint8Array(115));
    expect(endpoint.counters).toMatchObject({ packetsInvalid: 1, packetsReceived: 1, packetsTooLargeToReceive: 2 });
  });
});

describe('fragments', () => {
  test('FF-42: a packet in fragments is acknowledged when it is complete, and not before', () => {
    const [a, b] = [new End(), new End()];
    const fragments = a.send(6000);
    b.receive(...fragments.slice(0, 3), ...fragments.slice(4));
    a.receive(...b.send(1));
    expect([a.acks(), b.processed.length, b.endpoint.reassemblies]).toEqual([[], 0, 1]);
    b.receive(fragments[3]!);
    a.receive(...b.send(1));
    expect([a.acks(), b.processed.length, b.endpoint.reassemblyBytes]).toEqual([[0], 1, 0]);
  });

  test('FF-43: impossible fragments are counted and open no reassembly; a valid packet afterwards is delivered', () => {
    const config = { maxPacketSize: 32_768, fragmentAbove: 1191, fragmentSize: 1186, maxFragments: 28 };
    const b = new End(config);
    const fragment = (id: number, count: number, data: number): Uint8Array => Uint8Array.of(1, 9, 0, id, count - 1, ...pattern(data));
    const first = (header: number[]): Uint8Array => Uint8Array.of(1, 9, 0, 0, 1, ...header, ...pattern(1186));
    const bad = [
      fragment(3, 29, 1186),
      fragment(5, 5, 1186),
      fragment(2, 5, 1185),
      fragment(2, 5, 1187),
      fragment(4, 5, 1187),
      Uint8Array.of(1, 9, 0, 0),
      Uint8Array.of(3, 9, 0, 4, 4, 1),
      first([0x20, 8, 0, 1]),
      first([0x22, 9, 0, 1, 0xff]),
      first([0x60, 9, 0, 1]),
      first([0x00, 9, 0, 1, 0]),
      first([0x3e, 9, 0, 1, 0]).subarray(0, 10),
    ];
    for (const [i, datagram] of bad.entries()) {
      b.receive(datagram);
      expect([b.endpoint.counters.fragmentsInvalid, b.endpoint.reassemblies]).toEqual([i + 1, 0]);
    }
    b.receive(fragment(1, 2, 0));
    expect(b.endpoint.counters.fragmentsInvalid).toBe(bad.length);
    b.receive(first([0x20, 9, 0, 1]));
    expect(b.processed.map(({ sequence, payload }) => [sequence, payload.length])).toEqual([[9, 1186]]);
    b.receive(Uint8Array.of(1, 10, 0, 0, 0, 0x20, 10, 0, 1));
    expect(b.processed[1]?.payload.length).toBe(0);
  });

  test('when fragments add up to more than a packet may have, then it is too large: as a datagram it is not even a packet', () => {
    for (const [last, packetsReceived] of [
      [11, 1],
      [15, 0],
    ] as const) {
      const b = new End({ maxPacketSize: 100, fragmentAbove: 10, fragmentSize: 16 });
      b.receive(Uint8Array.of(1, 0, 0, 0, 6, 0x20, 0, 0, 1, ...pattern(16)));
      for (let id = 1; id < 6; id++) b.receive(Uint8Array.of(1, 0, 0, id, 6, ...pattern(16)));
      b.receive(Uint8Array.of(1, 0, 0, 6, 6, ...pattern(last)));
      expect(b.endpoint.counters).toMatchObject({
        packetsReceived,
        packetsTooLargeToReceive: 1,
        fragmentsReceived: 7,
        fragmentsInvalid: 0,
      });
      expect([b.processed.length, b.endpoint.reassemblies]).toEqual([0, 0]);
    }
  });

  test('when fragments name another count than the first that arrived, then they are invalid', () => {
    const b = new End();
    b.receive(Uint8Array.of(1, 0, 0, 1, 1, 7));
    b.receive(Uint8Array.of(1, 0, 0, 2, 2, 7), Uint8Array.of(1, 0, 0, 1, 1, 8));
    expect(b.endpoint.counters).toMatchObject({ fragmentsReceived: 1, fragmentsInvalid: 1 });
  });

  test('FF-44: abandoned reassemblies are released by packets of any kind, by completion and by reset', () => {
    const config = { maxPacketSize: 32_768, fragmentAbove: 1191, fragmentSize: 1186, maxFragments: 28, fragmentReassemblyBufferSize: 16 };
    const b = new End(config);
    const a = new End(config);
    let memory = 0;
    for (let round = 0; round < 5; round++) {
      b.receive(a.send(32_768)[3]!);
      expect([b.endpoint.reassemblies, b.endpoint.reassemblyBytes]).toEqual([1, 28 * 1186]);
      for (let i = 0; i < 14_000; i++) b.receive(...a.send(1));
      b.processed = [];
      expect([b.endpoint.reassemblies, b.endpoint.reassemblyBytes]).toEqual([0, 0]);
      if (round === 0) memory = b.endpoint.memoryBytes;
      expect(b.endpoint.memoryBytes).toBe(memory);
    }
    b.receive(a.send(32_768)[3]!);
    b.endpoint.reset();
    expect([b.endpoint.reassemblies, b.endpoint.reassemblyBytes]).toEqual([0, 0]);
    expect(b.endpoint.memoryBytes).toBeLessThan(memory);
  });

  test('when more packets are begun than there is room for, then memory stays within its bound', () => {
    const b = new End();
    const { memoryBytes } = b.endpoint;
    for (let s = 0; s < 2000; s++) {
      b.receive(Uint8Array.of(1, s % 256, s >>> 8, 15, 15));
      expect(b.endpoint.reassemblies).toBeLessThanOrEqual(64);
    }
    expect(b.endpoint.reassemblyBytes).toBe(64 * 16 * 1024);
    expect(b.endpoint.memoryBytes - memoryBytes).toBeLessThanOrEqual(66 * 16 * 1024);
    b.receive(Uint8Array.of(1, 0, 0, 15, 15));
    expect(b.endpoint.counters.fragmentsInvalid).toBe(1);
    b.receive(Uint8Array.of(0x20, 0, 40, 1));
    expect(b.endpoint.reassemblyBytes).toBe(0);
    expect(b.endpoint.memoryBytes - memoryBytes).toBeLessThanOrEqual(2 * 16 * 1024);
  });
});

describe('sizes', () => {
  test('FF-45: up to the limits packets pass, above they are refused at send', () => {
    const config = { maxPacketSize: 32_768, fragmentAbove: 1191, fragmentSize: 1186, maxFragments: 28 };
    const [a, b] = [new End(config), new End(config)];
    for (const [size, datagrams] of [
      [1190, 1],
      [1191, 1],
      [1192, 2],
      [32_767, 28],
      [32_768, 28],
    ] as const) {
      const sent = a.send(size);
      expect(sent).toHaveLength(datagrams);
      b.receive(...sent);
      expect(b.processed.pop()?.payload).toEqual(pattern(size));
    }
    expect(() => a.send(32_769)).toThrow(refusal('packetTooLarge', 'length'));
    expect([a.endpoint.counters.packetsTooLargeToSend, a.endpoint.nextSequence]).toEqual([1, 5]);
  });

  test('when fragmentation starts at the largest size, then that size is one datagram', () => {
    const config = { maxPacketSize: 5000, fragmentAbove: 5000, maxFragments: 1, fragmentSize: 10 };
    const [a, b] = [new End(config), new End(config)];
    const sent = a.send(5000);
    expect(sent).toHaveLength(1);
    b.receive(...sent);
    expect(b.processed[0]?.payload).toEqual(pattern(5000));
    expect(b.endpoint.counters.packetsTooLargeToReceive).toBe(0);
  });

  test('when a packet is empty or its range is wrong, then send throws and uses no sequence', () => {
    const { endpoint } = new End();
    const bytes = new Uint8Array(10);
    expect(() => endpoint.send(bytes, 3, 0)).toThrow(refusal('emptyPacket', 'length'));
    for (const [offset, length] of [
      [-1, 1],
      [11, 0],
      [5, 6],
      [0.5, 1],
      [0, Number.NaN],
    ] as const) {
      expect(() => endpoint.send(bytes, offset, length)).toThrow(refusal('invalidRange'));
      expect(() => endpoint.receive(bytes, offset, length)).toThrow(refusal('invalidRange'));
    }
    expect([endpoint.nextSequence, endpoint.counters.packetsReceived, endpoint.counters.packetsInvalid]).toEqual([0, 0, 0]);
  });
});

describe('callbacks', () => {
  function nosy(): { endpoint: ReliableEndpoint; kinds: string[]; answer: Uint8Array } {
    const kinds: string[] = [];
    const call = (name: string, body: () => void): void => {
      try {
        body();
        kinds.push(`${name} ok`);
      } catch (error) {
        kinds.push(`${name} ${ReliableError.is(error) ? error.kind : 'other'}`);
      }
    };
    const others = (): void => {
      call('receive', () => endpoint.receive(Uint8Array.of(1)));
      call('update', () => endpoint.update(7));
      call('reset', () => endpoint.reset());
    };
    const endpoint: ReliableEndpoint = new ReliableEndpoint(
      {},
      {
        transmit: () => {
          call('send', () => endpoint.send(Uint8Array.of(1)));
          others();
        },
        process: () => {
          others();
          return true;
        },
      },
      0,
    );
    return { endpoint, kinds, answer: Uint8Array.of(0x20, 0, 0, 1) };
  }

  test('when transmit or process call back, then reentrant is thrown', () => {
    const { endpoint, kinds, answer } = nosy();
    endpoint.send(Uint8Array.of(1));
    expect(kinds.splice(0)).toEqual(['send reentrant', 'receive reentrant', 'update reentrant', 'reset reentrant']);
    endpoint.receive(answer);
    expect(kinds.splice(0)).toEqual(['receive reentrant', 'update reentrant', 'reset reentrant']);
    endpoint.update(8);
    expect(endpoint.counters).toMatchObject({ packetsSent: 1, packetsReceived: 1, fragmentsInvalid: 0 });
  });

  test('when process sends, then that packet does not acknowledge the one being processed', () => {
    const transmitted: string[] = [];
    const endpoint: ReliableEndpoint = new ReliableEndpoint(
      {},
      {
        transmit: (bytes, offset, length) => transmitted.push(toHex(bytes, offset, length)),
        process: () => {
          endpoint.send(Uint8Array.of(7));
          return true;
        },
      },
      0,
    );
    endpoint.receive(Uint8Array.of(0x20, 0, 0, 1));
    endpoint.send(Uint8Array.of(8));
    expect(transmitted).toEqual(['3e0000010000000007', '3e0100010100000008']);
  });

  test('when a callback throws, then the exception passes and the endpoint goes on', () => {
    const [a, b] = [new End(), new End()];
    const failing: EndpointHandlers & { isFailing: boolean; calls: number } = {
      isFailing: true,
      calls: 0,
      transmit() {
        this.calls++;
        if (this.isFailing) throw new Error('no transmit');
      },
      process() {
        this.calls++;
        if (this.isFailing) throw new Error('no process');
        return true;
      },
    };
    const endpoint = new ReliableEndpoint({}, failing, 0);
    expect(() => endpoint.send(pattern(1))).toThrow('no transmit');
    expect(() => endpoint.send(pattern(3000))).toThrow('no transmit');
    expect([endpoint.nextSequence, endpoint.counters.packetsSent, endpoint.counters.fragmentsSent]).toEqual([2, 0, 0]);
    const [regular] = a.send(1);
    const fragments = b.send(3000);
    expect(() => endpoint.receive(regular!)).toThrow('no process');
    for (const fragment of fragments.slice(1)) endpoint.receive(fragment);
    expect(() => endpoint.receive(fragments[0]!)).toThrow('no process');
    expect([endpoint.reassemblies, endpoint.counters.fragmentsReceived]).toEqual([0, 3]);
    failing.isFailing = false;
    failing.calls = 0;
    endpoint.receive(regular!);
    endpoint.send(pattern(1));
    endpoint.update(1);
    endpoint.reset();
    expect(failing.calls).toBe(2);
  });
});

describe('reset', () => {
  test('state starts over, time and estimates stay, and the ends work afterwards', () => {
    const [a, b] = [new End(), new End()];
    for (let i = 0; i < 5; i++) {
      b.receive(...a.send(1));
      a.endpoint.update(100 + i / 10);
      a.receive(...b.send(1));
    }
    b.receive(a.send(3000)[0]!);
    const rtt = a.endpoint.stats.rtt;
    expect(rtt).toBeGreaterThan(0);
    for (const { endpoint } of [a, b]) endpoint.reset();
    expect([a.endpoint.nextSequence, a.endpoint.ackCount, b.endpoint.reassemblies]).toEqual([0, 0, 0]);
    expect(Object.values(a.endpoint.counters).every((value) => value === 0)).toBe(true);
    expect(a.endpoint.stats.rtt).toBe(rtt);
    b.processed = [];
    b.receive(...a.send(1));
    a.receive(...b.send(1));
    expect([b.sequences(), a.acks()]).toEqual([[0], [0]]);
  });
});

describe('options', () => {
  test.each<[EndpointConfig, string]>([
    [{ maxPacketSize: 0 }, 'maxPacketSize'],
    [{ maxPacketSize: 1.5 }, 'maxPacketSize'],
    [{ fragmentAbove: 0 }, 'fragmentAbove'],
    [{ maxFragments: 0 }, 'maxFragments'],
    [{ maxFragments: 257 }, 'maxFragments'],
    [{ fragmentSize: 0 }, 'fragmentSize'],
    [{ ackBufferSize: 0 }, 'ackBufferSize'],
    [{ sentPacketsBufferSize: 1 }, 'sentPacketsBufferSize'],
    [{ sentPacketsBufferSize: 100 }, 'sentPacketsBufferSize'],
    [{ receivedPacketsBufferSize: 65536 }, 'receivedPacketsBufferSize'],
    [{ fragmentReassemblyBufferSize: 0 }, 'fragmentReassemblyBufferSize'],
    [{ fragmentReassemblyBufferSize: 48 }, 'fragmentReassemblyBufferSize'],
    [{ rttSmoothingFactor: -0.1 }, 'rttSmoothingFactor'],
    [{ rttHistorySize: 0 }, 'rttHistorySize'],
    [{ packetLossSmoothingFactor: 1.1 }, 'packetLossSmoothingFactor'],
    [{ bandwidthSmoothingFactor: Number.NaN }, 'bandwidthSmoothingFactor'],
    [{ packetHeaderSize: -1 }, 'packetHeaderSize'],
    [{ name: 5 as unknown as string }, 'name'],
    [{ maxPacketSize: 16_385 }, 'maxFragments'],
  ])('%o is refused, naming %s', (config, field) => {
    expect(() => new ReliableEndpoint(config, SILENT, 0)).toThrow(refusal('invalidOption', field));
  });

  test('what is needed beside the options is checked too', () => {
    for (const time of [-1, Number.NaN, Infinity, '1' as unknown as number]) {
      expect(() => new ReliableEndpoint({}, SILENT, time)).toThrow(refusal('invalidOption', 'time'));
      const { endpoint } = new End();
      expect(() => endpoint.update(time)).toThrow(refusal('invalidOption', 'time'));
    }
    for (const field of ['transmit', 'process']) {
      const handlers = { ...SILENT, [field]: undefined };
      expect(() => new ReliableEndpoint({}, handlers, 0)).toThrow(refusal('invalidOption', field));
    }
    const texts: EndpointConfig = { name: 'gate', maxPacketSize: 16_385, fragmentAbove: 16_385, fragmentReassemblyBufferSize: 1 };
    expect(new ReliableEndpoint(texts, SILENT, 0).name).toBe('gate');
  });

  test('errors tell kind, code and field, also across copies of the package', () => {
    try {
      new ReliableEndpoint({ sentPacketsBufferSize: 3 }, SILENT, 0);
      expect.unreachable();
    } catch (error) {
      expect(ReliableError.is(error)).toBe(true);
      expect(error).toMatchObject({
        name: 'ReliableError',
        code: 'INVALID_OPTION',
        message: 'sentPacketsBufferSize: expected a power of two in 2 … 32768, got 3',
      });
    }
    expect(ReliableError.is(new Error('other'))).toBe(false);
    expect(ReliableError.is(Object.assign(new Error('x'), { name: 'ReliableError', kind: 'reentrant', code: 'REENTRANT' }))).toBe(true);
  });
});
