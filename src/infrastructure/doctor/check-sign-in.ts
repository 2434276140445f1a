import { type Findings, ok, problem, quote } from './check-result.ts';
import type { Discovered } from './provider-facts.ts';

export interface SignInSettings {
  /** Expected `iss`, below which the gallery looks for the discovery document. */
  readonly issuer: string;
  /** The origins of other hosts that the Content-Security-Policy of the gallery allows. */
  readonly connectOrigins: readonly string[];
}

/** Whether the page of the gallery reaches what it needs to sign in. */
export function* checkSignIn({ discovery, discoveryUrl }: Discovered, settings: SignInSettings): Findings {
  if ('failure' in discovery) {
    yield problem(
      `The gallery cannot sign in, because it needs the discovery document of IDP_ISSUER: ${discoveryUrl} cannot be read (${discovery.failure})`,
      'let the provider issue access tokens with an issuer that has one, or unset WEB_CLIENT_ID',
    );
    return;
  }
  const { token_endpoint: endpoint } = discovery.value;
  if (endpoint === undefined) {
    yield problem(
      'The gallery cannot sign in, because the discovery document names no token endpoint',
      'unset WEB_CLIENT_ID: this provider has no sign-in with a code and PKCE',
    );
    return;
  }
  const { origin } = new URL(endpoint);
  const { issuer, connectOrigins } = settings;
  if ([new URL(issuer).origin, ...connectOrigins].includes(origin)) {
    yield ok(`The gallery may connect to the token endpoint at ${quote(origin)}`);
    return;
  }
  yield problem(
    `The gallery cannot sign in, because its Content-Security-Policy does not allow the token endpoint at ${quote(origin)}`,
    `WEB_CONNECT_ORIGINS=${[...connectOrigins, origin].join(' ')}`,
  );
}
