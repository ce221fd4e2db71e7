import { NO_ADDRESS } from './address.ts';
import type { Address } from './address.ts';
import type { SlotDisconnectReason } from './client-state.ts';
import { USER_DATA_BYTES } from './constants.ts';
import { PayloadQueue } from './payload-queue.ts';
import type { PayloadPool } from './payload-queue.ts';
import { ReplayWindow } from './replay-window.ts';

/** What a server keeps per client (protocol sections 13.4 and 13.8). One object per slot for a whole run. */
export class Slot {
  readonly index: number;
  isConnected: boolean = false;
  isLoopback: boolean = false;
  /** The client has sent a keep-alive or payload, so it knows that it is connected. */
  isConfirmed: boolean = false;
  /** The disconnect callback is running or has run; a nested disconnect does nothing. */
  isLeaving: boolean = false;
  /** Its disconnect packets are still to be sent. */
  leavesWithPackets: boolean = false;
  clientId: bigint = 0n;
  address: Address = NO_ADDRESS;
  mappingIndex: number = -1;
  timeoutSeconds: number = 0;
  /** Sequence of the next packet, below 2^53. */
  sequence: number = 0;
  lastSendTime: number = 0;
  lastReceiveTime: number = 0;
  /** Survives the session, until the slot is used again. */
  reason: SlotDisconnectReason = 'none';
  readonly userData: Uint8Array = new Uint8Array(USER_DATA_BYTES);
  readonly window: ReplayWindow = new ReplayWindow();
  readonly queue: PayloadQueue;

  constructor(index: number, pool: PayloadPool) {
    this.index = index;
    this.queue = new PayloadQueue(pool);
  }

  /** Fills the slot; the caller has found it free. */
  occupy(clientId: bigint, address: Address, userData: Uint8Array, time: number): void {
    this.isConnected = true;
    this.clientId = clientId;
    this.address = address;
    this.userData.set(userData);
    this.lastSendTime = time;
    this.lastReceiveTime = time;
    this.reason = 'none';
  }

  /** Empties the slot; only the reason stays. */
  clear(): void {
    this.isConnected = false;
    this.isLoopback = false;
    this.isConfirmed = false;
    this.isLeaving = false;
    this.leavesWithPackets = false;
    this.clientId = 0n;
    this.address = NO_ADDRESS;
    this.mappingIndex = -1;
    this.timeoutSeconds = 0;
    this.sequence = 0;
    this.userData.fill(0);
    this.window.reset();
    this.queue.clear();
  }
}
