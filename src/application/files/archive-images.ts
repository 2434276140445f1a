import { EntryNames } from '../../domain/archive/entry-names.ts';
import { type EntryTime, entryTime, timeOf } from '../../domain/archive/entry-time.ts';
import { ImageNotFound } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type { Calendar } from '../../domain/image/time/calendar.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import { mapInPortions } from '../concurrency/map-in-portions.ts';
import type { OpenImageFile } from './open-image-file.ts';

export interface ArchiveEntry {
  readonly image: CatalogImage;
  readonly name: string;
  readonly time: EntryTime;
}

/** The originals of many images. Each is opened when its turn comes. */
export interface Archive {
  /** Each id once, in the order of the request. */
  readonly ids: readonly number[];
  /** At least one, in the same order; the others are missing. */
  readonly entries: readonly ArchiveEntry[];
  /** The bytes of the first entry. Opened early, so that an unavailable store gives an error response instead of a broken archive. */
  readonly first: OpenedBlob;
  readonly madeAt: EntryTime;

  /**
   * `undefined` if the image was deleted or trashed meanwhile.
   *
   * @throws {BlobLost | StorageUnavailable}
   */
  readonly open: (image: CatalogImage) => Promise<OpenedBlob | undefined>;
}

export class ArchiveImages {
  constructor(
    private readonly images: InSpaces<Pick<ImageRepository, 'findById'>>,
    private readonly openImageFile: OpenImageFile,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws {ImageNotFound} if all images are missing
   * @throws {BlobLost | StorageUnavailable} if the first cannot be read
   */
  async execute(space: Space, ids: readonly number[]): Promise<Archive> {
    const asked = [...new Set(ids)];
    const found = await mapInPortions(asked, (id) => this.find(space, id));
    const entries = await this.entriesOf(found.filter((image) => image !== undefined));
    const open = (image: CatalogImage): Promise<OpenedBlob | undefined> => this.open(space, image);
    for (const [deleted, { image }] of entries.entries()) {
      const first = await open(image);
      if (first === undefined) continue;
      const madeAt = timeOf(this.clock.now().getTime(), this.calendar);
      return { ids: asked, entries: entries.slice(deleted), first, madeAt, open };
    }
    throw new ImageNotFound();
  }

  private async find(space: Space, id: number): Promise<CatalogImage | undefined> {
    return Number.isSafeInteger(id) ? await this.images.in(space).findById(id) : undefined;
  }

  private async entriesOf(images: readonly CatalogImage[]): Promise<readonly ArchiveEntry[]> {
    const names = new EntryNames();
    return await mapInPortions(images, (image) => ({
      image,
      name: names.nameOf(image),
      time: entryTime(image, this.calendar),
    }));
  }

  private async open(space: Space, image: CatalogImage): Promise<OpenedBlob | undefined> {
    try {
      const blob = await this.openImageFile.execute(image);
      return (await this.isThere(space, image, blob)) ? blob : undefined;
    } catch (error) {
      if (error instanceof ImageNotFound) return undefined;
      throw error;
    }
  }

  /** Closes the bytes if not: an image keeps them in the trash. */
  private async isThere(space: Space, { id }: CatalogImage, blob: OpenedBlob): Promise<boolean> {
    let isThere = false;
    try {
      isThere = (await this.find(space, id)) !== undefined;
    } finally {
      if (!isThere) await blob.close();
    }
    return isThere;
  }
}
