import { words } from './field-kinds.ts';
import type { FieldKinds } from './field-kinds.ts';

/** Every field of every group of bitstream.json whose cases are objects. What is inside the operations is for a test of its own. */
export const BITSTREAM_FIELDS: Readonly<Record<string, FieldKinds>> = {
  write: { compared: words('bits hex'), others: words('name ops ops[] ops[][]'), resultsOnly: true, places: 'all' },
  relative: { compared: words('current bits hex'), others: ['previous'], resultsOnly: false, places: 'all' },
  read: {
    compared: words('values values[] failsAt error bits'),
    others: words('name hex ops ops[] ops[][]'),
    resultsOnly: true,
    places: 'all',
  },
};
