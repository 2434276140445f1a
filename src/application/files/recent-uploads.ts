import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { Image } from '../../domain/image/image.ts';
import type { HeldPixels } from '../../domain/ports/pictures/held-pixels.ts';

export interface RecentUpload {
  readonly image: Image;
  readonly pixels?: HeldPixels | undefined;
}

/** Uploads whose default renditions are not made yet. Beyond the limit the oldest are dropped. */
export class RecentUploads {
  private readonly uploads = new Map<BlobKey, RecentUpload>();

  constructor(private readonly maxUploads: number) {}

  add(upload: RecentUpload): void {
    this.uploads.set(upload.image.uuid, upload);
    if (this.uploads.size > this.maxUploads) this.oldest()?.drop();
  }

  /** `drop` forgets the upload and releases its pixels. */
  oldest(): { readonly upload: RecentUpload; readonly drop: () => void } | undefined {
    for (const [uuid, upload] of this.uploads) return { upload, drop: () => this.drop(uuid) };
    return undefined;
  }

  pixelsOf({ uuid }: Image): HeldPixels | undefined {
    return this.uploads.get(uuid)?.pixels;
  }

  clear(): void {
    for (const uuid of this.uploads.keys()) this.drop(uuid);
  }

  private drop(uuid: BlobKey): void {
    this.uploads.get(uuid)?.pixels?.release();
    this.uploads.delete(uuid);
  }
}
