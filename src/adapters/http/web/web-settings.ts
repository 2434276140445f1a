import { createHash } from 'node:crypto';

/** What the pages need to know of the service. */
export interface WebSettings {
  /** The public addresses, with a slash at their ends. */
  readonly apiUrl: string;
  readonly webUrl: string;
  /** Of the identity provider. */
  readonly issuer: string;
  /** The address of the provider, if the issuer is not a URL. */
  readonly idpDomain: string;
  /** Of the gallery at the identity provider; `undefined` if there is none. */
  readonly clientId: string | undefined;
  readonly audience: string;
  readonly scope: string;
}

/** `/config.json`. */
export function publicSettings({ apiUrl, issuer, clientId, audience, scope }: WebSettings): object {
  return { apiUrl, issuer, clientId: clientId ?? null, audience, scope };
}

export interface PagePolicy {
  readonly headers: Readonly<Record<string, string>>;
  /** Differs if the policy differs. A cache that keeps the page renews the policy with it. */
  readonly tagSuffix: string;
}

/** No page runs inline code, is shown in a frame, or calls another host than the service and the identity provider. */
export function pagePolicy(settings: WebSettings): PagePolicy {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' blob: data: ${originOf(settings.webUrl)}`,
    `connect-src 'self' ${[...new Set([originOf(settings.apiUrl), issuerOrigin(settings)])].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
    tagSuffix: `-${createHash('sha256').update(policy).digest('hex').slice(0, 16)}`,
  };
}

/** The claim `iss` may be any text, and URLs such as `urn:example` have no origin. */
function issuerOrigin({ issuer, idpDomain }: WebSettings): string {
  const hasOrigin = /^https?:/i.test(issuer) && URL.canParse(issuer);
  return originOf(hasOrigin ? issuer : idpDomain);
}

function originOf(url: string): string {
  return new URL(url).origin;
}
