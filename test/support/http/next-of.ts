import type { Response } from 'supertest';

/** The path in `Link: <...>; rel="next"`; `undefined` if there is no such header. */
export function nextOf({ headers }: Response): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1];
}
