import * as z from 'zod';
import { fetchJwks, type JwkSet } from '../../adapters/http/auth/fetch-jwks.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import { messageOf } from './check-result.ts';

const DEADLINE_MS = 5_000;

/** OpenID Connect Discovery 1.0, section 3. */
const discoverySchema = z.object({
  issuer: z.string(),
  jwks_uri: z.string(),
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
  const discoveryUrl = `${domain}.well-known/openid-configuration`;
  const [discovery, jwks] = await Promise.all([
    fetchFact(() => fetchDiscovery(discoveryUrl, clock)),
    fetchFact(() => fetchJwks(jwksUri, DEADLINE_MS)),
  ]);
  return { discoveryUrl, discovery, jwks };
}

async function fetchFact<T>(fetching: () => Promise<T>): Promise<Fetched<T>> {
  try {
    return { value: await fetching() };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

async function fetchDiscovery(url: string, clock: Clock): Promise<Discovery> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS), redirect: 'follow' });
  const receivedAt = clock.now().getTime();
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new Error(`it responds with ${response.status}`);
  }
  const document = discoverySchema.safeParse(await response.json());
  if (!document.success) throw new Error('it is no OpenID Connect discovery document');
  return { ...document.data, clockAheadMs: aheadMs(response.headers.get('date'), receivedAt) };
}

/** The header has whole seconds: on average half a second has passed. */
function aheadMs(date: string | null, receivedAt: number): number | undefined {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : time + 500 - receivedAt;
}
