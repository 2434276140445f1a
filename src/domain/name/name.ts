declare const kind: unique symbol;

/** An address that stays while the picture behind it changes. */
export type Name = string & { readonly [kind]: 'name' };

/** Characters of a name. */
export const NAME_PREFIX = /^[A-Za-z0-9._-]{1,128}$/;
export const NAME_PATTERN = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;
/** The pattern in words. */
export const NAME_RULE = '1 to 128 of A-Z a-z 0-9 . _ -, not beginning with a dot';

export function parseName(text: string): Name | undefined {
  return NAME_PATTERN.test(text) ? (text as Name) : undefined;
}

/** The most that a request gives to an image. */
export const MAX_NAMES_OF_IMAGE = 100;

/** Put behind a text, it sorts behind all names that begin with this text. */
export const AFTER_ALL = '\u007f';

/** Where a name points to. */
export interface NamedImage {
  readonly name: Name;
  /** The catalog never reuses it. It is kept by a name that is removed and set again before it is forgotten. */
  readonly number: number;
  /** Random, as the mark of a change: after a restore of an older backup the number may be given to another name. */
  readonly mark: number;
  readonly imageId: number;
  /** Whether it has a public address, which shows the image to everyone while the service publishes names. */
  readonly isPublic: boolean;
  /** Rises with every change, also over a removal. That of a new name begins above those of all names that were forgotten. */
  readonly version: number;
  readonly updatedAt: Date;
}

/**
 * Whether a name has the version that its client expects.
 *
 * @param version `undefined` if the name is not there
 */
export type NameCondition = (version: number | undefined) => boolean;
