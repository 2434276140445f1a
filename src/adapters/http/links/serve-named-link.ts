import type { Context, Middleware } from 'koa';
import type { OpenedNamedLink } from '../../../application/links/open-named-link.ts';
import { focusedOn } from '../../../domain/image/rendition.ts';
import type { NamedLinkSegments } from '../../../domain/link/signed-named-link.ts';
import { requireFit } from '../bytes/file-query.ts';
import { serveCurrentImage } from '../bytes/serve-current-image.ts';
import { serveImageFile } from '../bytes/serve-image-file.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { type CacheTags, cacheTags, imageTag, nameTag } from './cache-tags.ts';
import { LINK_SUBJECT, linkSegments } from './serve-link.ts';

/** For paths of the form `/n/<number>/<name>/<rendition>/<expiry>/<mac>`: see `serveLink`. */
export function serveNamedLink(parts: RouteParts): Middleware {
  const tags = cacheTags(parts.settings.cacheTagHeader);
  return async (ctx) => {
    const segments = segmentsOf(ctx);
    await serveCurrentImage(ctx, {
      find: () => parts.openNamedLink.execute(segments),
      serve: (link) => serve(ctx, link, parts, tags),
    });
  };
}

/** How long a cache that is not purged may show an image to which the name does not point any more. */
const MAX_AGE_SECONDS = 60;

async function serve(ctx: Context, link: OpenedNamedLink, parts: RouteParts, tags: CacheTags): Promise<void> {
  const { imageId, number, rendition, isDownload, secondsLeft } = link;
  const image = await parts.openNamedLink.findImage(imageId);
  requireFit(image, rendition);
  const file = {
    rendition: typeof rendition === 'object' ? focusedOn(rendition, image.focus) : rendition,
    hidesName: true,
    subject: LINK_SUBJECT,
    disposition: isDownload ? 'attachment' : 'inline',
    moves: true,
  } as const;
  await serveImageFile(ctx, image, file, parts);
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
