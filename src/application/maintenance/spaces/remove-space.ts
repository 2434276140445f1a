import { ImageNotFound } from '../../../domain/errors.ts';
import type { EventLog } from '../../../domain/ports/process/event-log.ts';
import type { AllImages } from '../../../domain/ports/records/image-repository.ts';
import type { SpaceRecords } from '../../../domain/ports/records/spaces.ts';
import type { Space } from '../../../domain/space/space.ts';
import { mapConcurrently } from '../../concurrency/map-concurrently.ts';
import type { DeleteImage } from '../../delete-image.ts';

/** Bounds memory. */
const PAGE_SIZE = 100;

/** Network stores have a round trip per blob. */
const DELETED_AT_A_TIME = 8;

export interface RemoveOptions {
  readonly stopped: AbortSignal;
  readonly onProgress: (deleted: number) => void;
}

/** Deletes the images of a space as a client would, then its keys and limits. The next run continues an interrupted one. */
export class RemoveSpace {
  constructor(
    private readonly images: Pick<AllImages, 'findPage'>,
    private readonly spaces: Pick<SpaceRecords, 'forget'>,
    private readonly deleteImage: Pick<DeleteImage, 'execute'>,
    private readonly log: EventLog,
  ) {}

  /**
   * Deletes images that come in the meantime as well. Resolves to the number of deleted images.
   *
   * @throws {StorageUnavailable} and the reason of `stopped`
   */
  async execute(space: Space, { stopped, onProgress }: RemoveOptions): Promise<number> {
    let deleted = 0;
    for (let after: number | undefined; ; ) {
      const page = await this.images.findPage({ space, order: 'asc', after, limit: PAGE_SIZE });
      if (page.length === 0 && (await this.spaces.forget(space))) return deleted;
      await mapConcurrently(page, DELETED_AT_A_TIME, async ({ id }) => {
        stopped.throwIfAborted();
        if (await this.delete(space, id)) deleted += 1;
      });
      onProgress(deleted);
      // From the beginning behind an empty page: images have come into the space, by a rename with lower ids too.
      after = page.at(-1)?.id;
    }
  }

  /** `false` if a client has deleted it first. */
  private async delete(space: Space, id: number): Promise<boolean> {
    try {
      await this.deleteImage.execute(space, id, { log: this.log });
      return true;
    } catch (error) {
      if (error instanceof ImageNotFound) return false;
      throw error;
    }
  }
}
