/** RFC 9110, section 11.1. Several spaces and tabs are tolerated. */
const BEARER = /^bearer(?:[ \t]+(.*))?$/i;

const BASE64URL = /^[\w-]+$/;

/** `undefined` if the header has none. */
export function bearerToken(header: string): string | undefined {
  return BEARER.exec(header.trim())?.[1] || undefined;
}

/** Checks the form of a signed JWT with an expiry, not its signature. */
export function isWellFormed(token: string): boolean {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every((part) => BASE64URL.test(part))) return false;
  const [header, payload] = parts.map(jsonObject);
  return header !== undefined && payload !== undefined && hasNoExtensions(header) && hasTimes(payload);
}

/**
 * RFC 7515, section 4.1.11; RFC 7797 for `b64`. jsonwebtoken 9 ignores critical extensions (auth0/node-jsonwebtoken#1032).
 */
function hasNoExtensions(header: Record<string, unknown>): boolean {
  return !Object.hasOwn(header, 'crit') && !Object.hasOwn(header, 'b64');
}

/** A JSON number such as 1e400 is infinite. A token must expire (RFC 9068, section 2.2). */
function hasTimes({ exp, nbf }: Record<string, unknown>): boolean {
  return Number.isFinite(exp) && (nbf === undefined || typeof nbf === 'number');
}

/** Strict UTF-8: RFC 8725, section 3.7. */
function jsonObject(part: string): Record<string, unknown> | undefined {
  if (part.length % 4 === 1) return undefined;
  try {
    const value: unknown = JSON.parse(strictUtf8(Buffer.from(part, 'base64url')));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps a byte order mark, which `JSON.parse` refuses: jsonwebtoken would fail on it. */
function strictUtf8(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
