import type { Image } from '../../../domain/image/image.ts';

/** The strong entity tag of an image's original bytes. */
export function etagOf(image: Image): string {
  return `"${image.sha256}"`;
}

/**
 * Whether `If-Match` lets a request on the representation with this tag go on: strong comparison, `*` matches anything
 * (RFC 9110, section 13.1.1). No header, no condition.
 */
export function ifMatchAllows(header: string, etag: string): boolean {
  if (header === '' || header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim() === etag);
}
