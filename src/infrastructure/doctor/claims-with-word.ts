import { type Claims, hasWord } from '../../adapters/http/auth/claims.ts';

/** Deep enough for `/resource_access/<client>/roles` of Keycloak. */
const MAX_DEPTH = 4;

/** The claims that have the word, whether they count or not: names, and JSON Pointers to members of objects. */
export function* claimsWithWord(claims: Claims, word: string): Generator<string, void, undefined> {
  for (const [name, value] of Object.entries(claims)) {
    if (hasWord(value, word)) yield name;
    for (const rest of pointersToWord(value, word, MAX_DEPTH - 1)) yield `/${escapeName(name)}${rest}`;
  }
}

function* pointersToWord(value: unknown, word: string, depth: number): Generator<string, void, undefined> {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value) as ReadonlyArray<[string, unknown]>) {
    const pointer = `/${escapeName(name)}`;
    if (hasWord(member, word)) yield pointer;
    for (const rest of pointersToWord(member, word, depth - 1)) yield `${pointer}${rest}`;
  }
}

/** RFC 6901, section 3. */
function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
