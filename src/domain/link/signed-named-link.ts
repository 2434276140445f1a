import { type Name, parseName } from '../name/name.ts';
import { isExpiry, isId, isMac, type SegmentsOf } from './signed-link.ts';

/** Gives access to a file of the image that a name points to. */
interface NamedLink {
  /** The number of the name. */
  readonly number: number;
  readonly name: Name;
  /** See `linkedFileName`. */
  readonly fileName: string;
  /** Unix seconds. The link is good before. */
  readonly expiry: number;
  /** The mark of the name: after a restore of an older backup the same name of another space may get the same number. */
  readonly mark: number;
}

export interface SignedNamedLink extends NamedLink {
  /** 43 characters of base64url. */
  readonly mac: string;
}

/** What the MAC is made of: another kind of URL has another label. All of it is in the URL, so that it is checked without the name. */
export function signedNameText({ number, mark, name, fileName, expiry }: NamedLink): string {
  return `image-catalog name 1\n${number}\n${mark}\n${name}\n${fileName}\n${expiry}`;
}

/** The path has no slash at its beginning. */
export function namedLinkPath({ number, name, fileName, expiry, mark, mac }: SignedNamedLink): string {
  return `n/${number}/${name}/${fileName}/${expiry}/${mark.toString(16).padStart(MARK_DIGITS, '0')}${mac}`;
}

/** Hexadecimal: a mark has 48 bits. */
const MARK_DIGITS = 12;
const MARK = /^[0-9a-f]{12}/;

/** The five segments of a path behind `/n/`. The mark is in front of the MAC. */
export type NamedLinkSegments = Omit<SegmentsOf<SignedNamedLink>, 'mark'>;

/** `undefined` for a spelling that no link has. */
export function parseNamedLink(segments: NamedLinkSegments): SignedNamedLink | undefined {
  const { number, fileName, expiry } = segments;
  const name = parseName(segments.name);
  const [mark] = MARK.exec(segments.mac) ?? [];
  const mac = segments.mac.slice(MARK_DIGITS);
  if (name === undefined || mark === undefined || !isId(number) || !isExpiry(expiry) || !isMac(mac)) {
    return undefined;
  }
  const facts = { number: Number(number), expiry: Number(expiry), mark: Number.parseInt(mark, 16) };
  return { ...facts, name, fileName, mac };
}
