import { EventTooLargeError, ReliableError, transportConfig, validateTransportConfig, validateTransportConfigFor } from '@x/reliable';
import { expectSame } from '../fields.ts';
import { objectCase } from '../group.ts';
import type { CaseReplayer } from '../group.ts';
import { catalogueNamed, readConfig } from './catalogue.ts';

/** Configurations on their own: `message` is the refusal, or null. */
export const replayTransportConfig: CaseReplayer = objectCase((fields) => {
  fields.describeAny('name', 'note');
  const config = transportConfig(readConfig(fields, 'config'));
  const error = refusalOf(() => {
    validateTransportConfig(config);
  });
  const message = fields.raw('message') === null ? undefined : `invalid transport configuration: ${fields.text('message')}`;
  expectSame('message', error?.message, message);
  if (error !== undefined) expectSame('kind', error.kind, 'transport');
});

/** Configurations against a schema: `error` has the kind and its details, or is null. */
export const replaySchemaAgainstConfig: CaseReplayer = objectCase((fields, { file }) => {
  fields.describeAny('name', 'note');
  const catalogue = catalogueNamed(file, fields.text('schema'));
  const config = transportConfig(readConfig(fields, 'config'));
  const error = refusalOf(() => {
    validateTransportConfigFor(config, catalogue);
  });
  if (fields.raw('error') === null) {
    expectSame('error', error?.message, undefined);
    return;
  }
  if (error === undefined) throw new Error('error: the configuration was accepted');
  fields.object('error', (details) => {
    details.expectText('kind', error.kind);
    if (details.has('what')) expectSame('error.what', error.message, `invalid transport configuration: ${details.text('what')}`);
    if (details.has('message')) details.expectText('message', error.message);
    if (!(error instanceof EventTooLargeError)) return;
    details.expectText('event', error.event);
    details.expectNumber('maxPayload', error.maxPayload);
    details.expectNumber('limit', error.limit);
  });
});

function refusalOf(call: () => void): ReliableError | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (ReliableError.is(error)) return error;
    throw error;
  }
}
