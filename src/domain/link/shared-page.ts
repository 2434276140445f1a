import type { BlobKey } from '../image/blob-key.ts';
import type { Image } from '../image/image.ts';
import { isExpiry, isMac, type SegmentsOf } from './signed-link.ts';

export const MAX_PAGE_IMAGES = 100;

/** A page that shows images to people without a token. */
export interface SharedPage {
  readonly title: string | null;
  /** At most `MAX_PAGE_IMAGES`, in the order in which they are shown. */
  readonly images: readonly PageImage[];
}

interface PageImage {
  readonly id: number;
  /** See `markOf`. */
  readonly mark: string;
}

/**
 * The page as a segment of a path, in the digits of base64url: the length of an id, the number of images, mark and id of each, and
 * the code points of the title. With the rest of the path it has at most 2,000 characters.
 */
export function pagePayload(title: string | null, images: readonly Image[]): string {
  const idLength = Math.max(...images.map(({ id }) => digitsOf(id).length));
  const parts = images.map(({ id, uuid }) => markOf(uuid) + digitsOf(id, idLength));
  const characters = Array.from(title ?? '', (character) =>
    digitsOf(character.codePointAt(0) ?? 0, CODE_LENGTH),
  );
  return [digitsOf(idLength), digitsOf(images.length, COUNT_LENGTH), ...parts, ...characters].join('');
}

/** @param payload that `pagePayload` has made */
export function parsePagePayload(payload: string): SharedPage {
  const idLength = numberOf(payload.slice(0, 1));
  const begin = 1 + COUNT_LENGTH;
  const end = begin + numberOf(payload.slice(1, begin)) * (MARK_LENGTH + idLength);
  const parts = segmentsOf(payload.slice(begin, end), MARK_LENGTH + idLength);
  const codePoints = segmentsOf(payload.slice(end), CODE_LENGTH).map(numberOf);
  return {
    title: codePoints.length === 0 ? null : String.fromCodePoint(...codePoints),
    images: parts.map((part) => ({
      mark: part.slice(0, MARK_LENGTH),
      id: numberOf(part.slice(MARK_LENGTH)),
    })),
  };
}

/**
 * Ties an image to its catalog: after a restore of an older backup another image may get the same id. The first 36 random bits
 * of the UUID.
 */
export function markOf(uuid: BlobKey): string {
  return digitsOf(Number.parseInt(uuid.replaceAll('-', '').slice(0, 9), 16), MARK_LENGTH);
}

/** What the MAC is made of: another kind of URL has another label. */
export function signedPageText(payload: string, expiry: number): string {
  return `image-catalog page 1\n${payload}\n${expiry}`;
}

export interface SignedPage {
  readonly payload: string;
  /** Unix seconds. The page is good before. */
  readonly expiry: number;
  /** 43 characters of base64url. */
  readonly mac: string;
}

/** The path has no slash at its beginning. */
export function pagePath({ payload, expiry, mac }: SignedPage): string {
  return `s/${payload}/${expiry}/${mac}`;
}

/** The three segments of a path behind `/s/`. */
export type PageSegments = SegmentsOf<SignedPage>;

/** `undefined` for a spelling that no page has. */
export function parsePage({ payload, expiry, mac }: PageSegments): SignedPage | undefined {
  if (!PAYLOAD.test(payload) || !isExpiry(expiry) || !isMac(mac)) return undefined;
  return { payload, expiry: Number(expiry), mac };
}

const PAYLOAD = /^[A-Za-z0-9_-]{1,2000}$/;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const COUNT_LENGTH = 2;
const MARK_LENGTH = 6;
const CODE_LENGTH = 4;

function digitsOf(number: number, length = 1): string {
  const rest = Math.floor(number / DIGITS.length);
  const digit = DIGITS.charAt(number % DIGITS.length);
  return rest > 0 || length > 1 ? digitsOf(rest, length - 1) + digit : digit;
}

function numberOf(digits: string): number {
  return Array.from(digits).reduce((number, digit) => number * DIGITS.length + DIGITS.indexOf(digit), 0);
}

function segmentsOf(text: string, length: number): readonly string[] {
  return Array.from({ length: text.length / length }, (_, at) => text.slice(at * length, (at + 1) * length));
}
