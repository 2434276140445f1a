import type { BlobKey } from '../image/blob-key.ts';
import type { ImageRepository } from './image-repository.ts';

/**
 * The records of a catalog as they were at one moment, in a copy that no service uses yet.
 * Every method throws `StorageUnavailable` if the copy cannot be used.
 */
export interface RecordCopy {
  readonly images: Pick<ImageRepository, 'count' | 'findPage' | 'removeById'>;

  /** Makes the copy durable and closes it. */
  close(): Promise<void>;
}

/** A blob store that is filled with blobs of another one. Blobs never change, so a hard link is a copy. */
export interface BlobCopy {
  /** Makes the copy an empty store of this catalog; of none if `undefined`. */
  begin(catalogId: string | undefined): Promise<void>;

  /** Resolves to `false` if the source has no such blob. */
  add(key: BlobKey): Promise<boolean>;

  /** Makes all blobs added durable. */
  finish(): Promise<void>;
}

/** This kind of storage is backed up by other means; the message names them. */
export class CopyUnsupported extends Error {}
