import { ImageChanged, ImageNotFound } from '../domain/errors.ts';
import { foundImage } from '../domain/image/found-image.ts';
import type { Image } from '../domain/image/image.ts';
import type { EventLog } from '../domain/ports/process/event-log.ts';
import type { ImageRepository } from '../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../domain/ports/records/in-spaces.ts';
import type { Space } from '../domain/space/space.ts';
import { type BytesOfImages, removeBytes } from './trash/remove-bytes.ts';

export interface Deletion {
  /** The log of the request. */
  readonly log: EventLog;
  /** The default is any image. */
  readonly matches?: (image: Image) => boolean;
  /** Who has deleted it, for the feed of changes. */
  readonly by?: string | undefined;
}

/** Removes the record first, so that the image is gone for all clients at once. */
export class DeleteImage {
  /** @param to by default the image is gone; its bytes stay with it in the trash */
  constructor(
    private readonly images: InSpaces<ImageRepository>,
    private readonly bytes: BytesOfImages,
    private readonly to?: 'trash',
  ) {}

  /** @throws {ImageNotFound | ImageChanged | StorageUnavailable} */
  async execute(space: Space, id: number, { log, matches = () => true, by }: Deletion): Promise<void> {
    const images = this.images.in(space);
    const image = foundImage(await images.findById(id));
    if (!matches(image)) throw new ImageChanged();
    if (!(await images.removeById(id, by, this.to))) throw new ImageNotFound();
    if (this.to === undefined) await removeBytes(image, this.bytes, log);
  }
}
