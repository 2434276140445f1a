import type { CatalogImage } from '../../domain/image/image.ts';
import type { PictureFault } from '../../domain/image/picture-faults.ts';
import type { HeldPixels } from '../../domain/ports/pictures/held-pixels.ts';
import type { AdmitUpload } from './admit-upload.ts';
import type { ClaimKey } from './claim-key.ts';
import type { CompareUpload } from './compare-upload.ts';
import type { InspectUpload } from './inspect-upload.ts';
import type { PrerenderUploads } from './prerender-uploads.ts';
import type { RecordUpload } from './record-upload.ts';
import { Rollback } from './rollback.ts';
import type { StoreUpload } from './store-upload.ts';
import type { UploadRequest } from './upload-request.ts';

export interface UploadSteps {
  readonly admit: Pick<AdmitUpload, 'execute'>;
  readonly prerender: Pick<PrerenderUploads, 'holdBack'>;
  readonly compare: CompareUpload;
  readonly claimKey: ClaimKey;
  readonly inspect: InspectUpload;
  readonly store: StoreUpload;
  readonly record: RecordUpload;
}

export interface UploadResult {
  readonly image: CatalogImage;
  /** An earlier upload under the same key made it. */
  readonly replayed: boolean;
  /** Released by the caller. */
  readonly pixels?: HeldPixels | undefined;
  /** See `Inspection`. */
  readonly flaw?: PictureFault | undefined;
}

/** An upload from its headers to its record. The caller responds. */
export class UploadImage {
  constructor(private readonly steps: UploadSteps) {}

  /**
   * When this resolves, the image survives a power cut. When it rejects, nothing stays, and the key is not used up.
   *
   * @throws what the steps throw
   */
  async execute(upload: UploadRequest): Promise<UploadResult> {
    const { admit, compare, prerender, claimKey, inspect, store, record } = this.steps;
    // Each step either resolves to what the next one needs or ends the upload. What is declared by `using` is released at the end.
    using slot = await admit.execute(upload);
    const repeated = await compare.execute(upload, slot);
    if (repeated !== undefined) return { image: repeated, replayed: true };

    await using file = await upload.file.receive(slot);
    using _held = prerender.holdBack();
    await using rollback = new Rollback();
    const { earlier, key } = await claimKey.execute(upload, file, rollback);
    if (earlier !== undefined) return { image: earlier, replayed: true };

    const { facts, metadata, pixels, flaw } = await inspect.execute(upload, file, rollback);
    const uuid = await store.execute(file, rollback);
    const image = await record.execute(upload, { file, uuid, facts, metadata, key });
    rollback.cancel();
    return { image, replayed: false, pixels, flaw };
  }
}
