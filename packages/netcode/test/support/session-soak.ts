import { MemoryNetwork } from '@x/testkit';
import type { MemoryDatagram, SeededRandom } from '@x/testkit';
import { formatAddress } from '../../src/address.ts';
import type { Address } from '../../src/address.ts';
import { NetcodeClient } from '../../src/client-machine.ts';
import { CLIENT_STATE_CODES } from '../../src/client-state.ts';
import type { ClientState } from '../../src/client-state.ts';
import { generateConnectToken } from '../../src/connect-token.ts';
import { NetcodeServer } from '../../src/server-machine.ts';
import { clientAddress, PRIVATE_KEY, PROTOCOL_ID, SERVER, SERVER_ADDRESS, START, UNIX } from './session-kit.ts';
import { recordingAead, SealLog } from './session-recording-aead.ts';
import { ALLOWED_TRANSITIONS } from './session-sim.ts';

const LIFETIME_SECONDS = 10;

interface Player {
  client: NetcodeClient;
  readonly address: Address;
  /** Number of the token that it connects or is connected with. */
  token: number;
  readonly isPushed: boolean;
}

interface SentPayload {
  readonly token: number;
  readonly toServer: boolean;
  readonly bytes: Uint8Array;
  delivered: number;
}

interface Session {
  connects: number;
  disconnects: number;
}

/** What happened in a soak, so that a test can tell that it was not empty. */
export interface SoakTotals {
  sessions: number;
  toServer: number;
  toClient: number;
  restarts: number;
  replays: number;
}

/** One server and several clients on a bad network, driven at random, with everything that must always hold checked all the time. */
export class Soak {
  readonly totals: SoakTotals = { sessions: 0, toServer: 0, toClient: 0, restarts: 0, replays: 0 };
  readonly log: SealLog = new SealLog();
  readonly network: MemoryNetwork<Address>;
  readonly server: NetcodeServer;
  readonly players: Player[];
  readonly #random: SeededRandom;
  readonly #clientAead = recordingAead(this.log, false);
  readonly #payloads: SentPayload[] = [];
  readonly #sessions: Session[] = [];
  readonly #slotTokens: Map<number, number> = new Map();
  readonly #recent: MemoryDatagram<Address>[] = [];
  readonly #isServerPushed: boolean;
  #time: number = START;
  #stoppedAt: bigint | undefined = undefined;
  #isQuiet: boolean = false;

