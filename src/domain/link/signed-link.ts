import type { BlobKey } from '../image/blob-key.ts';

/** What a link says, as it is spelled in the path. */
export interface Link {
  readonly id: number;
  /** See `linkedFileName`. */
  readonly fileName: string;
  /** Unix seconds. The link is good before. */
  readonly expiry: number;
}

/** Gives access to the file until it expires, without a token. */
export interface SignedLink extends Link {
  /** 43 characters of base64url. */
  readonly mac: string;
}

/**
 * What the MAC is made of. The UUID ties the link to its catalog: after a restore of an older backup another image may get
 * the same id.
 */
export function signedText({ id, fileName, expiry }: Link, uuid: BlobKey): string {
  return `image-catalog link 1\n${id}\n${uuid}\n${fileName}\n${expiry}`;
}

/** The path has no slash at its beginning. */
export function linkPath({ id, fileName, expiry, mac }: SignedLink): string {
  return `d/${id}/${fileName}/${expiry}/${mac}`;
}

/** The fields of a link as segments of a path. */
export type SegmentsOf<Signed> = { readonly [Field in keyof Signed]: string };

/** The four segments behind `/d/`. */
export type LinkSegments = SegmentsOf<SignedLink>;

const WHOLE_NUMBER = /^[1-9]\d{0,15}$/;
const MAC = /^[A-Za-z0-9_-]{43}$/;

/** `undefined` for a spelling that no link has. */
export function parseLink({ id, fileName, expiry, mac }: LinkSegments): SignedLink | undefined {
  if (!isId(id) || !isExpiry(expiry) || !isMac(mac)) return undefined;
  return { id: Number(id), fileName, expiry: Number(expiry), mac };
}

export function isId(text: string): boolean {
  return WHOLE_NUMBER.test(text) && Number.isSafeInteger(Number(text));
}

export function isExpiry(text: string): boolean {
  return WHOLE_NUMBER.test(text);
}

export function isMac(text: string): boolean {
  return MAC.test(text);
}
