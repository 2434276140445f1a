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
  const result = schema.safeParse(singleValues(querystring, schema.shape));
  if (result.success) return result.data as z.output<Schema>;
  throw invalidQuery(result.error);
}

/**
 * Refuses what `URLSearchParams` would replace or keep: the query would name another space than the client meant.
 *
 * @throws {RequestError}
 */
export function requireEncodedQuery(querystring: string): void {
  try {
    if (/^[\x21-\x7e]*$/.test(querystring)) return void decodeURIComponent(querystring);
  } catch {
    // Percent-encoded bytes that are not UTF-8 are refused below, like unencoded characters.
  }
  throw new RequestError('invalid_request', 'The query must be percent-encoded UTF-8');
}

function singleValues(querystring: string, shape: z.core.$ZodShape): Record<string, string> {
  if (querystring === '') return {};
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (!Object.hasOwn(shape, name)) throw refusedParameter(name, `is not known${listHint(name, shape)}`);
    if (name in values) throw refusedParameter(name, `is given more than once${listHint(name, shape)}`);
    values[name] = value;
  }
  return values;
}

/** How to write a list that was sent as `tags=a&tags=b`, or as the `tags[]=a&tags[]=b` of axios and PHP. */
function listHint(name: string, shape: z.core.$ZodShape): string {
  const known = withoutBrackets(name);
  const schema = Object.hasOwn(shape, known) ? shape[known] : undefined;
  const isList = schema !== undefined && z.globalRegistry.get(schema)?.isList === true;
  return isList ? `; write ${known}=a,b` : '';
}

function withoutBrackets(name: string): string {
  const opening = name.endsWith(']') ? name.lastIndexOf('[') : -1;
  return opening === -1 ? name : name.slice(0, opening);
}

function refusedParameter(name: string, reason: string): RequestError {
  return new RequestError('invalid_request', `Query parameter ${quote(name)} ${reason}`);
}

function invalidQuery(error: z.ZodError): RequestError {
  const [issue] = error.issues;
  return refusedParameter(String(issue?.path[0] ?? ''), `must be ${issue?.message ?? 'well-formed'}`);
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
