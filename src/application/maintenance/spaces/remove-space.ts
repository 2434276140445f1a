import { ImageNotFound } from '../../../domain/errors.ts';
import type { EventLog } from '../../../domain/ports/process/event-log.ts';
import type { AllImages } from '../../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { SpaceRecords } from '../../../domain/ports/records/space-records.ts';
import type { Trash } from '../../../domain/ports/records/trash.ts';
import type { Space } from '../../../domain/space/space.ts';
import { mapConcurrently } from '../../concurrency/map-concurrently.ts';
import type { DeleteImage } from '../../delete-image.ts';
import type { EraseImage } from '../../trash/erase-image.ts';

/** Bounds memory. */
const PAGE_SIZE = 100;

/** Network stores have a round trip per blob. */
const DELETED_AT_A_TIME = 8;

export interface RemoveOptions {
  readonly stopped: AbortSignal;
  readonly onProgress: (deleted: number) => void;
}

export interface RemovedRecords {
  readonly images: Pick<AllImages, 'findPage'>;
  readonly spaces: Pick<SpaceRecords, 'forget'>;
  readonly trash: InSpaces<Pick<Trash, 'findPage'>>;
}

export interface Removals {
  /** Deletes for good, without the trash. */
  readonly deleteImage: Pick<DeleteImage, 'execute'>;
  readonly eraseImage: Pick<EraseImage, 'execute'>;
}

/** Deletes the images of a space, then its trash, its keys and its limits. The next run continues an interrupted one. */
export class RemoveSpace {
  constructor(
    private readonly records: RemovedRecords,
    private readonly removals: Removals,
    private readonly log: EventLog,
  ) {}

  /**
   * Deletes images that come in the meantime as well. Resolves to the number of deleted images, with those of the trash.
   *
   * @throws {StorageUnavailable} and the reason of `stopped`
   */
  async execute(space: Space, { stopped, onProgress }: RemoveOptions): Promise<number> {
    let deleted = 0;
    for (let after: number | undefined; ; ) {
      const page = await this.records.images.findPage({ space, order: 'asc', after, limit: PAGE_SIZE });
      const trash = page.length > 0 ? [] : await this.trashOf(space);
      if (page.length + trash.length === 0 && (await this.records.spaces.forget(space))) return deleted;
      const { deleteImage, eraseImage } = this.removals;
      const removals = [
        ...page.map(({ id }) => ({ id, by: deleteImage })),
        ...trash.map((id) => ({ id, by: eraseImage })),
      ];
      await mapConcurrently(removals, DELETED_AT_A_TIME, async ({ id, by }) => {
        stopped.throwIfAborted();
        if (await this.remove(space, id, by)) deleted += 1;
      });
      onProgress(deleted);
      // From the beginning behind an empty page: images have come into the space, by a rename with lower ids too.
      after = page.at(-1)?.id;
    }
  }

  private async trashOf(space: Space): Promise<readonly number[]> {
    const page = await this.records.trash.in(space).findPage({ limit: PAGE_SIZE });
    return page.map(({ image }) => image.id);
  }

  /** `false` if a client has deleted, erased or restored it first. */
  private async remove(
    space: Space,
    id: number,
    by: Removals['deleteImage' | 'eraseImage'],
  ): Promise<boolean> {
    try {
      await by.execute(space, id, { log: this.log });
      return true;
    } catch (error) {
      if (error instanceof ImageNotFound) return false;
      throw error;
    }
  }
}
