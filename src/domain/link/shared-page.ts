import type { BlobKey } from '../image/blob-key.ts';
import type { Image } from '../image/image.ts';
import { isExpiry, isMac } from './signed-link.ts';

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
 * The page as a segment of a path: the title, and mark and id of each image, of `A-Z a-z 0-9 _ -` alone. With the rest of the
 * path it has at most 2,000 characters for all ids below two thousand million.
 */
export function pagePayload(title: string | null, images: readonly Image[]): string {
  const parts = images.map(({ id, uuid }) => SEPARATOR + markOf(uuid) + id.toString(BASE));
  return escaped(title ?? '') + parts.join('');
}

/** @param payload that `pagePayload` has made */
export function parsePagePayload(payload: string): SharedPage {
  const [title = '', ...parts] = payload.split(SEPARATOR);
  return {
    title: title === '' ? null : unescaped(title),
    images: parts.map((part) => ({
      mark: part.slice(0, MARK_LENGTH),
      id: Number.parseInt(part.slice(MARK_LENGTH), BASE),
    })),
  };
}

/**
 * Ties an image to its catalog: after a restore of an older backup another image may get the same id. The first 36 random bits
 * of the UUID.
 */
export function markOf(uuid: BlobKey): string {
  const bits = Number.parseInt(uuid.replaceAll('-', '').slice(0, 9), 16);
  return bits.toString(BASE).padStart(MARK_LENGTH, '0');
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

/** Without a slash at its begin. */
export function pagePath({ payload, expiry, mac }: SignedPage): string {
  return `s/${payload}/${expiry}/${mac}`;
}

/** The three segments of a path behind `/s/`. */
export interface PageSegments {
  readonly payload: string;
  readonly expiry: string;
  readonly mac: string;
}

/** `undefined` for a spelling that no page has. */
export function parsePage({ payload, expiry, mac }: PageSegments): SignedPage | undefined {
  if (!PAYLOAD.test(payload) || !isExpiry(expiry) || !isMac(mac)) return undefined;
  return { payload, expiry: Number(expiry), mac };
}

const PAYLOAD = /^[A-Za-z0-9_-]{1,2000}$/;
const BASE = 36;
const SEPARATOR = '_';
const MARK_LENGTH = 7;
const CODE_LENGTH = 4;

function escaped(title: string): string {
  return title.replace(
    /[^A-Za-z0-9]/gu,
    (character) => `-${Number(character.codePointAt(0)).toString(BASE).padStart(CODE_LENGTH, '0')}`,
  );
}

function unescaped(text: string): string {
  return text.replace(/-([0-9a-z]{4})/g, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, BASE)),
  );
}
