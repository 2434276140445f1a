import type { Response } from 'supertest';

/** The path and query of `Link: <?...>; rel="next"`, which is relative to the request; `undefined` if there is no such header. */
export function nextOf({ headers, request }: Response): string | undefined {
  const query = /^<(\?[^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1];
  return query === undefined ? undefined : new URL(request.url).pathname + query;
}
