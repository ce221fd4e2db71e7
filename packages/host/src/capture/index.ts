// Entry `@x/host/capture`: records what a host does, and reads it back. No Node module is loaded.
export type { DisconnectReason } from '../disconnect-reason.ts';
export { HostError } from '../errors.ts';
export type { HostErrorDetails, HostErrorKind } from '../errors.ts';
export { CaptureError } from './errors.ts';
export type { CaptureErrorKind } from './errors.ts';
export { MemoryOutput } from './output.ts';
export type { CaptureOutput } from './output.ts';
export { CaptureReader } from './reader.ts';
export type { CaptureHeader, CaptureRecord, CaptureSink, Stamp } from './records.ts';
export { CaptureWriter } from './writer.ts';
export type { CaptureWriterOptions } from './writer.ts';
