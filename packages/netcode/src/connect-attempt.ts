import { formatAddress } from './address.ts';
import type { Address } from './address.ts';
import type { Aead, AeadKey } from './aead.ts';
import type { ClientState } from './client-state.ts';
import type { ConnectToken } from './connect-token.ts';
import { encodeRequest } from './request-packet.ts';

/** What a client has only from `connect` until it is idle again: one token, its keys, and where in its server list the client is. */
export class ConnectAttempt {
  readonly token: ConnectToken;
  readonly readKey: AeadKey;
  readonly writeKey: AeadKey;
  /** The request packet, the same for every server. */
  readonly request: Uint8Array;
  /** Seconds that one server is given, measured from `connectStartTime` (protocol section 11.6). */
  readonly budgetSeconds: number;
  serverIndex: number = 0;
  /** Set by a denied or disconnect packet: where to end unless the token lists another server. */
  endState: ClientState | undefined = undefined;

  constructor(token: ConnectToken, aead: Aead) {
    this.token = token;
    this.readKey = aead.createKey(token.serverToClientKey);
    this.writeKey = aead.createKey(token.clientToServerKey);
    this.request = encodeRequest(token);
    this.budgetSeconds = Number(token.expireTimestamp - token.createTimestamp);
  }

  get serverAddress(): Address {
    return this.token.serverAddresses[this.serverIndex]!;
  }

  get hasNextServer(): boolean {
    return this.serverIndex + 1 < this.token.serverAddresses.length;
  }

  /** A line for the log. */
  get description(): string {
    const count = this.token.serverAddresses.length;
    return `client connecting to server ${formatAddress(this.serverAddress)}${count > 1 ? ` [${this.serverIndex + 1}/${count}]` : ''}`;
  }

  /** Wipes every copy of the keys; the attempt is not used afterwards. */
  wipe(aead: Aead): void {
    aead.destroyKey(this.readKey);
    aead.destroyKey(this.writeKey);
    this.token.clientToServerKey.fill(0);
    this.token.serverToClientKey.fill(0);
  }
}
