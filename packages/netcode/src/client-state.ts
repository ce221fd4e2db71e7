/** Where a client is; the words of the reference in camelCase (protocol section 2). */
export type ClientState =
  | 'connectTokenExpired'
  | 'invalidConnectToken'
  | 'connectionTimedOut'
  | 'connectionResponseTimedOut'
  | 'connectionRequestTimedOut'
  | 'connectionDenied'
  | 'disconnected'
  | 'sendingConnectionRequest'
  | 'sendingConnectionResponse'
  | 'connected';

/** The states as the numbers of native implementations: errors below 0, idle 0, connecting 1 and 2, connected 3. */
export const CLIENT_STATE_CODES: Readonly<Record<ClientState, number>> = Object.freeze({
  connectTokenExpired: -6,
  invalidConnectToken: -5,
  connectionTimedOut: -4,
  connectionResponseTimedOut: -3,
  connectionRequestTimedOut: -2,
  connectionDenied: -1,
  disconnected: 0,
  sendingConnectionRequest: 1,
  sendingConnectionResponse: 2,
  connected: 3,
});

/** A state in words, for logs: `connectTokenExpired` gives "connect token expired". */
export function clientStateName(state: ClientState): string {
  return state.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Why the client of a slot is gone. */
export type SlotDisconnectReason = 'none' | 'timedOut' | 'clientDisconnect' | 'serverDisconnect';

/** The reasons as the numbers of native implementations. */
export const SLOT_DISCONNECT_REASON_CODES: Readonly<Record<SlotDisconnectReason, number>> = Object.freeze({
  none: 0,
  timedOut: 1,
  clientDisconnect: 2,
  serverDisconnect: 3,
});
