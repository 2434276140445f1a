import type { BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { ImageInspector } from '../../domain/ports/pictures/image-inspector.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import type { IdempotencyKeys } from '../../domain/ports/records/idempotency-keys.ts';
import type { AllImages, ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import { ClaimKey } from './claim-key.ts';
import { CompareUpload } from './compare-upload.ts';
import { InspectUpload } from './inspect-upload.ts';
import { RecordUpload } from './record-upload.ts';
import { StoreUpload } from './store-upload.ts';
import { UploadImage, type UploadSteps } from './upload-image.ts';

export interface UploadPorts {
  readonly images: InSpaces<Pick<ImageRepository, 'findById' | 'add'>> & Pick<AllImages, 'mayBeRecorded'>;
  readonly keys: IdempotencyKeys;
  readonly blobs: BlobStore;
  readonly inspector: ImageInspector;
  readonly uuids: UuidGenerator;
}

/** Nothing shares slots or decoders with the uploads of a command. */
const COMMAND: Pick<UploadSteps, 'admit' | 'prerender'> = {
  admit: {
    execute: async () => ({ setArriving: () => {}, release: () => {}, [Symbol.dispose]: () => {} }),
  },
  prerender: { holdBack: () => ({ [Symbol.dispose]: () => {} }) },
};

/** @param shared by the uploads of a service; a command leaves it out */
export function uploadImageOf(
  { images, keys, blobs, inspector, uuids }: UploadPorts,
  shared: Pick<UploadSteps, 'admit' | 'prerender'> = COMMAND,
): UploadImage {
  const claimKey = new ClaimKey(images, keys);
  return new UploadImage({
    ...shared,
    compare: new CompareUpload(claimKey),
    claimKey,
    inspect: new InspectUpload(inspector),
    store: new StoreUpload(blobs, uuids, images),
    record: new RecordUpload(images),
  });
}
