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
  let last: { readonly token: string; readonly verdict: Promise<Verdict> } | undefined;
  return async (token) => {
    if (token.length <= LONG_TOKEN) return;
    // Requests that begin at the same time wait for the same verdict.
    if (last?.token !== token) last = { token, verdict: judge(token, apiUrl) };
    const asked = last;
    const { isTooLong, isCertain } = await asked.verdict;
    if (!isCertain && last === asked) last = undefined;
    if (isTooLong) throw new CatalogError('The token is too long', { code: 'token_too_long', status: 431 });
  };
}

interface Verdict {
  readonly isTooLong: boolean;
  /** Otherwise the next request asks again: the service may be down, or the connection has failed by chance. */
  readonly isCertain: boolean;
}

async function judge(token: string, apiUrl: string): Promise<Verdict> {
  const status = await statusWith(token, apiUrl);
  if (status !== undefined) return { isTooLong: status === 431, isCertain: true };
  return { isTooLong: await canReach(apiUrl), isCertain: false };
}

/** `undefined` if the page cannot read the response, or there is none. */
async function statusWith(token: string, apiUrl: string): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${token}` };
  return await fetch(apiUrl, { cache: 'no-store', headers, signal: AbortSignal.timeout(10_000) }).then(
    ({ status }) => status,
    () => undefined,
  );
}
