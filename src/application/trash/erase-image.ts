import { foundImage } from '../../domain/image/found-image.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Trash } from '../../domain/ports/records/trash.ts';
import type { Space } from '../../domain/space/space.ts';
import { type BytesOfImages, removeBytes } from './remove-bytes.ts';

export interface Erasure {
  /** The log of the request. */
  readonly log: EventLog;
  /** Who has erased it, for the feed of changes. */
  readonly by?: string | undefined;
}

/** Removes the row first, so that the image cannot be restored without its bytes. */
export class EraseImage {
  constructor(
    private readonly trash: InSpaces<Pick<Trash, 'erase'>>,
    private readonly bytes: BytesOfImages,
  ) {}

  /** @throws {ImageNotFound | StorageUnavailable} */
  async execute(space: Space, id: number, { log, by }: Erasure): Promise<void> {
    const uuid = foundImage(await this.trash.in(space).erase(id, by));
    await removeBytes({ id, uuid }, this.bytes, log);
  }
}
