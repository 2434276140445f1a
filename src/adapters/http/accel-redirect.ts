import { isAbsolute, relative, sep } from 'node:path';
import type { Context } from 'koa';
import type { OpenImageFile } from '../../application/open-image-file.ts';
import type { ByteRange, FoundBlob } from '../../domain/ports/blob-store.ts';
import type { Delivery } from './delivery.ts';

export interface AccelRedirectOptions {
  readonly openImageFile: OpenImageFile;
  /** Of the URIs that nginx keeps to itself; with a slash at both ends. */
  readonly prefix: string;
  /** The folder that nginx serves under the prefix. */
  readonly blobFolder: string;
}

/**
 * Lets nginx send the bytes of files: the answer names a file, and nginx replaces it by the file's content
 * (https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_ignore_headers, "X-Accel-Redirect").
 */
export function accelRedirect({ openImageFile, prefix, blobFolder }: AccelRedirectOptions): Delivery {
  return {
    async handOver(ctx, image, range): Promise<boolean> {
      if (nginxWouldDiffer(ctx, range)) return false;
      const blob = await openImageFile.locate(image);
      const path = pathBelow(blobFolder, blob);
      if (path === undefined) return false;
      // nginx says it itself with a whole, but not with a part; both would be two.
      if (range === undefined) ctx.remove('Accept-Ranges');
      ctx.set('X-Accel-Redirect', prefix + path);
      ctx.body = '';
      return true;
    },
  };
}

/**
 * nginx asks for the conditions once more, before it knows our tag: it would answer 412 where they hold. Of ranges it knows
 * those that this service sends; one that is to be ignored would be 416 for it.
 */
function nginxWouldDiffer(ctx: Context, range: ByteRange | undefined): boolean {
  const isJudgedAnew = ctx.get('If-Match') !== '' || ctx.get('If-Unmodified-Since') !== '';
  return isJudgedAnew || (ctx.get('Range') !== '' && range === undefined);
}

/** As part of a URI; `undefined` for what is in no file of the folder. */
function pathBelow(folder: string, { localPath }: FoundBlob): string | undefined {
  if (localPath === undefined) return undefined;
  const path = relative(folder, localPath);
  const isOutside = path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? undefined : path.split(sep).map(encodeURIComponent).join('/');
}
