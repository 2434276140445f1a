import type { Context } from 'koa';
import { z } from 'zod';
import { RequestError } from '../request-error.ts';

/** @throws {RequestError} */
export function readQuery<Shape extends z.ZodRawShape>(
  ctx: Context,
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const result = schema.safeParse(singleValues(ctx));
  if (result.success) return result.data;
  throw invalidQuery(result.error);
}

const NO_PARAMETERS = z.strictObject({});

/** @throws {RequestError} naming a parameter */
export function refuseQuery(ctx: Context): void {
  readQuery(ctx, NO_PARAMETERS);
}

function singleValues(ctx: Context): Record<string, string> {
  if (ctx.querystring === '') return {};
  const values: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(ctx.querystring)) {
    if (name in values)
      throw new RequestError('invalid_request', `Query parameter ${quoted(name)} is given more than once`);
    values[name] = value;
  }
  return values;
}

function invalidQuery(error: z.ZodError): RequestError {
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys') {
    return new RequestError('invalid_request', `Query parameter ${quoted(issue.keys[0] ?? '')} is not known`);
  }
  const name = quoted(String(issue?.path[0] ?? ''));
  return new RequestError(
    'invalid_request',
    `Query parameter ${name} must be ${issue?.message ?? 'well-formed'}`,
  );
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
