import { formatAddress, parseAddress } from '@x/netcode';
import type { Address, Datagram, SendReceiveOverride } from '@x/netcode';
import { expectSame } from '../fields.ts';
import type { Fields } from '../fields.ts';

/** A datagram that a machine sent: destination in the canonical form, bytes copied. */
export interface SentDatagram {
  readonly to: string;
  readonly data: Uint8Array;
}

/**
 * Stands in for everything around a machine: its network, its wall clock and its random source. Each step queues what arrives, runs
 * the machine and takes what left.
 */
export class Seams {
  /** What the machine reads as Unix seconds. */
  wallClock: bigint = 0n;
  readonly override: SendReceiveOverride = {
    sendPacket: (to, bytes) => {
      this.#sent.push({ to: formatAddress(to), data: bytes.slice() });
    },
    receivePacket: () => this.#arriving.shift(),
  };
  readonly #arriving: Datagram[] = [];
  readonly #errors: string[] = [];
  #sent: SentDatagram[] = [];
  #random: Uint8Array | undefined;

  readonly unixSeconds = (): bigint => this.wallClock;

  /** Gives out the bytes that the step allows, once; any other draw is remembered as an error. */
  readonly randomBytes = (count: number): Uint8Array => {
    const bytes = this.#takeRandom();
    if (bytes?.length === count) return bytes.slice();
    this.#errors.push(`drew ${count} random bytes${bytes === undefined ? '' : ` where ${bytes.length} are drawn`}`);
    return new Uint8Array(count);
  };

  readonly onError = (error: unknown, source: string): void => {
    this.#errors.push(`${source}: ${String(error)}`);
  };

  /** Queues the datagrams of a step's field `in`. */
  arrive(step: Fields): void {
    step.each('in', (datagram) => {
      this.enqueue(parseAddress(datagram.text('from')), datagram.bytes('data'));
    });
  }

  /** Queues one datagram. */
  enqueue(from: Address, bytes: Uint8Array): void {
    this.#arriving.push({ from, bytes });
  }

  /** Runs a step in which exactly these bytes are drawn from the random source, in one draw. */
  runDrawing(bytes: Uint8Array, step: () => void): SentDatagram[] {
    this.#random = bytes;
    const sent = this.run(step);
    expectSame('number of random bytes left', this.#takeRandom()?.length ?? 0, 0);
    return sent;
  }

  /** Runs a step; gives the datagrams it sent. Fails when the machine left datagrams unread, drew random bytes or reported an error. */
  run(step: () => void): SentDatagram[] {
    step();
    const [error] = this.#errors;
    if (error !== undefined) throw new Error(error);
    expectSame('number of datagrams left unread', this.#arriving.length, 0);
    const sent = this.#sent;
    this.#sent = [];
    return sent;
  }

  #takeRandom(): Uint8Array | undefined {
    const bytes = this.#random;
    this.#random = undefined;
    return bytes;
  }
}

/** Compares the datagrams that left with the step's field `out`. */
export function expectOut(step: Fields, sent: readonly SentDatagram[]): void {
  step.expectEach('out', sent, (expected, { to, data }) => {
    expected.expectText('to', to);
    expected.expectBytes('data', data);
  });
}
