import type { CaptureOutput } from '../../src/capture/index.ts';

type Listener = (error?: unknown) => void;

/** An output that is as busy as a test wants, in the manner of a Node stream. */
export class FakeStream implements CaptureOutput {
  writableNeedDrain = false;
  readonly chunks: Uint8Array[] = [];
  readonly listeners: Record<'drain' | 'error', Listener[]> = { drain: [], error: [] };
  done: Listener | undefined;

  write(chunk: Uint8Array): boolean {
    this.chunks.push(chunk);
    return !this.writableNeedDrain;
  }

  once(event: 'drain' | 'error', listener: Listener): this {
    this.listeners[event].push(listener);
    return this;
  }

  end(done: Listener): void {
    this.done = done;
  }

  emit(event: 'drain' | 'error', error?: unknown): void {
    for (const listener of this.listeners[event].splice(0)) listener(error);
  }

  drain(): void {
    this.writableNeedDrain = false;
    this.emit('drain');
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.chunks);
  }
}
