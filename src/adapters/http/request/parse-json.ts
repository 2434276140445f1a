import type * as z from 'zod';
import { RequestError } from '../errors/request-error.ts';

/**
 * The last of equal keys counts. A message of the schema continues "must be".
 *
 * @param subject what the bytes are, for messages
 * @throws {RequestError} naming the field
 */
export function parseJson<Shape extends z.ZodRawShape>(
  bytes: Uint8Array,
  schema: z.ZodObject<Shape>,
  subject = 'The request body',
): z.output<z.ZodObject<Shape>> {
  const object = jsonObject(bytes, subject);
  refuseBadCharacters(object);
  const result = schema.safeParse(object);
  if (result.success) return result.data;
  throw invalidField(result.error);
}

/** Keeps a byte order mark, which is no JSON (RFC 8259, section 8.1). */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws {RequestError} */
export function jsonObject(bytes: Uint8Array, subject: string): object {
  const value = jsonValue(bytes, subject);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new RequestError('invalid_request', `${subject} must be a JSON object`);
}

function jsonValue(bytes: Uint8Array, subject: string): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch (error) {
    const expected = error instanceof SyntaxError ? 'JSON (RFC 8259)' : 'UTF-8';
    throw new RequestError('invalid_request', `${subject} is not ${expected}`);
  }
}

/** A lone surrogate has no UTF-8 form, and Postgres stores no NUL. */
const BAD_CHARACTER = /\p{Surrogate}|\0/u;

/** With a stack of its own, because a body may be nested more deeply than calls can be. */
function refuseBadCharacters(object: object): void {
  const pending = Object.entries(object).map(([field, value]) => ({ field, value: value as unknown }));
  for (const { field, value } of pending) {
    if (BAD_CHARACTER.test(field) || (typeof value === 'string' && BAD_CHARACTER.test(value))) {
      throw new RequestError(
        'invalid_request',
        `Field ${quote(field)} must be without lone surrogates and NUL`,
      );
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (BAD_CHARACTER.test(key)) pending.push({ field, value: key });
      pending.push({ field, value: inner });
    }
  }
}

function invalidField({ issues: [issue] }: z.ZodError): RequestError {
  const path = issue?.path ?? [];
  if (issue?.code === 'unrecognized_keys') {
    const name = quote(nameOf([...path, issue.keys[0] ?? '']));
    return new RequestError('invalid_request', `Field ${name} is not known`);
  }
  return new RequestError(
    'invalid_request',
    `Field ${quote(nameOf(path))} must be ${issue?.message ?? 'well-formed'}`,
  );
}

function nameOf(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .slice(1);
}

/** A name from a request, for messages. */
export function quote(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
