import type { ImageRecord, NamedImage } from './image-record.ts';
import type { Rendition } from './queries.ts';
import { candidatesOf } from './srcset.ts';

/** Widths that a service offers unless `RENDITION_SIZES` says otherwise, in pixels. */
const WIDTHS: readonly number[] = [
  16, 32, 48, 64, 96, 128, 256, 320, 384, 480, 640, 750, 828, 1080, 1200, 1920, 2048, 3840,
];

/** Without any of these, the original without metadata. */
export interface PublicRendition {
  readonly format?: Rendition['format'] | undefined;
  /** Pixels. The next larger width that the service offers is taken, or the largest. */
  readonly width?: number;
  /** What the service offers, ascending; needed only if it sets `RENDITION_SIZES`. */
  readonly widths?: readonly number[];
}

type PublicName = Pick<NamedImage, 'url'>;

/** An address for `<img>`, pages and mail, which needs no token; `undefined` if the name has no public address. */
export function publicUrl(
  { url }: PublicName,
  { width, widths = WIDTHS, format }: PublicRendition = {},
): string | undefined {
  if (url === null) return undefined;
  const search = new URLSearchParams();
  if (width !== undefined) {
    const offered = widths.find((candidate) => candidate >= width) ?? widths.at(-1);
    search.set('width', String(offered));
  }
  if (format !== undefined) search.set('format', format);
  return search.size === 0 ? url : `${url}?${search}`;
}

/** For `<img srcset>`: all widths that make sense for the picture; `undefined` if the name has no public address. */
export function publicSrcset(
  name: PublicName,
  record: ImageRecord,
  { format }: Pick<PublicRendition, 'format'> = {},
): string | undefined {
  if (name.url === null) return undefined;
  const { widths } = record.links.renditions;
  const candidates = candidatesOf(record).map(
    ({ width, shownWidth }) => `${publicUrl(name, { width, widths, format })} ${shownWidth}w`,
  );
  return candidates.join(', ');
}
