import { RecordConflict } from '../../../src/domain/errors.ts';
import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { CatalogImage, Image } from '../../../src/domain/image/image.ts';
import type { ImageHashes } from '../../../src/domain/image/image-hashes.ts';
import type { ImageMetadata } from '../../../src/domain/image/image-metadata.ts';
import { NO_METADATA } from '../../../src/domain/image/image-metadata.ts';
import { summaryOf } from '../../../src/domain/image/summary-of.ts';
import type { OwnedImage } from '../../../src/domain/ports/records/image-repository.ts';
import type {
  Trash,
  TrashAge,
  TrashedImage,
  TrashedRecord,
  TrashPageQuery,
  TrashRecords,
} from '../../../src/domain/ports/records/trash.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import type { InMemoryImageRepository, Recorded } from './in-memory-image-repository.ts';

export interface InTrash {
  readonly image: Recorded;
  readonly metadata: ImageMetadata;
  readonly hashes: ImageHashes | undefined;
  readonly trashedAt: Date;
  readonly trashedBy: string | null;
}

const ERASED_AT_A_TIME = 100;

/** Made and filled by `InMemoryImageRepository`. */
export class InMemoryTrash implements TrashRecords {
  readonly #trashed = new Map<number, InTrash>();

  constructor(private readonly images: InMemoryImageRepository) {}

  put(trashed: InTrash): void {
    const { id, space, size } = trashed.image;
    this.#trashed.set(id, Object.freeze(trashed));
    this.images.spaces.countTrashed(space, { images: 1, bytes: size });
  }

  #take(id: number): InTrash | undefined {
    const trashed = this.#trashed.get(id);
    if (trashed === undefined) return undefined;
    this.#trashed.delete(id);
    this.images.spaces.countTrashed(trashed.image.space, { images: -1, bytes: -trashed.image.size });
    return trashed;
  }

  in(space: Space): Trash {
    const has = (id: number): boolean => this.#trashed.get(id)?.image.space === space;
    return {
      findPage: async (query) => this.#findPage(space, query),
      restore: async (id, author) => (has(id) ? this.#restore(id, author?.by) : undefined),
      erase: async (id, by) => (has(id) ? this.#erase(id, by) : undefined),
    };
  }

  #findPage(space: Space, { after, limit }: TrashPageQuery): readonly TrashedImage[] {
    return [...this.#trashed.values()]
      .filter(({ image }) => image.space === space)
      .toSorted((a, b) => comparePositions(positionOf(b), positionOf(a)))
      .filter((one) => after === undefined || comparePositions(positionOf(one), after) < 0)
      .slice(0, limit)
      .map((one) => ({ image: shown(one), trashedAt: one.trashedAt, trashedBy: one.trashedBy }));
  }

  #restore(id: number, by?: string): CatalogImage | undefined {
    const trashed = this.#take(id);
    return trashed && this.images.bringBack(trashed, by);
  }

  #erase(id: number, by?: string): BlobKey | undefined {
    const image = this.#take(id)?.image;
    if (image !== undefined) this.images.change('image.deleted', image.space, id, by);
    return image?.uuid;
  }

  async eraseOlder(age: TrashAge): Promise<readonly BlobKey[]> {
    const oldest = this.#older(age).slice(0, ERASED_AT_A_TIME);
    const inOrder = oldest.map(({ image }) => image.id).toSorted((a, b) => a - b);
    return inOrder.flatMap((id) => this.#erase(id) ?? []);
  }

  async countOlder(age: TrashAge): Promise<number> {
    return this.#older(age).length;
  }

  #older({ now, ageMs }: TrashAge): readonly InTrash[] {
    const time = now.getTime() - ageMs;
    const older = [...this.#trashed.values()].filter(({ trashedAt }) => trashedAt.getTime() <= time);
    return older.toSorted((a, b) => comparePositions(positionOf(a), positionOf(b)));
  }

  async count(): Promise<number> {
    return this.#trashed.size;
  }

  async findAll(after: number, limit: number): Promise<readonly TrashedRecord[]> {
    const behind = [...this.#trashed.values()].filter(({ image }) => image.id > after);
    return behind
      .toSorted((a, b) => a.image.id - b.image.id)
      .slice(0, limit)
      .map(({ image: { place: _place, ...image }, ...others }) => ({ ...image, ...others }));
  }

  async restoreTrashed(images: readonly TrashedRecord[]): Promise<void> {
    const conflicts = images.filter((image) => this.images.has(image));
    if (conflicts.length > 0) throw new RecordConflict(conflicts.map(({ id }) => id));
    this.images.forgetSwept(images);
    for (const { metadata, hashes, trashedAt, trashedBy, ...image } of images) {
      this.#take(image.id);
      const described = metadata ?? { ...NO_METADATA, version: 1, updatedAt: null };
      const recorded = this.images.recordedOf(image);
      this.put({ image: recorded, metadata: described, hashes, trashedAt, trashedBy });
      await this.images.reserveIds(image.id);
    }
  }

  /** Oldest id first. */
  all(): readonly OwnedImage[] {
    const inOrder = [...this.#trashed.values()].toSorted((a, b) => a.image.id - b.image.id);
    return inOrder.map((one) => ({ ...shown(one), space: one.image.space }));
  }

  /** Has the id or the UUID. */
  has({ id, uuid }: Pick<Image, 'id' | 'uuid'>): boolean {
    return this.#trashed.has(id) || this.hasUuid(uuid);
  }

  hasUuid(uuid: string): boolean {
    return [...this.#trashed.values()].some(({ image }) => image.uuid === uuid);
  }

  /** All of a space to another one. */
  move(from: Space, moved: (image: Recorded) => Recorded): void {
    for (const one of this.#trashed.values()) {
      if (one.image.space !== from) continue;
      this.#take(one.image.id);
      this.put({ ...one, image: moved(one.image) });
    }
  }
}

interface Position {
  readonly trashedAt: Date;
  readonly id: number;
}

function positionOf({ trashedAt, image }: InTrash): Position {
  return { trashedAt, id: image.id };
}

function comparePositions(one: Position, other: Position): number {
  return one.trashedAt.getTime() - other.trashedAt.getTime() || one.id - other.id;
}

function shown({ image: { place: _place, space: _space, ...image }, metadata }: InTrash): CatalogImage {
  return { ...image, ...summaryOf(metadata) };
}
