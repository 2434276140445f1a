import type { Context } from 'koa';
import { ImageChanged } from '../../../domain/errors.ts';
import type { Image } from '../../../domain/image/image.ts';
import { hasSpaceHeader } from './space-header.ts';

export interface Validators {
  /** Strong: representations with the same tag have the same bytes. */
  readonly etag: string;
  /** `undefined`: conditions with a time are ignored (RFC 9110, section 13.1.3). */
  readonly lastModified: Date | undefined;
}

const CODING_SUFFIX = /(?:--gzip|;gzip|-gzip|-br|-zstd)"$/;

export function etagOf(image: Image): string {
  return `"${image.sha256}"`;
}

/** Strong comparison, `*` matches any tag (RFC 9110, section 13.1.1). Holds if '' is sent. */
export function matches(ifMatch: string, etag: string): boolean {
  if (ifMatch === '' || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((candidate) => candidate.trim() === etag);
}

/**
 * As `matches`, for tags of JSON. A proxy that compresses JSON alters its tag, and the client sends the altered one back: nginx
 * makes it weak, Apache and Jetty append the name of the coding. The tag still names one version of the resource. Tags of bytes
 * are compared with `matches`, because ranges of altered bytes must not be combined.
 */
export function matchesJson(ifMatch: string, etag: string): boolean {
  return matches(withoutCodings(ifMatch), etag);
}

/**
 * RFC 9110, section 13.2.2: `If-Unmodified-Since` counts only without `If-Match`.
 *
 * @throws {ImageChanged}
 */
export function checkPreconditions(ctx: Context, { etag, lastModified }: Validators): void {
  const ifMatch = ctx.get('If-Match');
  const holds =
    ifMatch === ''
      ? !(wholeSeconds(lastModified) > Date.parse(ctx.get('If-Unmodified-Since')))
      : matches(ifMatch, etag);
  if (!holds) throw new ImageChanged();
}

/** `ctx.fresh` is not used: it requires both conditions if both are sent. */
export function isNotModified(ctx: Context, { etag, lastModified }: Validators): boolean {
  const ifNoneMatch = ctx.get('If-None-Match').trim();
  if (ifNoneMatch === '') return wholeSeconds(lastModified) <= Date.parse(ctx.get('If-Modified-Since'));
  return hasTag(ifNoneMatch, etag);
}

/** Weak comparison (RFC 9110, section 13.1.2). `false` if '' is sent. */
export function hasTag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/**
 * Whether JSON is answered with 304. With the header `Space` it never is, because a cache may hold the response of another space.
 */
export function isJsonNotModified(ctx: Context, etag: string): boolean {
  return !hasSpaceHeader(ctx) && hasJsonTag(ctx.get('If-None-Match'), etag);
}

/** As `hasTag`, for tags of JSON: see `matchesJson`. */
export function hasJsonTag(ifNoneMatch: string, etag: string): boolean {
  return hasTag(withoutCodings(ifNoneMatch), etag);
}

function withoutCodings(tags: string): string {
  return tags
    .split(',')
    .map((tag) =>
      tag
        .trim()
        .replace(/^W\/(?=")/, '')
        .replace(CODING_SUFFIX, '"'),
    )
    .join();
}

/** RFC 9110, section 13.1.5. */
export function ifRangeHolds(ctx: Context, { etag, lastModified }: Validators): boolean {
  const header = ctx.get('If-Range');
  return header === '' || header === etag || Date.parse(header) === wholeSeconds(lastModified);
}

/** HTTP dates have whole seconds. Without a time it is NaN, which is neither before, at nor after any time. */
function wholeSeconds(time: Date | undefined): number {
  return Math.floor((time?.getTime() ?? Number.NaN) / 1000) * 1000;
}
