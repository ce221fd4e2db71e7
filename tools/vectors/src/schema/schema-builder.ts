import { ConfigError, SchemaBuilder } from '@x/schema';
import { expectSame, shown } from '../fields.ts';
import type { Fields } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { declareEvent, readChannel, readEvent } from './declaration.ts';

type Step = (builder: SchemaBuilder) => void;

interface Refusal {
  readonly kind: string;
  readonly message: string | undefined;
  readonly atBuild: boolean;
}

/** Declarations in order, the last of which, or the build, is refused with a kind and perhaps a text; or all of it is accepted. */
export const replaySchemaBuilder: CaseReplayer = objectCase((fields) => {
  fields.describe('name');
  const steps = fields.each('steps', readStep);
  const refusal = readRefusal(fields);
  if (fields.has('maxMessagesPerPacket')) {
    const count = fields.anyNumber('maxMessagesPerPacket');
    steps.unshift((builder) => void builder.maxMessagesPerPacket(count));
  }
  const builder = new SchemaBuilder(1);
  const last = refusal === undefined || refusal.atBuild ? undefined : steps.pop();
  for (const step of steps) step(builder);
  if (refusal === undefined) builder.build();
  else if (refusal.atBuild) expectRefusal(() => void builder.build(), refusal);
  else {
    if (last === undefined) throw new Error('error: there is no step that it could belong to');
    const before = String(builder.build().fingerprint);
    expectRefusal(() => last(builder), refusal);
    expectSame('fingerprint after the refusal', String(builder.build().fingerprint), before);
  }
});

function readStep(step: Fields): Step {
  if (step.has('channel')) {
    const channel = step.object('channel', readChannel);
    return (builder) => void builder.channel(channel);
  }
  const event = step.object('event', readEvent);
  return (builder) => declareEvent(builder, event);
}

function readRefusal(fields: Fields): Refusal | undefined {
  if (fields.raw('error') === null) return undefined;
  return fields.object('error', (error) => {
    if (error.has('at')) error.expectText('at', 'build');
    return {
      kind: error.text('kind'),
      message: error.has('message') ? error.text('message') : undefined,
      atBuild: error.has('at'),
    };
  });
}

function expectRefusal(action: () => void, { kind, message }: Refusal): void {
  let thrown: unknown;
  try {
    action();
  } catch (error) {
    thrown = error;
  }
  if (!ConfigError.is(thrown)) throw new Error(`error: expected ${kind}, got ${thrown instanceof Error ? thrown.message : shown(thrown)}`);
  expectSame('error.kind', thrown.kind, kind);
  if (message !== undefined) expectSame('error.message', thrown.message, message);
}
