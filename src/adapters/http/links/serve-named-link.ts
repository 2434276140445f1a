import type { Context, Middleware } from 'koa';
import type { OpenedNamedLink, OpenNamedLink } from '../../../application/links/open-named-link.ts';
import { focusedOn } from '../../../domain/image/rendition.ts';
import type { NamedLinkSegments } from '../../../domain/link/named-link.ts';
import { requireFit } from '../bytes/rendition-query.ts';
import { serveCurrentImage } from '../bytes/serve-current-image.ts';
import { type ImageFiles, serveImageFile } from '../bytes/serve-image-file.ts';
import { type CacheTags, imageTag, nameTag } from './cache-tags.ts';
import { LINK_SUBJECT, linkSegments } from './serve-link.ts';

export interface NamedLinkOptions {
  readonly openNamedLink: OpenNamedLink;
  readonly files: ImageFiles;
  readonly tags: CacheTags;
}

/** For paths of the form `/n/<number>/<name>/<rendition>/<expiry>/<mac>`: see `serveLink`. */
export function serveNamedLink(options: NamedLinkOptions): Middleware {
  return async (ctx) => {
    const segments = segmentsOf(ctx);
    await serveCurrentImage(ctx, {
      find: () => options.openNamedLink.execute(segments),
      serve: (link) => serve(ctx, link, options),
    });
  };
}

/** How long a cache that is not purged may show an image to which the name does not point any more. */
const MAX_AGE_SECONDS = 60;

async function serve(
  ctx: Context,
  link: OpenedNamedLink,
  { openNamedLink, files, tags }: NamedLinkOptions,
): Promise<void> {
  const { imageId, number, rendition, isDownload, secondsLeft } = link;
  const image = await openNamedLink.findImage(imageId);
  if (rendition !== undefined) requireFit(image, rendition);
  await serveImageFile(ctx, image, {
    rendition: rendition && focusedOn(rendition, image.focus),
    files,
    subject: LINK_SUBJECT,
    disposition: isDownload ? 'attachment' : 'inline',
    moves: true,
  });
  const seconds = secondsLeft();
  ctx.set({
    'Cache-Control': `public, max-age=${Math.min(MAX_AGE_SECONDS, seconds)}`,
    ...tags([imageTag(imageId), nameTag(number)], seconds),
  });
}

/** @throws {LinkInvalid} */
function segmentsOf(ctx: Context): NamedLinkSegments {
  const [number = '', name = '', fileName = '', expiry = '', mac = ''] = linkSegments(ctx);
  return { number, name, fileName, expiry, mac };
}
