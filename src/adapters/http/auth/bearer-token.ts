import type { Claims } from './claims.ts';

/** RFC 9110, section 11.1. Several spaces and tabs are tolerated. */
const BEARER = /^bearer(?:[ \t]+(.*))?$/i;

const BASE64URL = /^[\w-]+$/;

/** Strict: RFC 8725, section 3.7. Keeps a byte order mark, which `JSON.parse` refuses: jsonwebtoken would fail on it. */
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

type Json = Readonly<Record<string, unknown>>;

/** `undefined` if the header has none. */
export function bearerToken(header: string): string | undefined {
  return BEARER.exec(header.trim())?.[1] || undefined;
}

/** `undefined` unless it has the form of a signed JWT with an expiry. The signature is not checked. */
export function decodeToken(token: string): { readonly header: Json; readonly claims: Claims } | undefined {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part))) return undefined;
  const [header, claims] = parts.slice(0, 2).map(jsonObject);
  if (header === undefined || claims === undefined) return undefined;
  // RFC 7515, section 4.1.11; RFC 7797. jsonwebtoken 9 ignores critical extensions (auth0/node-jsonwebtoken#1032).
  if (header['crit'] !== undefined || header['b64'] !== undefined) return undefined;
  // A token must expire (RFC 9068, section 2.2). A JSON number such as 1e400 is infinite.
  const { exp, nbf = 0 } = claims;
  return Number.isFinite(exp) && typeof nbf === 'number' ? { header, claims: claims as Claims } : undefined;
}

function jsonObject(part: string): Json | undefined {
  if (part.length % 4 === 1) return undefined;
  try {
    const value: unknown = JSON.parse(UTF_8.decode(Buffer.from(part, 'base64url')));
    return typeof value === 'object' && !Array.isArray(value)
      ? ((value as Json | null) ?? undefined)
      : undefined;
  } catch {
    return undefined;
  }
}
