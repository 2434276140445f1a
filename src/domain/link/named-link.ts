import { type Name, parseName } from '../name/name.ts';
import { isExpiry, isId, isMac } from './signed-link.ts';

/** Gives access to a file of the image that a name points to. */
interface NamedLink {
  /** Of the name. */
  readonly number: number;
  readonly name: Name;
  /** See `linkedFileName`. */
  readonly fileName: string;
  /** Unix seconds. The link is good before. */
  readonly expiry: number;
}

export interface SignedNamedLink extends NamedLink {
  /** 43 characters of base64url. */
  readonly mac: string;
}

/**
 * What the MAC is made of: another kind of URL has another label.
 *
 * @param mark of the name. After a restore of an older backup the same name of another space may get the same number.
 */
export function signedNameText({ number, name, fileName, expiry }: NamedLink, mark: number): string {
  return `image-catalog name 1\n${number}\n${mark}\n${name}\n${fileName}\n${expiry}`;
}

/** Without a slash at its begin. */
export function namedLinkPath({ number, name, fileName, expiry, mac }: SignedNamedLink): string {
  return `n/${number}/${name}/${fileName}/${expiry}/${mac}`;
}

/** The five segments of a path behind `/n/`. */
export interface NamedLinkSegments {
  readonly number: string;
  readonly name: string;
  readonly fileName: string;
  readonly expiry: string;
  readonly mac: string;
}

/** `undefined` for a spelling that no link has. */
export function parseNamedLink(segments: NamedLinkSegments): SignedNamedLink | undefined {
  const { number, fileName, expiry, mac } = segments;
  const name = parseName(segments.name);
  if (name === undefined || !isId(number) || !isExpiry(expiry) || !isMac(mac)) return undefined;
  return { number: Number(number), name, fileName, expiry: Number(expiry), mac };
}
