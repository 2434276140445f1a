import type { Context } from 'koa';
import type { Image } from '../../../domain/image/image.ts';
import type { ByteRange } from '../../../domain/ports/blob-store.ts';

/** Has another process send the bytes of originals: the web server in front of this one, or the blob store. */
export interface Offload {
  /**
   * Called for a GET whose conditions hold. The headers that describe the bytes are set on `ctx` already.
   *
   * @param range the one range to send; `undefined` for the whole
   * @returns whether the response is complete; if not, this process has to send the bytes
   * @throws {ImageNotFound | BlobLost | StorageUnavailable}
   */
  tryOffload(ctx: Context, image: Image, range: ByteRange | undefined): Promise<boolean>;
}
