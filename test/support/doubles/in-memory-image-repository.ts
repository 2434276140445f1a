import { isDeepStrictEqual } from 'node:util';
import {
  IdempotencyKeyInUse,
  QuotaExceeded,
  RecordConflict,
  StorageUnavailable,
} from '../../../src/domain/errors.ts';
import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { CatalogImage, Image, NewImage } from '../../../src/domain/image/image.ts';
import type { ImageHashes } from '../../../src/domain/image/image-hashes.ts';
import type { ImageMetadata, ImageSummary } from '../../../src/domain/image/image-metadata.ts';
import { type NewMetadata, NO_METADATA } from '../../../src/domain/image/image-metadata.ts';
import { summaryOf } from '../../../src/domain/image/summary-of.ts';
import { fold } from '../../../src/domain/image/words/fold.ts';
import { mergeTags } from '../../../src/domain/image/words/tags.ts';
import { LONGEST_LINK_MS } from '../../../src/domain/link/link-expiry.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import type { ChangeType } from '../../../src/domain/ports/records/change-feed.ts';
import type { IdempotencyClaim } from '../../../src/domain/ports/records/idempotency-keys.ts';
import type {
  ImagePageQuery,
  ImageRecords,
  ImageRepository,
  ImportedImage,
  NewName,
  OwnedImage,
} from '../../../src/domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../../src/domain/ports/records/in-spaces.ts';
import { isWithin } from '../../../src/domain/space/is-within.ts';
import { COMMON_SPACE, type Limits, NO_LIMITS, type Space } from '../../../src/domain/space/space.ts';
import { type Calls, UNINTERRUPTED } from './calls.ts';
import { InMemoryChanges } from './in-memory-changes.ts';
import type { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys.ts';
import { InMemoryNames } from './in-memory-names.ts';
import { InMemorySpaces } from './in-memory-spaces.ts';
import { InMemoryTrash, type InTrash } from './in-memory-trash.ts';

const UNCHANGED: ImageMetadata = { ...NO_METADATA, version: 1, updatedAt: null };

/** What never changes, but for the name of the space. */
export type Recorded = Omit<OwnedImage, keyof ImageSummary> & {
  /** A number within the space, in the order of recording. */
  readonly place: number;
};

interface RecordedTogether {
  readonly space: Space;
  readonly claim: IdempotencyClaim | undefined;
  readonly metadata: NewMetadata;
  readonly by: string | undefined;
  readonly name: NewName | undefined;
  /** At the moment of recording. */
  readonly limits: () => Limits;
}

export class InMemoryImageRepository implements ImageRecords {
  readonly changes = new InMemoryChanges();
  readonly spaces: InMemorySpaces;
  readonly trash: InMemoryTrash;
  readonly names = new InMemoryNames(this);
  readonly unlimited: InSpaces<ImageRepository> = {
    in: (space) => this.#repositoryOf(space, () => NO_LIMITS),
  };
  /** In the order of the ids: a `Map` keeps the order of insertion. */
  readonly #images = new Map<number, Recorded>();
  /** The highest place ever given. */
  readonly #lastPlaces = new Map<Space, number>();
  readonly #metadata = new Map<number, ImageMetadata>();
  readonly #hashes = new Map<number, ImageHashes>();
  readonly #deleted = new Map<number, { readonly uuid: BlobKey; readonly at: number }>();
  /** By UUID: held by transactions that record it or keep it from being recorded. */
  readonly #locks = new Map<string, Promise<unknown>>();
  /** UUIDs that no image is recorded under any more. */
  readonly #swept = new Set<string>();
  #lastId = 0;

  /** @param keys those of the same database */
  constructor(
    readonly clock: Clock,
    private readonly keys?: InMemoryIdempotencyKeys,
    private readonly calls: Calls = UNINTERRUPTED,
  ) {
    this.spaces = new InMemorySpaces(this, keys);
    this.trash = new InMemoryTrash(this);
  }

  in(space: Space): ImageRepository {
    return this.#repositoryOf(space, () => this.spaces.limitsOf(space));
  }

  #repositoryOf(space: Space, limits: () => Limits): ImageRepository {
    return {
      add: async (image, claim, metadata = NO_METADATA, by?, name?) =>
        await this.#add(image, { space, claim, metadata, by, name, limits }),
      findById: async (id) => {
        const image = this.#images.get(id);
        return image?.space === space ? this.#shown(image) : undefined;
      },
      removeById: async (id, by, to) => this.#images.get(id)?.space === space && this.#remove(id, by, to),
      findIdsBySha256: async (digests) => {
        const found = digests.map(
          (digest) => [digest, this.allIn(space).filter(({ sha256 }) => sha256 === digest)] as const,
        );
        const known = found.filter(([, images]) => images.length > 0);
        return new Map(known.map(([digest, images]) => [digest, images.map(({ id }) => id)]));
      },
    };
  }

  async #add(image: NewImage, together: RecordedTogether): Promise<CatalogImage> {
    const call = this.calls.begin();
    return await this.#exclusively(image.uuid, async () => {
      await call.reach('commit');
      const { space, name, by } = together;
      if (name !== undefined) this.names.judge(space, name);
      this.#judge(space, image, together.limits());
      const recorded = this.#record(image, together);
      this.change('image.created', space, recorded.id, by);
      if (name !== undefined) this.names.point(space, name, recorded.id, by);
      return recorded;
    });
  }

  #record(
    { hashes, ...image }: NewImage,
    { space, claim, metadata, by }: Omit<RecordedTogether, 'limits' | 'name'>,
  ): CatalogImage {
    if (this.#swept.has(image.uuid)) throw new StorageUnavailable();
    if (claim !== undefined && claim.space !== space) throw new IdempotencyKeyInUse();
    if (claim !== undefined) this.keys?.complete(claim, this.#lastId + 1);
    const newest = [...this.#images.values()].at(-1);
    const createdAt = new Date(Math.max(this.clock.now().getTime(), newest?.createdAt.getTime() ?? 0));
    this.#lastId += 1;
    const id = this.#lastId;
    const recorded = {
      ...image,
      id,
      createdAt,
      space,
      createdBy: by ?? null,
      place: this.#nextPlace(space, id),
    };
    this.#images.set(id, Object.freeze(recorded));
    this.spaces.count(space, { images: 1, bytes: image.size });
    this.describe(recorded.id, { ...metadata, version: 1, updatedAt: null });
    this.setHashes(recorded.id, hashes);
    return this.#shown(recorded);
  }

  #judge(space: Space, { size }: Pick<NewImage, 'size'>, limits: Limits): void {
    if (limits.images === null && limits.bytes === null) return;
    const { images, bytes } = this.spaces.heldIn(space);
    if (!isWithin({ images: images + 1, bytes: bytes + size }, limits)) throw new QuotaExceeded();
  }

  #nextPlace(space: Space, id: number): number {
    const place = space === COMMON_SPACE ? id : this.lastPlaceIn(space) + 1;
    this.#lastPlaces.set(space, place);
    return place;
  }

  async findById(id: number): Promise<OwnedImage | undefined> {
    const image = this.#images.get(id);
    return image && this.#owned(image);
  }

  async findPage({ order, after, limit, space }: ImagePageQuery): Promise<readonly OwnedImage[]> {
    const ascending = this.all().filter((image) => image.space === (space ?? image.space));
    const ordered = order === 'asc' ? ascending : ascending.toReversed();
    return ordered.filter(({ id }) => isBehind(id, order, after)).slice(0, limit);
  }

  async count(): Promise<number> {
    return this.#images.size;
  }

  #remove(id: number, by?: string, to?: 'trash'): boolean {
    const image = this.#images.get(id);
    if (image === undefined) return false;
    if (to === 'trash') this.#moveToTrash(image, by);
    this.names.removeOf(id, by);
    this.#images.delete(id);
    this.spaces.count(image.space, { images: -1, bytes: -image.size });
    this.#deleted.set(id, { uuid: image.uuid, at: this.clock.now().getTime() });
    this.#metadata.delete(id);
    this.#hashes.delete(id);
    this.change(to === 'trash' ? 'image.trashed' : 'image.deleted', image.space, id, by);
    return true;
  }

  #moveToTrash(image: Recorded, by?: string): void {
    const newest = [...this.#images.values()].at(-1)?.createdAt.getTime() ?? 0;
    this.trash.put({
      image,
      metadata: this.#metadata.get(image.id) ?? UNCHANGED,
      hashes: this.#hashes.get(image.id),
      trashedAt: new Date(Math.max(this.clock.now().getTime(), newest)),
      trashedBy: by ?? null,
    });
  }

  /** Out of the trash. */
  bringBack({ image, metadata, hashes }: InTrash, by?: string): CatalogImage {
    this.#images.set(image.id, image);
    this.spaces.count(image.space, { images: 1, bytes: image.size });
    this.#sortById();
    this.setHashes(image.id, hashes);
    this.change('image.restored', image.space, image.id, by);
    this.describe(image.id, metadata);
    const spelled = this.#metadata.get(image.id) ?? metadata;
    if (!isDeepStrictEqual(spelled.tags, metadata.tags)) {
      const changed = { ...spelled, version: metadata.version + 1, updatedAt: this.clock.now() };
      this.describeChanged(image.id, changed, by);
    }
    return this.#shown(image);
  }

  #sortById(): void {
    const inOrder = [...this.#images].toSorted(([a], [b]) => a - b);
    this.#images.clear();
    for (const [id, image] of inOrder) this.#images.set(id, image);
  }

  async findDeletedUuid(id: number): Promise<BlobKey | undefined> {
    const deleted = this.#deleted.get(id);
    const isRemembered = deleted !== undefined && deleted.at > this.clock.now().getTime() - LONGEST_LINK_MS;
    return isRemembered ? deleted.uuid : undefined;
  }

  async findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(uuids.filter((uuid) => this.#isRecorded(uuid)));
  }

  async mayBeRecorded(uuid: string): Promise<boolean> {
    return this.#locks.has(uuid) || this.#isRecorded(uuid);
  }

  async removeUnrecorded(uuid: string, remove: () => Promise<void>): Promise<boolean> {
    const call = this.calls.begin();
    await this.#exclusively(uuid, async () => {
      await call.reach('mark');
      if (!this.#isRecorded(uuid)) this.#swept.add(uuid);
    });
    return await this.#exclusively(uuid, async () => {
      if (!this.#swept.has(uuid)) return false;
      await remove();
      return true;
    });
  }

  #isRecorded(uuid: string): boolean {
    return this.trash.hasUuid(uuid) || [...this.#images.values()].some((image) => image.uuid === uuid);
  }

  /** Waits for all that came earlier. */
  async #exclusively<T>(uuid: string, work: () => Promise<T>): Promise<T> {
    const mine = Promise.resolve(this.#locks.get(uuid)).then(work);
    const ended = mine.catch(() => undefined);
    this.#locks.set(uuid, ended);
    try {
      return await mine;
    } finally {
      if (this.#locks.get(uuid) === ended) this.#locks.delete(uuid);
    }
  }

  async restore(images: readonly ImportedImage[]): Promise<void> {
    const conflicts = images.filter((image) => this.#isTaken(image) || this.trash.has(image));
    if (conflicts.length > 0) throw new RecordConflict(conflicts.map(({ id }) => id));
    this.forgetSwept(images);
    for (const { metadata, hashes, ...image } of images) {
      if (!this.#images.has(image.id)) this.#restoreRecord(image);
      this.describeChanged(image.id, metadata ?? this.#metadata.get(image.id) ?? UNCHANGED);
      this.setHashes(image.id, hashes);
    }
    this.#sortById();
    await this.reserveIds([...this.#images.keys()].at(-1) ?? 0);
  }

  /** Throws once if there are some: their blobs must be copied again. */
  forgetSwept(images: ReadonlyArray<Pick<Image, 'uuid'>>): void {
    const swept = images.filter(({ uuid }) => this.#swept.delete(uuid));
    if (swept.length > 0) throw new StorageUnavailable();
  }

  recordedOf(image: ImportedImage): Recorded {
    return Object.freeze({ ...recordOf(image), place: this.#nextPlace(image.space, image.id) });
  }

  /** Has the id or the UUID. */
  has({ id, uuid }: Pick<Image, 'id' | 'uuid'>): boolean {
    return [...this.#images.values()].some((image) => image.id === id || image.uuid === uuid);
  }

  #restoreRecord(image: ImportedImage): void {
    const { id, space, size } = image;
    this.#images.set(id, this.recordedOf(image));
    this.spaces.count(space, { images: 1, bytes: size });
  }

  async findMetadata(ids: readonly number[]): Promise<ReadonlyMap<number, ImageMetadata>> {
    return new Map([...this.#metadata].filter(([id]) => ids.includes(id)));
  }

  async findHashes(ids: readonly number[]): Promise<ReadonlyMap<number, ImageHashes>> {
    return new Map([...this.#hashes].filter(([id]) => ids.includes(id)));
  }

  async highestId(): Promise<number> {
    return this.#lastId;
  }

  async reserveIds(upTo: number): Promise<void> {
    this.#lastId = Math.max(this.#lastId, upTo);
  }

  async ping(): Promise<void> {}

  /** Oldest first. */
  all(): readonly OwnedImage[] {
    return [...this.#images.values()].map((image) => this.#owned(image));
  }

  /** Oldest first. */
  allIn(space: Space): readonly CatalogImage[] {
    const images = [...this.#images.values()].filter((image) => image.space === space);
    return images.map((image) => this.#shown(image));
  }

  /** Number within the space. */
  placeOf(id: number): number | undefined {
    return this.#images.get(id)?.place;
  }

  /** The highest place ever given; 0 if there is none. */
  lastPlaceIn(space: Space): number {
    return space === COMMON_SPACE ? this.#lastId : (this.#lastPlaces.get(space) ?? 0);
  }

  /** Gives all images of a space to another one. */
  move(from: Space, to: Space): void {
    this.changes.move(from, to);
    this.names.forget(to);
    this.names.move(from, to);
    for (const [id, image] of this.#images) {
      if (image.space !== from) continue;
      this.#images.set(id, Object.freeze({ ...image, space: to, place: this.#nextPlace(to, id) }));
      this.spaces.count(from, { images: -1, bytes: -image.size });
      this.spaces.count(to, { images: 1, bytes: image.size });
    }
    this.trash.move(from, (image) =>
      Object.freeze({ ...image, space: to, place: this.#nextPlace(to, image.id) }),
    );
  }

  metadataOf(id: number): ImageMetadata | undefined {
    return this.#metadata.get(id);
  }

  hashesOf(id: number): ImageHashes | undefined {
    return this.#hashes.get(id);
  }

  setHashes(id: number, hashes: ImageHashes | undefined): void {
    if (hashes !== undefined && this.#images.has(id)) this.#hashes.set(id, hashes);
  }

  /** Tags get the spelling that the space has already. */
  describe(id: number, metadata: ImageMetadata): void {
    const spelled = metadata.tags.map((tag) => this.#spelling(tag, this.#images.get(id)?.space));
    this.#metadata.set(id, Object.freeze({ ...metadata, tags: mergeTags(spelled) }));
  }

  #spelling(tag: string, space: Space | undefined): string {
    for (const [id, { tags }] of this.#metadata) {
      const known = tags.find((other) => fold(other) === fold(tag));
      if (known !== undefined && this.#images.get(id)?.space === space) return known;
    }
    return tag;
  }

  /** As `describe`; another version is a change. */
  describeChanged(id: number, metadata: ImageMetadata, by?: string): void {
    const before = this.#metadata.get(id) ?? UNCHANGED;
    this.describe(id, metadata);
    const space = this.#images.get(id)?.space;
    if (space === undefined || metadata.version === before.version) return;
    this.change('image.updated', space, id, by, metadata.version);
  }

  change(type: ChangeType, space: Space, imageId: number, by?: string, version?: number): void {
    this.changes.add({ type, space, imageId, version, at: this.clock.now(), by: by ?? null });
  }

  #owned({ place: _place, ...image }: Recorded): OwnedImage {
    const metadata = this.#metadata.get(image.id);
    if (metadata === undefined) throw new TypeError('An image without metadata');
    return { ...image, ...summaryOf(metadata) };
  }

  #shown(image: Recorded): CatalogImage {
    const { space: _space, ...shown } = this.#owned(image);
    return shown;
  }

  #isTaken({ id, uuid, space }: ImportedImage): boolean {
    return [...this.#images.values()].some((other) =>
      other.id === id ? other.uuid !== uuid || other.space !== space : other.uuid === uuid,
    );
  }
}

function recordOf({
  id,
  uuid,
  originalName,
  mediaType,
  size,
  width,
  height,
  frames,
  sha256,
  thumbhash,
  createdAt,
  space,
  createdBy,
}: ImportedImage): Omit<Recorded, 'place'> {
  const bytes = { uuid, originalName, mediaType, size, width, height, frames, sha256, thumbhash };
  return { id, ...bytes, createdAt, space, createdBy };
}

function isBehind(id: number, order: ImagePageQuery['order'], after: number | undefined): boolean {
  if (after === undefined) return true;
  return order === 'asc' ? id > after : id < after;
}
