interface PageSources {
  /** The public address of the web listener. */
  readonly webUrl: string;
  /** The public address of the API. */
  readonly apiUrl: string;
  readonly idp: { readonly issuer: string; readonly domain: string };
  /** Further origins of the identity provider, to which pages may send requests. */
  readonly connectOrigins: readonly string[];
}

/** Of the gallery: no page runs inline code, is shown in a frame, or calls another host than the service and the identity provider. */
export function pagePolicy({ webUrl, apiUrl, idp, connectOrigins }: PageSources): string {
  const connected = [...new Set([originOf(apiUrl), issuerOrigin(idp), ...connectOrigins])].join(' ');
  return policyOf(webUrl, {
    scripts: "'self'",
    styles: "'self'",
    connections: `'self' ${connected}`,
  });
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
function issuerOrigin({ issuer, domain }: PageSources['idp']): string {
  const hasOrigin = /^https?:/i.test(issuer) && URL.canParse(issuer);
  return originOf(hasOrigin ? issuer : domain);
}

function originOf(url: string): string {
  return new URL(url).origin;
}
