import type { Context } from 'koa';
import type { Image } from '../../../domain/image/image.ts';
import type { ByteRange } from '../../../domain/ports/blob-store.ts';

/** Somebody who sends the bytes of originals in place of this process: a web server in front of it, or the store behind it. */
export interface Delivery {
  /**
   * Hands a GET over once its conditions are answered. The headers that describe the bytes are set on `ctx` already.
   *
   * @param range the one range to send; `undefined` for the whole
   * @returns whether it was handed over; else this process has to send the bytes
   * @throws {ImageNotFound | BlobLost | StorageUnavailable}
   */
  handOver(ctx: Context, image: Image, range: ByteRange | undefined): Promise<boolean>;
}
