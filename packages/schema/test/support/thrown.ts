import { ConfigError } from '../../src/index.ts';
import type { AnyConfigError } from '../../src/index.ts';

/** The ConfigError that an action throws; fails when it throws none or something else. */
export function thrownBy(action: () => unknown): AnyConfigError {
  try {
    action();
  } catch (error) {
    if (ConfigError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
