import type { BlobKey } from '../../image/blob-key.ts';
import type { Image } from '../../image/image.ts';
import type { AllImages, ImageRepository } from '../records/image-repository.ts';
import type { InSpaces } from '../records/in-spaces.ts';
import type { Trash, TrashTransfer } from '../records/trash.ts';

/** Records as they were at one moment, in a copy that no service uses yet. Every method throws `StorageUnavailable`. */
export interface RecordCopy {
  readonly images: Pick<AllImages, 'count' | 'findPage'> & InSpaces<Pick<ImageRepository, 'removeById'>>;
  readonly trash: InSpaces<Pick<Trash, 'erase'>> & Pick<TrashTransfer, 'count' | 'findAll'>;

  /** Makes the copy durable. */
  close(): Promise<void>;
}

/** Blobs never change, so a hard link is a copy. */
export interface BlobCopy {
  /** Makes the copy a store of this catalog; of none if `undefined`. A copy that was begun before keeps its blobs. */
  begin(catalogId: string | undefined): Promise<void>;

  /**
   * `false` if the source has no such blob, or one that cannot be read; then nothing is copied. A blob that was added before is
   * replaced: it may be a part.
   */
  add(key: BlobKey): Promise<boolean>;

  /** Whether the bytes of a blob in the copy, all of which are read, are those of the record. */
  isIntact(image: Pick<Image, 'uuid' | 'size' | 'sha256'>): Promise<boolean>;

  /** Makes all blobs durable. */
  finish(): Promise<void>;
}

/** Another program has to copy the database or store. */
export class CopyUnsupported extends Error {
  /** @param command with its arguments */
  constructor(readonly command: readonly string[]) {
    super(`It is copied by ${command[0]}`);
  }
}
