import { CatalogError } from '@image-catalog/client';
import { canReach } from '../base/can-reach.ts';

/** Rejects with a `CatalogError` if the service does not accept a token of this length. */
export type JudgeToken = (token: string) => Promise<void>;

/** Node.js accepts 16 KB of headers unless told otherwise, and browsers send up to 1 KB besides the token. */
const LONG_TOKEN = 15_000;

/**
 * Where `CORS_ORIGIN` lists origins, no page can read the 431 of the service: each request would fail as if the service were down. So a
 * long token is tried with the greeting of the service, which also responds without one.
 */
export function tokenJudge(apiUrl: string): JudgeToken {
  let judged: string | undefined;
  let isTooLong = false;
  return async (token) => {
    if (token.length <= LONG_TOKEN) return;
    if (token !== judged) {
      const status = await statusWith(token, apiUrl);
      isTooLong = status === 431 || (status === undefined && (await canReach(apiUrl)));
      // Nothing is known while the service is down.
      if (status !== undefined || isTooLong) judged = token;
    }
    if (isTooLong) throw new CatalogError('The token is too long', { code: 'token_too_long', status: 431 });
  };
}

/** `undefined` if the page cannot read the response, or there is none. */
async function statusWith(token: string, apiUrl: string): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${token}` };
  return await fetch(apiUrl, { cache: 'no-store', headers, signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => status,
    () => undefined,
  );
}
