import { isAbsolute, relative, sep } from 'node:path';
import type { Context } from 'koa';
import type { OpenImageFile } from '../../../application/files/open-image-file.ts';
import type { ByteRange, FoundBlob } from '../../../domain/ports/bytes/blob-store.ts';
import type { TryOffload } from '../route/route-parts.ts';

/**
 * `X-Accel-Redirect`: https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_ignore_headers
 *
 * @param prefix starts and ends with a slash
 */
export function accelRedirect(openImageFile: OpenImageFile, prefix: string, blobFolder: string): TryOffload {
  return async (ctx, image, range) => {
    if (nginxWouldDiffer(ctx, range)) return false;
    const blob = await openImageFile.locate(image);
    const path = pathBelow(blobFolder, blob);
    if (path === undefined) return false;
    // With a whole file nginx sends this header itself, with a part it does not. Set here as well, it would be sent twice.
    if (range === undefined) ctx.remove('Accept-Ranges');
    ctx.set('X-Accel-Redirect', prefix + path);
    ctx.body = '';
    return true;
  };
}

/**
 * nginx evaluates conditions again, before it knows the ETag, and would return 412. It returns 416 for a range that this
 * service ignores.
 */
function nginxWouldDiffer(ctx: Context, range: ByteRange | undefined): boolean {
  const isConditional = ctx.get('If-Match') !== '' || ctx.get('If-Unmodified-Since') !== '';
  return isConditional || (ctx.get('Range') !== '' && range === undefined);
}

function pathBelow(folder: string, { localPath }: FoundBlob): string | undefined {
  if (localPath === undefined) return undefined;
  const path = relative(folder, localPath);
  const isOutside = path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? undefined : path.split(sep).map(encodeURIComponent).join('/');
}
