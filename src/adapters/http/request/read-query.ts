import * as z from 'zod';
import { RequestError } from '../errors/request-error.ts';
import { quote } from './parse-json.ts';

const NO_PARAMETERS = z.strictObject({});

/**
 * Each parameter is given at most once.
 *
 * @param querystring without `?`
 * @param schema by default there are no parameters
 * @throws {RequestError} naming the parameter
 */
export function readQuery<Schema extends z.ZodObject>(
  querystring: string,
  schema: Schema | typeof NO_PARAMETERS = NO_PARAMETERS,
): z.output<Schema> {
  const result = schema.safeParse(singleValues(querystring));
  if (result.success) return result.data as z.output<Schema>;
  throw invalidQuery(result.error);
}

function singleValues(querystring: string): Record<string, string> {
  if (querystring === '') return {};
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (name in values) {
      throw new RequestError('invalid_request', `Query parameter ${quote(name)} is given more than once`);
    }
    values[name] = value;
  }
  return values;
}

function invalidQuery(error: z.ZodError): RequestError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    return new RequestError('invalid_request', `Query parameter ${quote(issue.keys[0] ?? '')} is not known`);
  }
  const name = quote(String(issue?.path[0] ?? ''));
  return new RequestError(
    'invalid_request',
    `Query parameter ${name} must be ${issue?.message ?? 'well-formed'}`,
  );
}

/**
 * An optional query parameter without leading zeros.
 *
 * @param otherwise what its absence means, for the document
 */
export function wholeNumber(min: number, max: number, description: string, otherwise?: number) {
  const message = `a whole number from ${min} to ${max}`;
  const wire = { type: 'integer', minimum: min, maximum: max };
  return z
    .string()
    .regex(/^(0|[1-9]\d{0,8})$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .optional()
    .meta({ description, wire: otherwise === undefined ? wire : { ...wire, default: otherwise } });
}
