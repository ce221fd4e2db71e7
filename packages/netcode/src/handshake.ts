import { addressEquals, formatAddress } from './address.ts';
import type { Address } from './address.ts';
import type { Aead, AeadKey } from './aead.ts';
import { openChallenge, sealChallenge } from './challenge-token.ts';
import type { ChallengeToken } from './challenge-token.ts';
import { decodePrivateToken } from './connect-token.ts';
import type { PrivateConnectToken } from './connect-token.ts';
import { GLOBAL_SEQUENCE_START, KEY_BYTES } from './constants.ts';
import type { MutableCounters } from './counters.ts';
import type { DropReason } from './drop-reason.ts';
import { MAX_U64 } from './internal/check.ts';
import type { Log } from './internal/hooks.ts';
import { KeyTable, NEVER } from './key-table.ts';
import type { KeyMapping } from './key-table.ts';
import { CHALLENGE_BODY_BYTES, NO_BODY, PACKET_TYPE_CODES } from './packet.ts';
import type { PacketWriter } from './packet.ts';
import { drawRandom } from './random.ts';
import type { RandomBytes } from './random.ts';
import { REQUEST_BYTES, requestExpireTimestamp, RequestLimits, RequestReader } from './request-packet.ts';
import { HISTORY_FULL, TOKEN_REFUSED, TokenHistory } from './token-history.ts';
import type { Transport } from './transport.ts';

/** Refusals that mean that somebody set something up wrongly: each is said once per run, whatever the log level of single packets. */
const SETUP_ADVICE: Readonly<Partial<Record<DropReason, string>>> = {
  'request-protocol-id': 'its protocol id is another one',
  'request-decrypt': 'its token was sealed with another private key',
  'request-not-our-address': 'its token lists other servers: the identity must be in the internal addresses',
  'request-predates-start':
    'its token could be from before the start: mint after start, with a lifetime equal to maxConnectTokenLifetimeSeconds',
};
/** Upper half of the first global sequence; the count is added to it. */
const GLOBAL_SEQUENCE_HI = 0x8000_0000;

/** What a handshake needs of its server. */
export interface HandshakeOptions {
  aead: Aead;
  writer: PacketWriter;
  transport: Transport;
  counters: MutableCounters;
  log: Log;
  randomBytes: RandomBytes;
  protocolId: bigint;
  privateKey: Uint8Array;
  previousPrivateKey: Uint8Array | undefined;
  addresses: readonly (Address | undefined)[];
  lifetimeSeconds: bigint;
  isAddressConnected: (address: Address) => boolean;
  isIdConnected: (clientId: bigint) => boolean;
  isFull: () => boolean;
}

/**
 * The server's side of a connection before a slot exists (protocol sections 13.2, 13.3, 14 and 21): reads requests and responses, answers with
 * challenges and denials, remembers keys and presented tokens.
 */
export class Handshake {
  readonly #o: Omit<HandshakeOptions, 'privateKey' | 'previousPrivateKey'>;
  readonly #privateKeys: readonly AeadKey[];
  readonly #requests: RequestReader;
  readonly #limits: RequestLimits = new RequestLimits();
  readonly #keys: KeyTable<AeadKey>;
  readonly #history: TokenHistory = new TokenHistory();
  readonly #challengeBody: Uint8Array = new Uint8Array(CHALLENGE_BODY_BYTES);
  readonly #challengeView: DataView = new DataView(this.#challengeBody.buffer);
  #challengeKey: AeadKey | undefined = undefined;
  #challengeSequence: number = 0;
  /** Global packets sent in this run; on the wire 2^63 is added. */
  #globalCount: number = 0;
  #unixSeconds: bigint = 0n;
  #hasNotedLifetime: boolean = false;
  readonly #advised: Set<DropReason> = new Set();

