import type { IncomingMessage } from 'node:http';
import * as z from 'zod';
import { fetchJwks, type JwkSet } from '../../adapters/http/auth/fetch-jwks.ts';
import { readBody } from '../../adapters/http/outgoing/read-body.ts';
import { responseTo } from '../../adapters/http/outgoing/response-to.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import { plainUrl, secureUrl } from '../config/variable-types.ts';
import { messageOf, quote } from './check-result.ts';
import { withSlash } from './with-slash.ts';

const DEADLINE_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const MAX_REDIRECTS = 5;
const HEADERS = { accept: 'application/json', 'user-agent': 'image-catalog' };

/** What the multi-tenant addresses of Entra name as their issuer: it has `{tenantid}` in place of a tenant. */
const PLACEHOLDER = /\{\w+\}/g;

/**
 * OpenID Connect Discovery 1.0, section 3. Its addresses go into `.env` and into the advice of `doctor`, so they must be https
 * URLs (http for loopback hosts) without characters that would end a line or a value.
 */
const discoverySchema = z.object({
  issuer: secureUrl.refine(
    (text) => plainUrl.safeParse(text.replaceAll(PLACEHOLDER, 'tenant')).success,
    'must be a URL without spaces, control characters, quotes, backslashes, dollar signs and fragments',
  ),
  jwks_uri: secureUrl.pipe(plainUrl),
  /** Firebase has none. */
  token_endpoint: secureUrl.pipe(plainUrl).optional().catch(undefined),
  /** Of ADFS: `iss` of access tokens, an http address that leads nowhere. */
  access_token_issuer: plainUrl.optional().catch(undefined),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
});

export interface Discovery extends z.output<typeof discoverySchema> {
  /** Clock of the provider minus clock of this machine in ms; `undefined` if it sends none. */
  readonly clockAheadMs: number | undefined;
}

/** A value, or why there is none. */
type Fetched<T> = { readonly value: T } | { readonly failure: string };

/** A discovery document, and where it is. */
export interface Discovered {
  readonly discoveryUrl: string;
  readonly discovery: Fetched<Discovery>;
}

/** What the identity provider says about itself. */
export interface ProviderFacts extends Discovered {
  readonly jwks: Fetched<JwkSet>;
  /** What the gallery reads: the document of `IDP_ISSUER`. */
  readonly signIn: Discovered;
}

/** Whether the issuer stands for many tenants, none of which it names. */
export function hasPlaceholder(issuer: string): boolean {
  return issuer.search(PLACEHOLDER) !== -1;
}

/** @param idp its domain ends with a slash */
export async function fetchProviderFacts(
  { domain, issuer, jwksUri }: Readonly<Record<'domain' | 'issuer' | 'jwksUri', string>>,
  clock: Clock,
): Promise<ProviderFacts> {
  const [discovered, jwks, ofIssuer] = await Promise.all([
    discoverProvider(domain, clock),
    fetchFact(() => fetchJwks(jwksUri, DEADLINE_MS)),
    withSlash(issuer) === domain ? undefined : discoverProvider(withSlash(issuer), clock),
  ]);
  return { ...discovered, jwks, signIn: ofIssuer ?? discovered };
}

/** @param domain ends with a slash */
export async function discoverProvider(domain: string, clock: Clock): Promise<Discovered> {
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
  if (!secureUrl.safeParse(url).success) throw new Error('it is no https address');
  const response = await fetchWithinOrigin(url, AbortSignal.timeout(DEADLINE_MS));
  const receivedAt = clock.now().getTime();
  if (response.statusCode !== 200) {
    response.destroy();
    throw new Error(`it responds with ${response.statusCode}`);
  }
  const { success, data, error } = discoverySchema.safeParse(await readJson(response));
  if (success) return { ...data, clockAheadMs: aheadMs(response.headers.date, receivedAt) };
  const [issue] = error.issues;
  throw new Error(
    `it is no OpenID Connect discovery document, because ${issue?.path.join('.') || 'it'} ${issue?.message}`,
  );
}

/** Follows redirects within the origin. Another origin is not asked, because what it says would count as said by the provider. */
async function fetchWithinOrigin(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  let address = new URL(url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await responseTo(address.href, { signal, headers: HEADERS }, (request) => request.end());
    const { statusCode = 0, headers } = response;
    if (statusCode < 300 || statusCode > 399 || headers.location === undefined) return response;
    response.destroy();
    const next = new URL(headers.location, address);
    if (next.origin !== address.origin) {
      throw new Error(`it redirects to another origin, ${quote(next.origin)}: give the issuer that is there`);
    }
    address = next;
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  const bytes = await readBody(response, MAX_BYTES);
  try {
    return JSON.parse(bytes.toString());
  } catch {
    // The error of the parser quotes the text.
    throw new Error('it is not JSON');
  }
}

/** The header has whole seconds: on average half a second has passed. */
function aheadMs(date: string | undefined, receivedAt: number): number | undefined {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? undefined : time + 500 - receivedAt;
}
