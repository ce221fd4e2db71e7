/** Why a connection failed. `local` is always this side's value. `F` is a fingerprint: here its 16 wire bytes, in `@x/host` a `Fingerprint`. */
export type Failure<F = Uint8Array> =
  | { readonly type: 'protocolMismatch'; readonly local: number; readonly remote: number }
  | { readonly type: 'schemaMismatch'; readonly local: F; readonly remote: F }
  | { readonly type: 'malformedData' }
  | { readonly type: 'handshakeTimeout' }
  | { readonly type: 'transportError' };

/** A change of a connection's state. */
export type ConnectionEvent = { readonly type: 'established' } | { readonly type: 'failed'; readonly failure: Failure };

/** The state of a connection. `failed` is final. */
export type ConnectionState = 'handshaking' | 'established' | 'failed';
