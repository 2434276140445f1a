import { DomainError, StorageUnavailable } from '../../domain/errors.ts';
import type { Image } from '../../domain/image/image.ts';
import type { BlobStore } from '../../domain/ports/bytes/blob-store.ts';
import type { ImageInspector, Inspection } from '../../domain/ports/pictures/image-inspector.ts';
import type { Recapturing } from '../../domain/ports/records/image-metadata-store.ts';
import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { HashRecords } from '../../domain/ports/records/similar-images.ts';
import { mapConcurrently } from '../concurrency/map-concurrently.ts';
import { BlobUnreadable } from './blob-unreadable.ts';
import type { CheckedRecord } from './checked-record.ts';
import { imagePages } from './image-pages.ts';
import { inspectBlob } from './inspect-blob.ts';

export interface ReindexedCatalog {
  readonly images: Pick<AllImages, 'findPage' | 'findById'>;
  readonly metadata: Recapturing;
  readonly hashes: HashRecords;
}

/** It stays as it was. */
export interface UnreadFile {
  readonly imageId: number;
  readonly blobKey: string;
  /** Why it could not be read. */
  readonly failure: string;
}

/** Images whose changes share a transaction. The decoders bound the decodes. */
const READ_AT_A_TIME = 16;

interface ReadImage extends CheckedRecord<UnreadFile> {
  readonly inspection?: Inspection | undefined;
}

/** Reads every file again for what the catalog derives from it. Works in bounded memory while the service runs. */
export class ReindexCatalog {
  constructor(
    private readonly catalog: ReindexedCatalog,
    private readonly blobs: BlobStore,
    private readonly inspector: ImageInspector,
  ) {}

  /**
   * In the order of the ids. An image has been written when it is yielded.
   *
   * @param after the last image that an earlier run read
   * @throws {StorageUnavailable}
   */
  async *records(after?: number): AsyncGenerator<CheckedRecord<UnreadFile>, void, undefined> {
    for await (const images of imagePages(this.catalog.images, READ_AT_A_TIME, after)) {
      const read = await mapConcurrently(images, READ_AT_A_TIME, (image) => this.read(image));
      await this.write(read);
      yield* read;
    }
  }

  private async read(image: Image): Promise<ReadImage> {
    const { id: imageId, uuid: blobKey } = image;
    try {
      return { imageId, inspection: await this.inspect(image) };
    } catch (error) {
      if (!(error instanceof DomainError || error instanceof BlobUnreadable)) throw error;
      // A client may have deleted the image since it was listed.
      const isThere = (await this.catalog.images.findById(imageId)) !== undefined;
      return { imageId, finding: isThere ? { imageId, blobKey, failure: error.message } : undefined };
    }
  }

  /** A failed read does not tell a damaged blob from an unavailable store. */
  private async inspect(image: Image): Promise<Inspection> {
    try {
      const found = await this.blobs.find(image.uuid);
      if (found === undefined) throw new BlobUnreadable(new Error('it is not there'));
      return await inspectBlob(this.blobs, this.inspector, image, found);
    } catch (error) {
      if (!(error instanceof StorageUnavailable || error instanceof BlobUnreadable)) throw error;
      await this.blobs.ping();
      throw error instanceof StorageUnavailable ? new BlobUnreadable(error) : error;
    }
  }

  private async write(read: readonly ReadImage[]): Promise<void> {
    const inspected = read.flatMap(({ imageId, inspection }) =>
      inspection === undefined ? [] : [[imageId, inspection] as const],
    );
    if (inspected.length === 0) return;
    await this.catalog.metadata.recapture(new Map(inspected.map(([id, { embedded }]) => [id, embedded])));
    await this.catalog.hashes.record(new Map(inspected.map(([id, { facts }]) => [id, facts.hashes])));
  }
}
