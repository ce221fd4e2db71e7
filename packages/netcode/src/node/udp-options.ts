import { SOCKET_RCVBUF } from '../constants.ts';
import { NetcodeError } from '../errors.ts';
import { describe } from '../internal/check.ts';
import type { Logger } from '../logger.ts';
import { checkCommonOptions } from '../machine-options.ts';

/** How UDP sockets are opened. Every member may be left out or `undefined`. */
export interface UdpOptions {
  /** Most received datagrams that wait for `poll`, per socket, 1 … 1,048,576; default 4096. The oldest is dropped and counted when one more arrives. */
  receiveQueueDatagrams?: number | undefined;
  /** Bytes asked for as send and as receive buffer of each socket, 1 … 2^30; default 4 MiB. Halved when the system refuses. */
  socketBufferBytes?: number | undefined;
  /** Asks for a priority mark on each packet. Accepted, and without effect here: `node:dgram` cannot set the traffic class of a socket. */
  packetTagging?: boolean | undefined;
  /** Told about reduced buffers (info) and socket errors (warn, at most one line a second). */
  logger?: Logger | undefined;
}

/** The options with defaults in place of what was left out. */
export interface UdpSettings {
  readonly receiveQueueDatagrams: number;
  readonly socketBufferBytes: number;
  readonly logger: Logger | undefined;
}

const DEFAULT_QUEUE_DATAGRAMS = 4096;
const MAX_QUEUE_DATAGRAMS = 1_048_576;
const MAX_BUFFER_BYTES = 0x4000_0000;

function checkCount(value: unknown, max: number, field: string, unit: string): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new NetcodeError('invalidOption', `${field}: expected a whole number of ${unit} in 1 … ${max}, got ${describe(value)}`, { field });
}

/**
 * Checks the options of a UDP transport and fills in their defaults.
 *
 * @throws {@link NetcodeError} `INVALID_OPTION`; `field` names the option.
 */
export function checkUdpOptions(options: UdpOptions): UdpSettings {
  const receiveQueueDatagrams = options.receiveQueueDatagrams ?? DEFAULT_QUEUE_DATAGRAMS;
  const socketBufferBytes = options.socketBufferBytes ?? SOCKET_RCVBUF;
  checkCount(receiveQueueDatagrams, MAX_QUEUE_DATAGRAMS, 'receiveQueueDatagrams', 'datagrams');
  checkCount(socketBufferBytes, MAX_BUFFER_BYTES, 'socketBufferBytes', 'bytes');
  const tagging: unknown = options.packetTagging;
  if (tagging !== undefined && typeof tagging !== 'boolean') {
    throw new NetcodeError('invalidOption', `packetTagging: expected true or false, got ${describe(tagging)}`, { field: 'packetTagging' });
  }
  checkCommonOptions({ logger: options.logger });
  return { receiveQueueDatagrams, socketBufferBytes, logger: options.logger };
}
