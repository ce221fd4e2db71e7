import { PacketLayout } from '@x/reliable/wire';
import type { Schema } from '@x/schema';
import type { Fields } from '../fields.ts';

const LARGE_PACKET_BYTES = 32_768;

/** Compares the widths that packets of a schema have (event layer, section 3.2). */
export function expectLayout(schema: Schema, fields: Fields): void {
  const layout = new PacketLayout(schema);
  fields.expectNumber('sectionCountBits', layout.sectionCountBits);
  fields.expectNumber('channelBits', layout.channelBits);
  fields.expectNumber('countBits', layout.countBits);
  fields.expectNumber('eventBits', layout.eventBits);
  fields.expectNumber('headerBits', layout.headerBits(false));
  fields.expectNumber('headerBitsWithHello', layout.headerBits(true));
  fields.expectNumber('worstCaseSingleMessageOverheadBytes', layout.overheadBytes);
  fields.expectNumber('largestPayloadAt32KiB', layout.largestPayload(LARGE_PACKET_BYTES));
  fields.expectNumbers(
    'lengthBits',
    schema.channels.map(({ id }) => layout.lengthBits(id)),
  );
}