  constructor(random: SeededRandom) {
    this.#random = random;
    const share = (limit: number) => (random.chance(0.3) ? 0 : random.unit() * limit);
    this.network = new MemoryNetwork<Address>(random, formatAddress, {
      latencySeconds: share(0.1),
      jitterSeconds: share(0.1),
      lossChance: share(0.15),
      duplicateChance: share(0.2),
      reorderChance: share(0.2),
      reorderSeconds: share(0.5),
      corruptChance: share(0.05),
    });
    this.network.onSend = (datagram) => {
      this.#recent[this.#random.below(64)] = datagram;
    };
    this.network.advance(START);
    this.#isServerPushed = random.chance(0.5);
    this.server = new NetcodeServer({
      time: START,
      transport: this.network.open(SERVER_ADDRESS),
      address: SERVER,
      protocolId: PROTOCOL_ID,
      privateKey: PRIVATE_KEY,
      aead: recordingAead(this.log, true),
      randomBytes: (count) => random.bytes(count),
      unixSeconds: () => this.#unix(),
      maxConnectTokenLifetimeSeconds: LIFETIME_SECONDS,
      onConnectDisconnect: (slot, connected) => this.#onConnectDisconnect(slot, connected),
      onPayload: this.#isServerPushed
        ? (slot, bytes, offset, length) => this.#atServer(slot, bytes.slice(offset, offset + length))
        : undefined,
      onError: (error) => this.#fault(String(error)),
    });
    this.server.start(1 + random.below(4));
    this.players = Array.from({ length: 2 + random.below(4) }, (_, i) => this.#player(i));
  }

  get faults(): readonly string[] {
    return this.log.faults;
  }

  /** One step of virtual time with what chance brings. */
  tick(): void {
    this.#time += this.#random.pick([0.02, 0.05, 0.05, 0.1]);
    this.network.advance(this.#time);
    for (const player of this.players) {
      player.client.update(this.#time);
      if (!player.isPushed)
        for (let got = player.client.receive(); got !== undefined; got = player.client.receive()) this.#atClient(player, got.data);
    }
    this.server.update(this.#time);
    if (!this.#isServerPushed) for (const slot of this.#slotTokens.keys()) this.#drain(slot);
    if (!this.#isQuiet) this.#act();
    this.#checkCounts();
  }

  /** Lets everything come to rest on a perfect network; afterwards every connected client must still be served. */
  settle(): void {
    this.#isQuiet = true;
    Object.assign(this.network.settings, { lossChance: 0, duplicateChance: 0, reorderChance: 0, corruptChance: 0 });
    this.#restartIfStopped(true);
    for (const player of this.players) if (CLIENT_STATE_CODES[player.client.state] <= 0) this.#connect(player);
    for (let i = 0; i < 80; i++) this.tick();
    const first = this.#payloads.length;
    for (const player of this.players) {
      const { client } = player;
      if (client.state === 'connected' && this.#slotTokens.get(client.index) !== player.token)
        this.#fault('a client is connected to nobody');
      if (client.state === 'connected') this.#sendFromClient(player);
    }
    for (const slot of this.#slotTokens.keys()) this.#sendFromServer(slot);
    for (let i = 0; i < 20; i++) this.tick();
    for (const { delivered, token, toServer } of this.#payloads.slice(first))
      if (delivered !== 1)
        this.#fault(`a payload of session ${token} to the ${toServer ? 'server' : 'client'} was lost on a perfect network`);
    this.server.close();
    for (const { client } of this.players) client.close();
    for (const { connects, disconnects } of this.#sessions) {
      if (connects > 1 || disconnects !== connects) this.#fault(`${connects} connects and ${disconnects} disconnects of one token`);
      this.totals.sessions += connects;
    }
  }

  #unix(): bigint {
    return UNIX + BigInt(Math.floor(this.#time - START));
  }

  #fault(text: string): void {
    this.log.faults.push(text);
  }

  #player(index: number): Player {
    const isPushed = this.#random.chance(0.5);
    const address = clientAddress(index);
    const player: Player = { client: undefined as never, address, token: -1, isPushed };
    player.client = this.#client(player);
    return player;
  }

  #client(player: Player): NetcodeClient {
    return new NetcodeClient({
      time: this.#time,
      transport: this.network.open(player.address),
      aead: this.#clientAead,
      onStateChange: (previous, next) => this.#onStateChange(previous, next),
      onPayload: player.isPushed ? (bytes, offset, length) => this.#atClient(player, bytes.slice(offset, offset + length)) : undefined,
      onError: (error) => this.#fault(String(error)),
    });
  }

  #onStateChange(previous: ClientState, next: ClientState): void {
    const transition = `${CLIENT_STATE_CODES[previous]}>${CLIENT_STATE_CODES[next]}`;
    if (!ALLOWED_TRANSITIONS.has(transition)) this.#fault(`transition ${transition}`);
  }

  /** Connects with a fresh token; players share a few client ids. */
  #connect(player: Player): void {
    const token = this.#sessions.length;
    this.#sessions.push({ connects: 0, disconnects: 0 });
    const userData = new Uint8Array(4);
    new DataView(userData.buffer).setUint32(0, token);
    const bytes = generateConnectToken({
      publicAddresses: [SERVER],
      clientId: BigInt(1 + this.#random.below(6)),
      protocolId: PROTOCOL_ID,
      privateKey: PRIVATE_KEY,
      expireSeconds: LIFETIME_SECONDS,
      timeoutSeconds: 1 + this.#random.below(2),
      createTimestamp: this.#unix(),
      userData,
      randomBytes: (count) => this.#random.bytes(count),
    });
    player.client.connect(bytes);
    player.token = token;
  }

  #tokenOf(slot: number): number {
    const userData = this.server.userData(slot);
    return userData === undefined ? -1 : new DataView(userData.buffer).getUint32(0);
  }

  #onConnectDisconnect(slot: number, connected: boolean): void {
    const token = this.#tokenOf(slot);
    const session = this.#sessions[token]!;
    if (connected) {
      session.connects++;
      if (this.#slotTokens.has(slot)) this.#fault('a slot was filled twice');
      this.#slotTokens.set(slot, token);
      if (session.connects > 1) this.#fault('a token opened a second session');
    } else {
      session.disconnects++;
      if (this.#slotTokens.get(slot) !== token) this.#fault('the wrong session was told to end');
      this.#drain(slot);
      this.#slotTokens.delete(slot);
    }
    if (connected && !this.#isQuiet && this.#random.chance(0.05)) this.server.disconnectClient(slot);
    if (this.#random.chance(0.3)) this.#sendFromServer(slot);
  }

  #drain(slot: number): void {
    for (let got = this.server.receive(slot); got !== undefined; got = this.server.receive(slot)) this.#atServer(slot, got.data);
  }

  #payload(token: number, toServer: boolean): Uint8Array {
    const bytes = this.#random.bytes(4 + (this.#random.chance(0.05) ? this.#random.below(1197) : this.#random.below(40)));
    new DataView(bytes.buffer).setUint32(0, this.#payloads.length);
    this.#payloads.push({ token, toServer, bytes: bytes.slice(), delivered: 0 });
    return bytes;
  }

  #sendFromClient(player: Player): void {
    if (player.client.state === 'connected') player.client.send(this.#payload(player.token, true));
  }

  #sendFromServer(slot: number): void {
    if (this.server.isConnected(slot)) this.server.send(slot, this.#payload(this.#tokenOf(slot), false));
  }

  #arrived(bytes: Uint8Array, token: number, toServer: boolean): void {
    const sent = this.#payloads[new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)];
    if (sent === undefined || Buffer.compare(sent.bytes, bytes) !== 0) this.#fault('a payload was delivered that was not sent');
    else if (sent.token !== token || sent.toServer !== toServer) this.#fault('a payload leaked into another session');
    else if (++sent.delivered > 1) this.#fault('a payload was delivered twice');
  }

  #atServer(slot: number, bytes: Uint8Array): void {
    this.totals.toServer++;
    this.#arrived(bytes, this.#tokenOf(slot), true);
    if (this.#isQuiet) return;
    if (this.#random.chance(0.3)) this.#sendFromServer(slot);
    if (this.#random.chance(0.01)) this.server.disconnectClient(slot);
    if (this.#random.chance(0.002)) this.#stop();
  }

  #atClient(player: Player, bytes: Uint8Array): void {
    this.totals.toClient++;
    this.#arrived(bytes, player.token, false);
    if (this.#isQuiet) return;
    if (this.#random.chance(0.3)) this.#sendFromClient(player);
    if (this.#random.chance(0.01)) player.client.disconnect();
    if (this.#random.chance(0.01)) this.#connect(player);
  }

  #act(): void {
    const random = this.#random;
    for (const player of this.players) {
      const { client } = player;
      if (CLIENT_STATE_CODES[client.state] <= 0 && random.chance(0.3)) this.#connect(player);
      if (random.chance(0.3)) this.#sendFromClient(player);
      if (random.chance(0.01)) client.disconnect();
      if (random.chance(0.005)) {
        client.close();
        player.client = this.#client(player);
      }
    }
    for (const slot of [...this.#slotTokens.keys()]) {
      if (random.chance(0.3)) this.#sendFromServer(slot);
      if (random.chance(0.005)) this.server.disconnectClient(slot);
    }
    if (random.chance(0.002)) this.server.disconnectAllClients();
    if (random.chance(0.003)) this.#stop();
    this.#restartIfStopped(random.chance(0.5));
    this.#replay();
  }

  #stop(): void {
    if (!this.server.isRunning) return;
    this.server.stop();
    this.#stoppedAt = this.#unix();
  }

  /** Not within the second of the stop: the restart rule counts whole seconds. */
  #restartIfStopped(isWanted: boolean): void {
    if (this.#stoppedAt === undefined || !isWanted) return;
    while (this.#unix() <= this.#stoppedAt && this.#isQuiet) this.#time += 0.1;
    if (this.#unix() <= this.#stoppedAt) return;
    this.#stoppedAt = undefined;
    this.totals.restarts++;
    this.server.start(1 + this.#random.below(4));
  }

  /** Sends something seen earlier again, from its own address or another, so that used tokens and old packets come back. */
  #replay(): void {
    const old = this.#recent[this.#random.below(64)];
    if (old === undefined || !this.#random.chance(0.5)) return;
    this.totals.replays++;
    this.network.inject(this.#random.chance(0.5) ? old.from : this.#random.pick(this.players).address, old.to, old.bytes);
  }

  #checkCounts(): void {
    const connected = [0, 1, 2, 3].filter((slot) => this.server.isConnected(slot)).length;
    if (connected !== this.server.connectedCount || connected !== this.#slotTokens.size)
      this.#fault(`${connected} slots, count ${this.server.connectedCount}, ${this.#slotTokens.size} told`);
  }
}
