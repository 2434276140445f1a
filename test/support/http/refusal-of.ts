import type { Response } from 'supertest';

/** Status and code of an error. */
export function refusalOf({ status, text }: Response): readonly [number, unknown] {
  return [status, (JSON.parse(text) as { readonly code?: unknown }).code];
}