  constructor(options: HandshakeOptions) {
    const { privateKey, previousPrivateKey, ...rest } = options;
    const { aead, protocolId } = rest;
    this.#o = rest;
    this.#requests = new RequestReader(aead, protocolId);
    this.#privateKeys = [privateKey, previousPrivateKey].filter((key) => key !== undefined).map((key) => aead.createKey(key));
    this.#keys = new KeyTable<AeadKey>((mapping) => {
      aead.destroyKey(mapping.sendKey);
      aead.destroyKey(mapping.receiveKey);
    });
  }

  /** Challenges sent in this run. */
  get challengeSequence(): number {
    return this.#challengeSequence;
  }

  /** The sequence that the next challenge or denial will get, u64. */
  get globalSequence(): bigint {
    return GLOBAL_SEQUENCE_START + BigInt(this.#globalCount);
  }

  /** Draws the challenge key of the next run: the only randomness of a server. */
  drawChallengeKey(): Uint8Array {
    return drawRandom(this.#o.randomBytes, KEY_BYTES);
  }

  /** Begins a run, and wipes the drawn key, of which the cipher has its copy. Tokens that could have been used before this second are refused from now on (protocol section 12.1). */
  start(challengeKey: Uint8Array, unixSeconds: bigint): void {
    this.#challengeKey = this.#o.aead.createKey(challengeKey);
    challengeKey.fill(0);
    this.#challengeSequence = 0;
    this.#globalCount = 0;
    this.#hasNotedLifetime = false;
    this.#advised.clear();
    this.setNow(unixSeconds);
    const earliest = unixSeconds + this.#o.lifetimeSeconds;
    this.#limits.setEarliest(earliest > MAX_U64 ? MAX_U64 : earliest);
  }

  /** Ends a run: forgets keys and tokens. */
  stop(): void {
    if (this.#challengeKey !== undefined) this.#o.aead.destroyKey(this.#challengeKey);
    this.#challengeKey = undefined;
    this.#challengeSequence = 0;
    this.#globalCount = 0;
    this.#keys.reset();
    this.#history.reset();
  }

  /** Wipes the private keys; the handshake is not used afterwards. */
  close(): void {
    for (const key of this.#privateKeys) this.#o.aead.destroyKey(key);
    this.#requests.wipe();
  }

  /** Sets the wall clock, u64 seconds. */
  setNow(unixSeconds: bigint): void {
    if (unixSeconds === this.#unixSeconds) return;
    this.#unixSeconds = unixSeconds;
    this.#limits.setNow(unixSeconds);
  }

  /** The index of an address's keys, refreshed by the look-up, or -1. */
  touch(address: Address, time: number): number {
    return this.#keys.find(address, time);
  }

  /** The keys at an index, whatever their deadline. */
  mapping(index: number): KeyMapping<AeadKey> | undefined {
    return this.#keys.mapping(index);
  }

  /** The keys at an index if they are still those of the address, refreshed by the use. */
  use(index: number, address: Address, time: number): KeyMapping<AeadKey> | undefined {
    return this.#keys.touch(index, address, time) ? this.#keys.mapping(index) : undefined;
  }

  /** Spends the token of a mapping, lifts its deadline and ties it to a slot. Returns the idle timeout of the session in seconds. */
  bind(index: number, slot: number): number {
    const { historyIndex, historySerial, timeoutSeconds } = this.#keys.mapping(index)!;
    this.#history.consume(historyIndex, historySerial);
    this.#keys.setExpireTime(index, NEVER);
    this.#keys.setSlot(index, slot);
    return timeoutSeconds;
  }

  /** Unties and removes the keys of a session. */
  release(index: number, address: Address, time: number): void {
    if (this.#keys.mapping(index) !== undefined) this.#keys.setSlot(index, -1);
    this.#keys.remove(address, time);
  }

  /** Handles a datagram whose first byte is 0. Returns why it was ignored, or `undefined` when it was answered. */
  handleRequest(from: Address, bytes: Uint8Array, offset: number, length: number, time: number): DropReason | undefined {
    if (length !== REQUEST_BYTES) return 'request-length';
    const refusal = this.#requests.check(bytes, offset, this.#limits);
    if (refusal !== undefined) return refusal;
    if (!this.#openRequest(bytes, offset)) return 'request-decrypt';
    const token = decodePrivateToken(this.#requests.plaintext);
    this.#requests.wipe();
    if ('refused' in token) return 'request-private-data';
    try {
      return this.#admit(from, token, requestExpireTimestamp(bytes, offset), time);
    } finally {
      token.clientToServerKey.fill(0);
      token.serverToClientKey.fill(0);
    }
  }

  /**
   * Handles an opened response.
   *
   * @param body - challenge sequence and sealed challenge token.
   * @param mappingIndex - the sender's keys.
   * @returns who may have a slot; why it was ignored; `undefined` when it was answered with a denial.
   */
  handleResponse(from: Address, body: Uint8Array, mappingIndex: number, time: number): ChallengeToken | DropReason | undefined {
    const view = new DataView(body.buffer, body.byteOffset, CHALLENGE_BODY_BYTES);
    const challenge = openChallenge(this.#o.aead, this.#challengeKey!, view.getUint32(4, true), view.getUint32(0, true), body, 8);
    if (challenge === undefined) return 'response-challenge';
    const mapping = this.use(mappingIndex, from, time);
    if (mapping === undefined) return 'response-no-mapping';
    if (this.#o.isAddressConnected(from)) return 'response-address-connected';
    if (this.#o.isIdConnected(challenge.clientId)) return 'response-id-connected';
    if (!this.#o.isFull()) return challenge;
    this.#deny(from, mapping.sendKey);
    return undefined;
  }

  /** Apart from the cheap checks, which must not pay for the closure that this makes. */
  #openRequest(bytes: Uint8Array, offset: number): boolean {
    return this.#privateKeys.some((key) => this.#requests.open(bytes, offset, key));
  }

  /** Says once per run why requests are refused, for the reasons behind which is a mistake of the set-up. */
  advise(reason: DropReason): void {
    const advice = SETUP_ADVICE[reason];
    if (advice === undefined || this.#advised.has(reason)) return;
    this.#advised.add(reason);
    const identities = this.#o.addresses.filter((address) => address !== undefined).map(formatAddress);
    this.#o.log.warn(`server ${identities.join(' and ')} ignored a request (${reason}): ${advice}`);
  }

  /** The checks of protocol section 13.2 in their order, then a challenge. */
  #admit(from: Address, token: PrivateConnectToken, expireTimestamp: bigint, time: number): DropReason | undefined {
    const isOurs = token.serverAddresses.some((listed) => this.#o.addresses.some((own) => own !== undefined && addressEquals(listed, own)));
    if (!isOurs) return 'request-not-our-address';
    if (this.#o.isAddressConnected(from)) return 'request-address-connected';
    if (this.#o.isIdConnected(token.clientId)) return 'request-id-connected';
    this.#noteLifetime(expireTimestamp);
    const historyIndex = this.#history.findOrAdd(from, this.#requests.mac, expireTimestamp, this.#unixSeconds, time);
    if (historyIndex === TOKEN_REFUSED) return 'request-token-used';
    if (historyIndex === HISTORY_FULL) return 'request-history-full';
    const sendKey = this.#o.aead.createKey(token.serverToClientKey);
    if (this.#o.isFull()) {
      this.#deny(from, sendKey);
      this.#o.aead.destroyKey(sendKey);
      return undefined;
    }
    const mapping = {
      address: from,
      sendKey,
      receiveKey: this.#o.aead.createKey(token.clientToServerKey),
      timeoutSeconds: token.timeoutSeconds,
      expireTime: token.timeoutSeconds >= 0 ? time + token.timeoutSeconds : NEVER,
      historyIndex,
      historySerial: this.#history.serial(historyIndex),
    };
    if (this.#keys.add(mapping, time) < 0) {
      this.#o.aead.destroyKey(mapping.sendKey);
      this.#o.aead.destroyKey(mapping.receiveKey);
      return 'request-no-mapping-room';
    }
    this.#challenge(from, sendKey, token);
    return undefined;
  }

  #challenge(to: Address, key: AeadKey, token: PrivateConnectToken): void {
    const hi = Math.floor(this.#challengeSequence / 0x1_0000_0000);
    const lo = this.#challengeSequence >>> 0;
    this.#challengeView.setUint32(0, lo, true);
    this.#challengeView.setUint32(4, hi, true);
    sealChallenge(this.#o.aead, this.#challengeKey!, hi, lo, token, this.#challengeBody, 8);
    this.#challengeSequence++;
    this.#sendGlobal(to, key, PACKET_TYPE_CODES.challenge, this.#challengeBody, CHALLENGE_BODY_BYTES);
    if (this.#o.log.isDebug) this.#o.log.debug(`server sent a challenge to ${formatAddress(to)}`);
  }

  #deny(to: Address, key: AeadKey): void {
    this.#o.counters.denied++;
    this.#sendGlobal(to, key, PACKET_TYPE_CODES.denied, NO_BODY, 0);
    if (this.#o.log.isDebug) this.#o.log.debug(`server is full: denied ${formatAddress(to)}`);
  }

  #sendGlobal(to: Address, key: AeadKey, type: number, body: Uint8Array, length: number): void {
    const hi = (GLOBAL_SEQUENCE_HI + Math.floor(this.#globalCount / 0x1_0000_0000)) >>> 0;
    const packetLength = this.#o.writer.seal(key, type, hi, this.#globalCount >>> 0, body, 0, length);
    this.#globalCount++;
    this.#o.transport.send(to, this.#o.writer.bytes, 0, packetLength);
  }

  /** Tokens that outlive the option reopen the restart hole; says so once per run. */
  #noteLifetime(expireTimestamp: bigint): void {
    const isLonger = expireTimestamp > this.#unixSeconds + this.#o.lifetimeSeconds && expireTimestamp !== MAX_U64;
    if (!isLonger || this.#hasNotedLifetime) return;
    this.#hasNotedLifetime = true;
    this.#o.log.info(
      'server saw a token that lives longer than maxConnectTokenLifetimeSeconds, or the clocks of server and backend differ',
    );
  }
}
