import type { Context, Middleware } from 'koa';
import type { FoundImage } from '../../../domain/ports/records/names.ts';
import { publicFileQuery, renditionOf } from '../bytes/file-query.ts';
import { serveCurrentImage } from '../bytes/serve-current-image.ts';
import { serveImageFile } from '../bytes/serve-image-file.ts';
import { readQuery } from '../request/read-query.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { cacheTags, imageTag, nameTag } from './cache-tags.ts';

/** To the limits of the service, all strangers are one: others never wait longer for them than for another subject. */
const PUBLIC_SUBJECT = JSON.stringify(['public']);

/** How long a cache that is not purged may show an image to which the name does not point any more. */
const CACHE_CONTROL = 'public, max-age=60';

/** How long a cache may keep a response that it would remove when the feed tells of a change. */
const PURGED_CACHE_SECONDS = 86_400;

/**
 * For paths of the form `/p/<number>/<name>`. Strangers can choose among the sizes and formats of each public name, and nothing else. The
 * name is judged before the query, so that no response tells of a name that is not public.
 */
export function servePublicName(parts: RouteParts): Middleware {
  const tags = cacheTags(parts.settings.cacheTagHeader);
  const schema = publicFileQuery(parts.settings.renditions.sizes);
  const serve = async (ctx: Context, { image, name, number }: FoundImage): Promise<void> => {
    const query = readQuery(ctx.querystring, schema);
    const file = {
      rendition: renditionOf(ctx, image, { ...query, metadata: 'none' }),
      disposition: 'inline',
      publicName: name,
      subject: PUBLIC_SUBJECT,
      moves: true,
    } as const;
    await serveImageFile(ctx, image, file, parts);
    ctx.set({
      'Cache-Control': CACHE_CONTROL,
      ...tags([imageTag(image.id), nameTag(number)], PURGED_CACHE_SECONDS),
    });
  };
  return async (ctx) => {
    // Spelled as the client has sent it: the router decodes its parameters.
    const [number = '', name = ''] = ctx.path.split('/').slice(2);
    await serveCurrentImage(ctx, {
      find: () => parts.openPublicName.execute(number, name),
      serve: (found) => serve(ctx, found),
    });
  };
}
