/** A foreign implementation, by the name of its package. */
export type Peer = 'netcode-official' | 'renetcode';
/** Who plays an end. */
export type Implementation = 'ours' | Peer;

/** What the interop run expects, and where the protocol's specification says so. */
export interface Expected<T> {
  readonly value: T;
  /** Section of the netcode specification. */
  readonly section: string;
  readonly because: string;
}

/** Whether a server answers a request. Ignoring is silence, so the client times out. */
export type Treatment = 'accepted' | 'ignored';

/** Everything about an implementation that a scenario depends on. Each entry is read by at least one scenario. */
export interface ImplementationTable {
  /** As a server: a token that has opened a session comes again, from the address and port of that session. */
  readonly usedTokenFromSamePort: Expected<Treatment>;
  /** As a server: it comes again from another port. */
  readonly usedTokenFromOtherPort: Expected<Treatment>;
  /** As a server: a token that expires earlier than one minted just before the start could. */
  readonly shortLivedTokenAfterStart: Expected<Treatment>;
  /** As a server: how sequence number 0 is written. Without a byte, others refuse the packet and the next one repairs it. */
  readonly sequenceZero: Expected<'oneByte' | 'noByte'>;
  /** As a server: whether a client that timed out is sent a disconnect packet. */
  readonly tellsTimedOutClient: Expected<boolean>;
  /** As a server: the reason of a slot after the client left, was kicked, was silent. */
  readonly reasonAfterLeaving: Expected<string>;
  readonly reasonAfterKick: Expected<string>;
  readonly reasonAfterSilence: Expected<string>;
  /** As a client: the state after it left, was kicked, was denied, got no answer, heard nothing more. */
  readonly stateAfterLeaving: Expected<string>;
  readonly stateAfterKick: Expected<string>;
  readonly stateAfterDenial: Expected<string>;
  readonly stateAfterNoAnswer: Expected<string>;
  readonly stateAfterSilence: Expected<string>;
  /** As a client: whether it tells its slot and the number of slots. */
  readonly tellsSlot: Expected<boolean>;
}

const expected = <T>(value: T, section: string, because: string): Expected<T> => ({ value, section, because });

const OURS: ImplementationTable = {
  usedTokenFromSamePort: expected('ignored', '14.3', 'S2: a consumed token admits nothing, from any address'),
  usedTokenFromOtherPort: expected('ignored', '14.3', 'S2: a consumed token admits nothing, from any address'),
  shortLivedTokenAfterStart: expected('ignored', '12.1', 'S5: it could predate the start'),
  sequenceZero: expected('oneByte', '7.2', 'the smallest count that holds the value, at least 1'),
  tellsTimedOutClient: expected(false, '13.7', 'a timeout disconnects without packets'),
  reasonAfterLeaving: expected('clientDisconnect', '13.5', 'a disconnect packet arrived'),
  reasonAfterKick: expected('serverDisconnect', '13.8', 'disconnectClient was called'),
  reasonAfterSilence: expected('timedOut', '13.7', 'nothing arrived for longer than the timeout'),
  stateAfterLeaving: expected('disconnected', '11.10', 'disconnect resets to disconnected'),
  stateAfterKick: expected('disconnected', '11.5', 'a disconnect packet while connected, no other server listed'),
  stateAfterDenial: expected('connectionDenied', '11.5', 'a denied packet while connecting, no other server listed'),
  stateAfterNoAnswer: expected('connectionRequestTimedOut', '11.4', 'no answer to the request within the timeout'),
  stateAfterSilence: expected('connectionTimedOut', '11.4', 'nothing arrived for longer than the timeout'),
  tellsSlot: expected(true, '11.5', 'stored from the keep-alive that connects'),
};

const OFFICIAL: ImplementationTable = {
  usedTokenFromSamePort: expected('accepted', '20.3', 'S2 is missing: the same address and port are let in again'),
  usedTokenFromOtherPort: expected('ignored', '20.3', 'S1: an entry admits only its own address'),
  shortLivedTokenAfterStart: expected('accepted', '20.3', 'S5 is missing: there is no restart rule'),
  sequenceZero: expected('oneByte', '20.1', 'as the reference'),
  tellsTimedOutClient: expected(false, '20.1', 'as the reference: a timeout disconnects without packets'),
  reasonAfterLeaving: expected('clientDisconnect', '20.1', 'the disconnect event carries the reason'),
  reasonAfterKick: expected('serverDisconnect', '20.1', 'the disconnect event carries the reason'),
  reasonAfterSilence: expected('timedOut', '20.1', 'the disconnect event carries the reason'),
  stateAfterLeaving: expected('disconnected', '20.1', 'as the reference'),
  stateAfterKick: expected('disconnected', '20.1', 'as the reference'),
  stateAfterDenial: expected('connectionDenied', '20.1', 'as the reference'),
  stateAfterNoAnswer: expected('connectionRequestTimedOut', '20.1', 'as the reference'),
  stateAfterSilence: expected('connectionTimedOut', '20.1', 'as the reference'),
  tellsSlot: expected(true, '20.1', 'slot and slot count are widened and told'),
};

const RENETCODE: ImplementationTable = {
  usedTokenFromSamePort: expected('accepted', '20.2', 'a used token is accepted again from the same address'),
  usedTokenFromOtherPort: expected('ignored', '20.2', 'a used token is refused from another address'),
  shortLivedTokenAfterStart: expected('accepted', '20.3', 'S5 is missing: there is no restart rule'),
  sequenceZero: expected('noByte', '20.2', 'its first challenge and the first keep-alive of each slot are refused'),
  tellsTimedOutClient: expected(true, '20.2', 'the timed-out client gets one disconnect packet'),
  reasonAfterLeaving: expected(
    'clientDisconnect',
    '20.2',
    'one disconnect packet suffices; the reason follows from the call that tells it',
  ),
  reasonAfterKick: expected('serverDisconnect', '20.2', 'the reason follows from the call that tells it'),
  reasonAfterSilence: expected('timedOut', '20.2', 'idle timeout, strict comparison; the reason follows from the call that tells it'),
  stateAfterLeaving: expected('disconnectedByClient', '20.2', 'it tells who ended the session'),
  stateAfterKick: expected('disconnectedByServer', '20.2', 'it tells who ended the session; a kick is final'),
  stateAfterDenial: expected('connectionDenied', '20.2', 'a denial is final'),
  stateAfterNoAnswer: expected('connectionRequestTimedOut', '20.2', 'times out as the reference'),
  stateAfterSilence: expected('connectionTimedOut', '20.2', 'times out as the reference'),
  tellsSlot: expected(false, '20.2', 'the slot of the keep-alive is kept without a getter'),
};

/** One table per implementation. */
export const EXPECTATIONS: Readonly<Record<Implementation, ImplementationTable>> = {
  ours: OURS,
  'netcode-official': OFFICIAL,
  renetcode: RENETCODE,
};

/** The foreign implementations, in the order in which they are played. */
export const PEERS: readonly Peer[] = ['netcode-official', 'renetcode'];
