import type { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { PeerId } from '@x/reliable';
import type { Fingerprint, Schema } from '@x/schema';
import { expectTypeOf } from 'vitest';
import { CaptureError, CaptureReader, CaptureWriter, HostError } from '../src/capture/index.ts';
import type { CaptureHeader, CaptureOutput, CaptureRecord, CaptureSink, DisconnectReason } from '../src/capture/index.ts';
import type { DISCONNECT_REASON_CODES } from '../src/disconnect-reason.ts';

declare const schema: Schema;
declare const header: CaptureHeader;
declare const record: CaptureRecord;
declare const stream: Writable;
declare const chunks: Uint8Array[];
declare const caught: unknown;

/** What the page declares of an output: whoever has that may be written to. */
interface DeclaredOutput {
  write(chunk: Uint8Array): unknown;
  writableNeedDrain?: boolean;
  once?(event: 'drain' | 'error', listener: (error?: unknown) => void): unknown;
  end?(done: () => void): unknown;
}

expectTypeOf<Writable>().toExtend<CaptureOutput>();
expectTypeOf<ReturnType<typeof createWriteStream>>().toExtend<CaptureOutput>();
expectTypeOf<DeclaredOutput>().toExtend<CaptureOutput>();
expectTypeOf<CaptureWriter>().toExtend<CaptureSink>();
new CaptureWriter(schema, stream);
new CaptureWriter(header, { write: (chunk) => chunks.push(chunk) }, { payloads: undefined, maxPendingBytes: undefined });
expectTypeOf(new CaptureWriter(schema, stream).finish()).toEqualTypeOf<Promise<void>>();
expectTypeOf(new CaptureWriter(schema, stream).error).toEqualTypeOf<unknown>();
expectTypeOf<CaptureReader['next']>().toEqualTypeOf<() => CaptureRecord | undefined>();
expectTypeOf<CaptureReader['header']>().toEqualTypeOf<CaptureHeader>();
expectTypeOf<CaptureReader['eventName']>().toEqualTypeOf<(id: number) => string | undefined>();
expectTypeOf<CaptureHeader>().toEqualTypeOf<{
  readonly version: number;
  readonly payloads: boolean;
  readonly fingerprint: Fingerprint;
  readonly channels: readonly string[];
  readonly events: readonly { readonly channel: number; readonly name: string }[];
}>();
expectTypeOf(record.time).toEqualTypeOf<number>();
expectTypeOf(record.peer).toEqualTypeOf<PeerId>();
expectTypeOf<keyof typeof DISCONNECT_REASON_CODES>().toEqualTypeOf<DisconnectReason>();

switch (record.kind) {
  case 'sent':
  case 'received':
    expectTypeOf(record.length).toEqualTypeOf<number>();
    expectTypeOf(record.payload).toEqualTypeOf<Uint8Array>();
    break;
  case 'connected':
    expectTypeOf(record.clientId).toEqualTypeOf<bigint>();
    break;
  case 'disconnected':
    expectTypeOf(record.reason).toEqualTypeOf<DisconnectReason>();
    break;
  case 'rejected':
    expectTypeOf(record.reason).toEqualTypeOf<DisconnectReason>();
}

if (CaptureError.is(caught)) expectTypeOf(caught.offset).toEqualTypeOf<number>();
if (HostError.is(caught)) expectTypeOf(caught.field).toEqualTypeOf<string | undefined>();

// @ts-expect-error - a client id is a bigint.
new CaptureWriter(schema, stream).record({ kind: 'connected', time: 0, peer: record.peer, clientId: 7 });
// @ts-expect-error - a header is not changed.
new CaptureReader(new Uint8Array()).header.version = 2;
