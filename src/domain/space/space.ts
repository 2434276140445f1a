declare const kind: unique symbol;

/** Who owns images: each space is a catalog of its own. Compared by code points. */
export type Space = string & { readonly [kind]: 'space' };

/** That of all tokens if no claim names a space. */
export const COMMON_SPACE = '' as Space;

const MAX_LENGTH = 255;
const FORBIDDEN = /[\p{Cc}\p{Cs}]/u;

/** `undefined` if no token can have this space. */
export function parseSpace(value: unknown): Space | undefined {
  if (typeof value !== 'string' || value === '' || FORBIDDEN.test(value)) return undefined;
  return Array.from(value).length <= MAX_LENGTH ? (value as Space) : undefined;
}

/** Images and their originals. */
export interface Amount {
  readonly images: number;
  /** The bytes of the originals. */
  readonly bytes: number;
}

/** Null: there is no limit. */
export type Limits = { readonly [Name in keyof Amount]: number | null };

export const NOTHING: Amount = { images: 0, bytes: 0 };
export const NO_LIMITS: Limits = { images: null, bytes: null };

export interface Usage extends Amount {
  readonly trashed: Amount;
  /** The limits that hold for the space. */
  readonly limits: Limits;
}
