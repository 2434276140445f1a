import type { Response } from 'supertest';
import type { RawResponse } from './raw-connection.ts';

/** Status and code of an error. */
export function refusalOf(
  response: Pick<Response, 'status' | 'text'> | RawResponse,
): readonly [number, unknown] {
  const text = 'text' in response ? response.text : response.body;
  return [response.status, (JSON.parse(text) as { readonly code?: unknown }).code];
}
