import type { Context } from 'koa';
import type { OpenImageFile } from '../../application/open-image-file.ts';
import type { ByteRange } from '../../domain/ports/blob-store.ts';
import type { StoreLinks } from '../../domain/ports/store-links.ts';
import type { Delivery } from './delivery.ts';

export interface RedirectToStoreOptions {
  readonly openImageFile: OpenImageFile;
  readonly links: StoreLinks;
}

/** Conditions that the client sends to the store as well, which has other tags and times than this service. */
const JUDGED_ANEW = ['If-Match', 'If-Unmodified-Since', 'If-Modified-Since', 'If-Range'];

/** Headers of the bytes, which are answered by the store. */
const DESCRIPTIONS = ['ETag', 'Last-Modified', 'Repr-Digest', 'Accept-Ranges', 'Content-Disposition'];

/** Sends clients to where the bytes are. The redirect is for one client and a short time: nobody may keep it. */
export function redirectToStore({ openImageFile, links }: RedirectToStoreOptions): Delivery {
  return {
    async handOver(ctx, image, range): Promise<boolean> {
      if (storeWouldDiffer(ctx, range)) return false;
      await openImageFile.find(image);
      const url = await links.linkTo(image.uuid, {
        contentType: image.mediaType,
        contentDisposition: ctx.response.get('Content-Disposition'),
        cacheControl: ctx.response.get('Cache-Control'),
      });
      for (const name of DESCRIPTIONS) ctx.remove(name);
      // 307 and not 302: nobody may make another method of it (RFC 9110, section 15.4.8).
      ctx.status = 307;
      ctx.set({ Location: url, 'Cache-Control': 'no-store' });
      ctx.body = '';
      ctx.remove('Content-Type');
      return true;
    },
  };
}

/** A range that is to be ignored may be an error for the store. */
function storeWouldDiffer(ctx: Context, range: ByteRange | undefined): boolean {
  const isIgnored = ctx.get('Range') !== '' && range === undefined;
  return isIgnored || JUDGED_ANEW.some((name) => ctx.get(name) !== '');
}
