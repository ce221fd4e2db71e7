import {
  DEFAULT_CHANNEL_CAPACITY,
  DEFAULT_RELIABLE_RESEND_INTERVAL,
  DEFAULT_UNRELIABLE_RESEND_INTERVAL,
  MAX_RELIABLE_WINDOW,
  MAX_UNRELIABLE_CAPACITY,
} from './constants.ts';
import { ConfigError } from './errors.ts';
import { checkChoice, checkNumber, checkObject, checkText, invalidOption, isIntegerIn } from './internal/check.ts';

/** How a channel carries its events: each exactly once and in order, or at most once in any order. */
export type Delivery = 'reliableOrdered' | 'unreliableUnordered';

/** What a full channel does with one event more. Reliable channels can only `fail`: the send is refused. */
export type Overflow = 'fail' | 'dropOldest' | 'dropNewest';

/** What a channel can be told besides its name and delivery. `undefined` stands for the default. */
export interface ChannelOptions {
  /**
   * Events, 1 … 32 768 for a reliable channel, 1 … 65 535 for an unreliable one; 1024 by default. On a reliable channel the sender's window of
   * unacknowledged events and the receiver's reorder window, on an unreliable one the length of the send queue. In the fingerprint.
   */
  capacity?: number | undefined;
  /** `fail` by default, and nothing else on a reliable channel. Local to the sender. */
  overflow?: Overflow | undefined;
  /** Bytes of one packet that this channel may fill, an integer of 0 or more; no limit by default. With 0 each event travels alone. Local to the sender. */
  packetBudget?: number | undefined;
  /** Seconds until an unacknowledged event is sent again, finite and 0 or more; 0.1 by default on a reliable channel, else 0. Local to the sender. */
  resendInterval?: number | undefined;
}

/** A channel to be declared. Plain objects of this shape do as well as what the makers of the same name give. */
export interface ChannelConfig extends Readonly<ChannelOptions> {
  /** 1 to 255 characters of `A-Z a-z 0-9 _ . : / -`. */
  readonly name: string;
  readonly delivery: Delivery;
}

/** A channel with nothing left open. Frozen. */
export interface CompleteChannelConfig {
  readonly name: string;
  readonly delivery: Delivery;
  readonly capacity: number;
  readonly overflow: Overflow;
  readonly packetBudget: number | undefined;
  readonly resendInterval: number;
}

const DELIVERIES: readonly Delivery[] = ['reliableOrdered', 'unreliableUnordered'];
const OVERFLOWS: readonly Overflow[] = ['fail', 'dropOldest', 'dropNewest'];

/**
 * Makers of channel declarations: a frozen copy of the options with the defaults of the delivery class filled in. The values are checked where the
 * channel is declared, by `SchemaBuilder.channel`; an argument that is no object throws {@link ConfigError} `INVALID_OPTION` at once.
 * Source: schema section 3.
 */
export const ChannelConfig: {
  readonly reliableOrdered: (name: string, options?: ChannelOptions) => ChannelConfig;
  readonly unreliableUnordered: (name: string, options?: ChannelOptions) => ChannelConfig;
} = Object.freeze({
  reliableOrdered: (name: string, options: ChannelOptions = {}) => withDefaults(name, 'reliableOrdered', options),
  unreliableUnordered: (name: string, options: ChannelOptions = {}) => withDefaults(name, 'unreliableUnordered', options),
});

function withDefaults(name: string, delivery: Delivery, options: ChannelOptions): CompleteChannelConfig {
  checkObject(options, 'options');
  const {
    capacity = DEFAULT_CHANNEL_CAPACITY,
    overflow = 'fail',
    packetBudget,
    resendInterval = delivery === 'reliableOrdered' ? DEFAULT_RELIABLE_RESEND_INTERVAL : DEFAULT_UNRELIABLE_RESEND_INTERVAL,
  } = options;
  return Object.freeze({ name, delivery, capacity, overflow, packetBudget, resendInterval });
}

/**
 * Copies a declaration, each member read once, and fills in the defaults of its delivery class.
 *
 * @throws {@link ConfigError} for what only an untyped caller can write: `INVALID_OPTION`, and `INVALID_CAPACITY` for a capacity that is not an
 * integer in 0 … 65 535. The rules of schema section 3 come later.
 */
export function readChannelConfig(config: ChannelConfig): CompleteChannelConfig {
  checkObject(config, 'config');
  const { name: givenName, delivery: givenDelivery, ...options } = copyOfMembers(config);
  const name = checkText(givenName, 'name');
  const delivery = checkChoice(givenDelivery, DELIVERIES, 'delivery');
  const { capacity, overflow, packetBudget, resendInterval } = withDefaults(name, delivery, options);
  if (!isIntegerIn(capacity, 0, MAX_UNRELIABLE_CAPACITY)) throw new ConfigError('invalidCapacity', { channel: name, capacity });
  checkChoice(overflow, OVERFLOWS, 'overflow');
  if (packetBudget !== undefined && !isIntegerIn(packetBudget, 0, Infinity)) {
    throw invalidOption('packetBudget', 'an integer of 0 or more bytes', packetBudget);
  }
  checkNumber(resendInterval, 'resendInterval', 'a number of seconds');
  return Object.freeze({ name, delivery, capacity, overflow, packetBudget, resendInterval });
}

/** The members of a declaration, inherited ones included, so that a getter is asked once. */
function copyOfMembers({ name, delivery, capacity, overflow, packetBudget, resendInterval }: ChannelConfig): ChannelConfig {
  return { name, delivery, capacity, overflow, packetBudget, resendInterval };
}

/**
 * Checks rows 4 to 6 of the table in schema section 3.
 *
 * @throws {@link ConfigError} `INVALID_CAPACITY`, `RELIABLE_OVERFLOW_POLICY` or `INVALID_RESEND_INTERVAL`, the first that applies.
 */
export function checkChannelRules({ name: channel, delivery, capacity, overflow, resendInterval }: CompleteChannelConfig): void {
  const isReliable = delivery === 'reliableOrdered';
  if (capacity === 0 || (isReliable && capacity > MAX_RELIABLE_WINDOW)) throw new ConfigError('invalidCapacity', { channel, capacity });
  if (isReliable && overflow !== 'fail') throw new ConfigError('reliableOverflowPolicy', { channel });
  if (!Number.isFinite(resendInterval) || resendInterval < 0) throw new ConfigError('invalidResendInterval', { channel });
}
