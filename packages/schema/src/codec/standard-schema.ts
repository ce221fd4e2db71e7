import { CatalogueError } from '../catalogue-error.ts';
import { CodecError, joinPath } from './codec-error.ts';
import { invalidCodec } from './definition.ts';

/**
 * A validator of any library that follows the Standard Schema specification 1: zod, valibot, arktype, typebox and others. Only its types are needed,
 * and they are these.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | PromiseLike<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a validator answers. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One thing that a validator did not like. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Throws `INVALID_CODEC` unless the value is a validator. */
export function checkSchema(builder: string, schema: unknown): void {
  const standard =
    (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema
      ? schema['~standard']
      : undefined;
  if (typeof standard === 'object' && standard !== null && 'validate' in standard && typeof standard.validate === 'function') return;
  throw invalidCodec(builder, 'schema: expected a validator that follows Standard Schema');
}

/**
 * The value that a validator makes of another.
 *
 * @throws {@link CodecError} `VALIDATION` with the first issue, or when the validator throws.
 * @throws {@link CatalogueError} `ASYNCHRONOUS_SCHEMA` when it answers with a promise.
 */
export function validate<Output>(schema: StandardSchema<unknown, Output>, value: unknown): Output {
  let result: unknown;
  try {
    result = schema['~standard'].validate(value);
  } catch (cause) {
    throw new CodecError('VALIDATION', 'the validator threw', '', { cause });
  }
  if (typeof result !== 'object' || result === null) throw new CodecError('VALIDATION', 'the validator gave no answer');
  if ('then' in result && typeof result.then === 'function') {
    // Nobody waits for the answer; a rejection must not end the program.
    (result as PromiseLike<unknown>).then(undefined, () => undefined);
    throw new CatalogueError('asynchronousSchema', 'asynchronous schemas cannot be used');
  }
  const answer = result as StandardResult<Output>;
  if (answer.issues === undefined) return answer.value;
  const [issue] = answer.issues;
  throw new CodecError('VALIDATION', issue?.message ?? 'refused by the validator', pathOf(issue));
}

function pathOf(issue: StandardIssue | undefined): string {
  const steps = (issue?.path ?? []).map((step) => (typeof step === 'object' ? step.key : step));
  return steps.reduceRight<string>((rest, step) => joinPath(typeof step === 'number' ? step : String(step), rest), '');
}
