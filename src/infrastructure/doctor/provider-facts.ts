import * as z from 'zod';
import { fetchJwks, type JwkSet } from '../../adapters/http/auth/fetch-jwks.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import { plainUrl, secureUrl } from '../config/variable-types.ts';
import { messageOf, quote } from './check-result.ts';

const DEADLINE_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 5;

/**
 * OpenID Connect Discovery 1.0, section 3. Its addresses go into `.env` and into the advice of `doctor`, so they must be https
 * URLs (http for loopback hosts) without characters that would end a line or a value.
 */
const discoverySchema = z.object({
  issuer: secureUrl.pipe(plainUrl),
  jwks_uri: secureUrl.pipe(plainUrl),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

export interface Discovery extends z.output<typeof discoverySchema> {
  /** Clock of the provider minus clock of this machine in ms; `undefined` if it sends none. */
  readonly clockAheadMs: number | undefined;
}

/** A value, or why there is none. */
type Fetched<T> = { readonly value: T } | { readonly failure: string };

/** What the identity provider says about itself. */
export interface ProviderFacts {
  readonly discoveryUrl: string;
  readonly discovery: Fetched<Discovery>;
  readonly jwks: Fetched<JwkSet>;
}

/** @param domain ends with a slash */
export async function fetchProviderFacts(
  domain: string,
  jwksUri: string,
  clock: Clock,
): Promise<ProviderFacts> {
  const [discovered, jwks] = await Promise.all([
    discoverProvider(domain, clock),
    fetchFact(() => fetchJwks(jwksUri, DEADLINE_MS)),
  ]);
  return { ...discovered, jwks };
}

/** @param domain ends with a slash */
export async function discoverProvider(
  domain: string,
  clock: Clock,
): Promise<Pick<ProviderFacts, 'discovery' | 'discoveryUrl'>> {
  const discoveryUrl = `${domain}.well-known/openid-configuration`;
  return { discoveryUrl, discovery: await fetchFact(() => fetchDiscovery(discoveryUrl, clock)) };
}

async function fetchFact<T>(fetching: () => Promise<T>): Promise<Fetched<T>> {
  try {
    return { value: await fetching() };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

async function fetchDiscovery(url: string, clock: Clock): Promise<Discovery> {
  const response = await fetchWithinOrigin(url, AbortSignal.timeout(DEADLINE_MS));
  const receivedAt = clock.now().getTime();
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it responds with ${response.status}`);
  }
  const { success, data, error } = discoverySchema.safeParse(await readJson(response));
  if (success) return { ...data, clockAheadMs: aheadMs(response.headers.get('date'), receivedAt) };
  const [issue] = error.issues;
  throw new Error(
    `it is no OpenID Connect discovery document, because ${issue?.path.join('.') || 'it'} ${issue?.message}`,
  );
}

/** Follows redirects within the origin. Another origin is not asked, because what it says would count as said by the provider. */
async function fetchWithinOrigin(url: string, signal: AbortSignal): Promise<Response> {
  let address = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await fetch(address, { signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (response.status < 300 || response.status > 399 || location === null) return response;
    await response.body?.cancel();
    const next = new URL(location, address);
    if (next.origin !== address.origin) {
      throw new Error(`it redirects to another origin, ${quote(next.origin)}: give the issuer that is there`);
    }
    address = next;
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
}

async function readJson({ body }: Response): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the download.
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    // The error of the parser quotes the text.
    throw new Error('it is not JSON');
  }
}

/** The header has whole seconds: on average half a second has passed. */
function aheadMs(date: string | null, receivedAt: number): number | undefined {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : time + 500 - receivedAt;
}
