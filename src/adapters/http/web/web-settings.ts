import { createHash } from 'node:crypto';
import { formatOf, type MediaType } from '../../../domain/image/media-type.ts';
import type { Rendition } from '../../../domain/image/rendition.ts';
import type { Scopes } from '../route/operation.ts';

/** What the pages need to know of the service. */
export interface WebSettings {
  /** The public addresses, with a slash at their ends. */
  readonly apiUrl: string;
  readonly webUrl: string;
  /** The issuer of the identity provider. */
  readonly issuer: string;
  /** The address of the provider, if the issuer is not a URL. */
  readonly idpDomain: string;
  /** The client of the gallery at the identity provider; `undefined` if there is none. */
  readonly clientId: string | undefined;
  readonly audience: string;
  readonly scope: string;
  /** IANA name: in which the catalog counts days and months. */
  readonly timeZone: string;
  /** A file of exactly this many bytes passes. */
  readonly uploadMaxBytes: number;
  /** What uploads may be. */
  readonly acceptedTypes: readonly MediaType[];
  readonly readOnly: boolean;
  /** Scopes that the API requires. */
  readonly scopes: Scopes;
  /** 0: deleted images are gone at once. */
  readonly trashDays: number;
  /** Made of each upload: each has a width. */
  readonly prerendered: readonly Rendition[];
}

/** `/config.json`. */
export function publicSettings(settings: WebSettings): object {
  const { apiUrl, issuer, clientId, audience, scope, timeZone, uploadMaxBytes, readOnly } = settings;
  const { scopes, trashDays, prerendered } = settings;
  return {
    apiUrl,
    issuer,
    clientId: clientId ?? null,
    audience,
    scope,
    timeZone,
    uploadMaxBytes,
    inputFormats: settings.acceptedTypes.map(formatOf),
    readOnly,
    scopes: { read: scopes.read ?? null, write: scopes.write ?? null, delete: scopes.delete ?? null },
    trashDays,
    prerender: prerendered.map(({ width, format }) => `${width}:${format}`),
  };
}

export interface PagePolicy {
  readonly headers: Readonly<Record<string, string>>;
  /** Differs if the policy differs. A cache that keeps the page renews the policy with it. */
  readonly tagSuffix: string;
}

/** No page runs inline code, is shown in a frame, or calls another host than the service and the identity provider. */
export function pagePolicy(settings: WebSettings): PagePolicy {
  const connected = [...new Set([originOf(settings.apiUrl), issuerOrigin(settings)])].join(' ');
  const policy = policyOf(settings.webUrl, {
    scripts: "'self'",
    styles: "'self'",
    connections: `'self' ${connected}`,
  });
  return {
    headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
    tagSuffix: `-${createHash('sha256').update(policy).digest('hex').slice(0, 16)}`,
  };
}

/** @param styleSource of its one style element */
export function scriptlessPolicy(webUrl: string, styleSource: string): string {
  return policyOf(webUrl, { styles: styleSource });
}

interface PolicySources {
  readonly scripts?: string;
  readonly styles: string;
  readonly connections?: string;
}

function policyOf(webUrl: string, { scripts, styles, connections }: PolicySources): string {
  const directives = [
    "default-src 'none'",
    scripts && `script-src ${scripts}`,
    `style-src ${styles}`,
    "font-src 'self'",
    `img-src 'self' blob: data: ${originOf(webUrl)}`,
    connections && `connect-src ${connections}`,
    "form-action 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return directives.filter((directive) => directive !== undefined).join('; ');
}

/** The claim `iss` may be any text, and URLs such as `urn:example` have no origin. */
function issuerOrigin({ issuer, idpDomain }: WebSettings): string {
  const hasOrigin = /^https?:/i.test(issuer) && URL.canParse(issuer);
  return originOf(hasOrigin ? issuer : idpDomain);
}

function originOf(url: string): string {
  return new URL(url).origin;
}
