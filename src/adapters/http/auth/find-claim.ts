import type { Claims } from './claims.ts';

/** The value of a claim, or the part of the name at which the search ended. */
export type FoundClaim = { readonly value: unknown } | { readonly missing: string };

/**
 * Finds the claim that `SPACE_CLAIM` names.
 *
 * @param name of a claim, or a JSON Pointer (RFC 6901) if it begins with a slash. `missing` is then the pointer to the first member that
 * is not there.
 */
export function findClaim(claims: Claims, name: string): FoundClaim {
  if (!name.startsWith('/')) return hasMember(claims, name) ? { value: claims[name] } : { missing: name };
  const names = name.split('/').slice(1);
  let value: unknown = claims;
  for (const [index, escaped] of names.entries()) {
    const member = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!hasMember(value, member)) return { missing: `/${names.slice(0, index + 1).join('/')}` };
    value = value[member];
  }
  return { value };
}

/** RFC 6901, section 4: an index has no leading zero. Inherited members such as `constructor` are not part of a token. */
const INDEX = /^(?:0|[1-9]\d*)$/;

function hasMember(value: unknown, name: string): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return !Array.isArray(value) || INDEX.test(name);
}
