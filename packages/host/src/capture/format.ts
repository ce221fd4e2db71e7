// A capture file, format version 1 (hosts section 11). All integers are little-endian and there are no gaps.
//
// | offset | bytes | type  | header                | value, and when it is refused                                                            |
// | ------ | ----- | ----- | --------------------- | ---------------------------------------------------------------------------------------- |
// | 0      | 6     | bytes | magic                 | `DNCAP` and a zero; else `notACapture`                                                   |
// | 6      | 2     | u16   | version               | 1; else `unknownVersion`                                                                 |
// | 8      | 2     | u16   | flags                 | bit 0: payloads are stored; the others are written as 0 and ignored                      |
// | 10     | 16    | bytes | fingerprint           | in the order of the digest, as on the wire                                               |
// | 26     | 2     | u16   | number of channels    |                                                                                          |
// | 28     |       |       | each channel          | in the order of the ids:                                                                 |
// |        | 1     | u8    | n, length of the name |                                                                                          |
// |        | n     | bytes | name                  | UTF-8; else `invalidName`                                                                |
// |        | 4     | u32   | number of events      |                                                                                          |
// |        |       |       | each event            | in the order of the ids:                                                                 |
// |        | 1     | u8    | channel               | not compared with the number of channels                                                 |
// |        | 1     | u8    | n, length of the name |                                                                                          |
// |        | n     | bytes | name                  | UTF-8; else `invalidName`                                                                |
//
// Records follow to the end of the file. An end before the kind of a record is a clean one; a field that is cut short is `truncated`.
//
// | offset | bytes | type  | record                | value, and when it is refused                                                            |
// | ------ | ----- | ----- | --------------------- | ---------------------------------------------------------------------------------------- |
// | 0      | 1     | u8    | kind                  | 1 sent, 2 received, 3 connected, 4 disconnected, 5 rejected; else `unknownRecordKind`,   |
// |        |       |       |                       | but only after time and peer were read                                                   |
// | 1      | 8     | f64   | time                  | seconds, any bits                                                                        |
// | 9      | 8     | u64   | peer                  | generation * 65536 + slot                                                                |
// |        |       |       | kinds 1 and 2         |                                                                                          |
// | 17     | 4     | u32   | event                 | not compared with the number of events                                                   |
// | 21     | 1     | u8    | channel               | not compared with the number of channels                                                 |
// | 22     | 4     | u32   | n, length             | of the payload, also when payloads are not stored                                        |
// | 26     | n     | bytes | payload               | only when payloads are stored; fewer bytes than n are `truncatedPayload`                 |
// |        |       |       | kind 3                |                                                                                          |
// | 17     | 8     | u64   | client id             |                                                                                          |
// |        |       |       | kind 4                |                                                                                          |
// | 17     | 1     | u8    | reason                | 0 … 9, see `disconnect-reason.ts`; else `unknownReason`                                  |
// |        |       |       | kind 5                |                                                                                          |
// | 17     | 8     | u64   | client id             |                                                                                          |
// | 25     | 1     | u8    | reason                | 0 … 9; else `unknownReason`                                                              |

/** `DNCAP` and a zero byte. */
export const MAGIC: readonly number[] = [0x44, 0x4e, 0x43, 0x41, 0x50, 0x00];
/** Of this format; the only one there is. */
export const CAPTURE_VERSION = 1;
/** Bit of the flags: payload bytes are stored. */
export const PAYLOADS_FLAG = 1;
/** Bytes of the header before its channels. */
export const HEADER_FIXED_BYTES = 28;

/** The number of each kind of record. */
export const RECORD_KINDS = { sent: 1, received: 2, connected: 3, disconnected: 4, rejected: 5 } as const;

/** Bytes of each kind of record, without a payload. */
export const RECORD_BYTES = { sent: 26, received: 26, connected: 25, disconnected: 18, rejected: 26 } as const;
