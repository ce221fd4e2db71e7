import { CaptureError, HostError } from '../../src/capture/index.ts';

/** What an action throws; fails when it throws nothing. */
function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** The CaptureError that an action throws. */
export function captureErrorOf(action: () => unknown): CaptureError {
  const error = thrownBy(action);
  if (CaptureError.is(error)) return error;
  throw error;
}

/** The HostError that an action throws. */
export function hostErrorOf(action: () => unknown): HostError {
  const error = thrownBy(action);
  if (HostError.is(error)) return error;
  throw error;
}
