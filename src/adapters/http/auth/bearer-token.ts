import { type KeyObject, verify } from 'node:crypto';
import * as z from 'zod';
import { jsonObject } from '../request/parse-json.ts';
import type { Claims } from './claims.ts';

/** RFC 9110, section 11.1. Several spaces and tabs are tolerated. */
const BEARER = /^bearer(?:[ \t]+(.*))?$/i;

/** The compact form of RFC 7515, section 7.1. */
const JWS = /^([\w-]+)\.([\w-]+)\.[\w-]+$/;

type Header = Readonly<Record<string, unknown>>;

/** `undefined` if the header has none. */
export function bearerToken(header: string): string | undefined {
  return BEARER.exec(header.trim())?.[1] || undefined;
}

/** `undefined` unless it has the form of a signed JWT with an expiry. The signature is not checked. */
export function decodeToken(token: string): { readonly header: Header; readonly claims: Claims } | undefined {
  const [header, claims] = (JWS.exec(token)?.slice(1) ?? []).map(decodePart);
  // RFC 7515, section 4.1.11; RFC 7797. jsonwebtoken 9 ignores critical extensions (auth0/node-jsonwebtoken#1032).
  if (header === undefined || 'crit' in header || 'b64' in header) return undefined;
  // A token must expire (RFC 9068, section 2.2). A JSON number such as 1e400 is infinite.
  const { exp, nbf = 0 } = claims ?? {};
  return Number.isFinite(exp) && typeof nbf === 'number' ? { header, claims: claims as Claims } : undefined;
}

function decodePart(part: string): Header | undefined {
  if (part.length % 4 === 1) return undefined;
  try {
    return jsonObject(Buffer.from(part, 'base64url'), 'A part of the token') as Header;
  } catch {
    return undefined;
  }
}

/** The header of a token that a published key may verify. */
const VERIFIABLE = z.object({ alg: z.literal('RS256'), kid: z.string().min(1).max(256).nullish() });

/** The `kid` of the key that has signed the token, if it names one. `undefined` if no published key can verify the token. */
export function signerIn(header: Header): { readonly kid: string | undefined } | undefined {
  const { success, data } = VERIFIABLE.safeParse(header);
  return success ? { kid: data.kid ?? undefined } : undefined;
}

/** RFC 7518, section 3.3. */
export function isSignedBy(token: string, key: KeyObject): boolean {
  const end = token.lastIndexOf('.');
  const signature = Buffer.from(token.slice(end + 1), 'base64url');
  return verify('RSA-SHA256', Buffer.from(token.slice(0, end)), key, signature);
}
