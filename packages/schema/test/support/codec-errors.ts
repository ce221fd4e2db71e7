import { CatalogueError } from '../../src/index.ts';
import { CodecError } from '../../src/codec/index.ts';

/** What an action throws, as `CODE path`, or `CODE` where the path is empty; fails when it throws none or something else. */
export function refusal(action: () => unknown): string {
  const error = codecErrorOf(action);
  return error.path === '' ? error.code : `${error.code} ${error.path}`;
}

/** The CodecError that an action throws; fails when it throws none or something else. */
export function codecErrorOf(action: () => unknown): CodecError {
  try {
    action();
  } catch (error) {
    if (CodecError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** The CatalogueError that an action throws; fails when it throws none or something else. */
export function catalogueErrorOf(action: () => unknown): CatalogueError {
  try {
    action();
  } catch (error) {
    if (CatalogueError.is(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
