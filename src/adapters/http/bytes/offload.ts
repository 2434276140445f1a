import type { Context } from 'koa';
import type { Image } from '../../../domain/image/image.ts';
import type { ByteRange } from '../../../domain/ports/bytes/blob-store.ts';

export interface Offload {
  /**
   * Called for a GET whose conditions hold, with the headers of the bytes set. Returns `false` if this process has to send
   * the bytes.
   *
   * @throws {ImageNotFound | BlobLost | StorageUnavailable}
   */
  tryOffload(ctx: Context, image: Image, range: ByteRange | undefined): Promise<boolean>;
}
