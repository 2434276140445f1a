import { RecordConflict, StorageUnavailable } from '../../../src/domain/errors.ts';
import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { CatalogImage, Image, NewImage } from '../../../src/domain/image/image.ts';
import type { ImageHashes } from '../../../src/domain/image/image-hashes.ts';
import {
  type ImageMetadata,
  type NewMetadata,
  NO_METADATA,
  summaryOf,
} from '../../../src/domain/image/metadata.ts';
import { fold } from '../../../src/domain/image/words/fold.ts';
import { mergeTags } from '../../../src/domain/image/words/tags.ts';
import { LONGEST_LINK_MS } from '../../../src/domain/link/link-expiry.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import type { ChangeType } from '../../../src/domain/ports/records/change-feed.ts';
import type { IdempotencyClaim } from '../../../src/domain/ports/records/idempotency-keys.ts';
import type {
  ImagePageQuery,
  ImageRecords,
  ImportedImage,
} from '../../../src/domain/ports/records/image-repository.ts';
import { type Calls, UNINTERRUPTED } from './calls.ts';
import { InMemoryChanges } from './in-memory-changes.ts';
import type { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys.ts';

const UNCHANGED: ImageMetadata = { ...NO_METADATA, version: 1, updatedAt: null };

export class InMemoryImageRepository implements ImageRecords {
  readonly changes = new InMemoryChanges();
  /** In the order of the ids: a `Map` keeps the order of insertion. */
  readonly #images = new Map<number, Image>();
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
  ) {}

  async add(
    image: NewImage,
    claim?: IdempotencyClaim,
    metadata: NewMetadata = NO_METADATA,
    by?: string,
  ): Promise<CatalogImage> {
    const call = this.calls.begin();
    return await this.#exclusively(image.uuid, async () => {
      await call.reach('commit');
      const recorded = this.#record(image, metadata, claim);
      this.#change('image.created', recorded.id, by);
      return recorded;
    });
  }

  #record(
    { hashes, ...image }: NewImage,
    metadata: NewMetadata,
    claim: IdempotencyClaim | undefined,
  ): CatalogImage {
    if (this.#swept.has(image.uuid)) throw new StorageUnavailable();
    if (claim !== undefined) this.keys?.complete(claim, this.#lastId + 1);
    const newest = [...this.#images.values()].at(-1);
    const createdAt = new Date(Math.max(this.clock.now().getTime(), newest?.createdAt.getTime() ?? 0));
    this.#lastId += 1;
    const recorded = Object.freeze({ ...image, id: this.#lastId, createdAt });
    this.#images.set(recorded.id, recorded);
    this.describe(recorded.id, { ...metadata, version: 1, updatedAt: null });
    this.setHashes(recorded.id, hashes);
    return this.#shown(recorded);
  }

  async findById(id: number): Promise<CatalogImage | undefined> {
    const image = this.#images.get(id);
    return image && this.#shown(image);
  }

  async findPage({ order, after, limit }: ImagePageQuery): Promise<readonly CatalogImage[]> {
    const ascending = this.all();
    const ordered = order === 'asc' ? ascending : ascending.toReversed();
    return ordered.filter(({ id }) => isBehind(id, order, after)).slice(0, limit);
  }

  async count(): Promise<number> {
    return this.#images.size;
  }

  async removeById(id: number, by?: string): Promise<boolean> {
    const image = this.#images.get(id);
    if (image === undefined) return false;
    this.#images.delete(id);
    this.#deleted.set(id, { uuid: image.uuid, at: this.clock.now().getTime() });
    this.#metadata.delete(id);
    this.#hashes.delete(id);
    this.#change('image.deleted', id, by);
    return true;
  }

  async findDeletedUuid(id: number): Promise<BlobKey | undefined> {
    const deleted = this.#deleted.get(id);
    const isRemembered = deleted !== undefined && deleted.at > this.clock.now().getTime() - LONGEST_LINK_MS;
    return isRemembered ? deleted.uuid : undefined;
  }

  async findIdsBySha256(digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = digests.map(
      (digest) => [digest, this.all().filter(({ sha256 }) => sha256 === digest)] as const,
    );
    const known = found.filter(([, images]) => images.length > 0);
    return new Map(known.map(([digest, images]) => [digest, images.map(({ id }) => id)]));
  }

  async findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>> {
    const recorded = new Set<string>([...this.#images.values()].map(({ uuid }) => uuid));
    return new Set(uuids.filter((uuid) => recorded.has(uuid)));
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
    return [...this.#images.values()].some((image) => image.uuid === uuid);
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
    const conflicts = images.filter((image) => this.#isTaken(image));
    if (conflicts.length > 0) throw new RecordConflict(conflicts.map(({ id }) => id));
    const swept = images.filter(({ uuid }) => this.#swept.delete(uuid));
    if (swept.length > 0) throw new StorageUnavailable();
    for (const { metadata, hashes, ...image } of images) {
      if (!this.#images.has(image.id)) this.#change('image.created', image.id);
      this.#images.set(image.id, this.#images.get(image.id) ?? Object.freeze(recordOf(image)));
      this.describeChanged(image.id, metadata ?? this.#metadata.get(image.id) ?? UNCHANGED);
      this.setHashes(image.id, hashes);
    }
    const inOrder = [...this.#images].toSorted(([a], [b]) => a - b);
    this.#images.clear();
    for (const [id, image] of inOrder) this.#images.set(id, image);
    await this.reserveIds(inOrder.at(-1)?.[0] ?? 0);
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
  all(): readonly CatalogImage[] {
    return [...this.#images.values()].map((image) => this.#shown(image));
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

  /** Tags get the spelling that the catalog has already. */
  describe(id: number, metadata: ImageMetadata): void {
    const known = [...this.#metadata.values()].flatMap(({ tags }) => tags);
    const spelled = metadata.tags.map((tag) => known.find((other) => fold(other) === fold(tag)) ?? tag);
    this.#metadata.set(id, Object.freeze({ ...metadata, tags: mergeTags(spelled) }));
  }

  /** As `describe`; another version is a change. */
  describeChanged(id: number, metadata: ImageMetadata, by?: string): void {
    const before = this.#metadata.get(id) ?? UNCHANGED;
    this.describe(id, metadata);
    if (metadata.version !== before.version) this.#change('image.updated', id, by, metadata.version);
  }

  #change(type: ChangeType, imageId: number, by?: string, version?: number): void {
    this.changes.add({ type, imageId, version, at: this.clock.now(), by: by ?? null });
  }

  #shown(image: Image): CatalogImage {
    const metadata = this.#metadata.get(image.id);
    if (metadata === undefined) throw new TypeError('An image without metadata');
    return { ...image, ...summaryOf(metadata) };
  }

  #isTaken({ id, uuid }: Image): boolean {
    return [...this.#images.values()].some((other) => (other.id === id) !== (other.uuid === uuid));
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
  sha256,
  thumbhash,
  createdAt,
}: Image): Image {
  return { id, uuid, originalName, mediaType, size, width, height, sha256, thumbhash, createdAt };
}

function isBehind(id: number, order: ImagePageQuery['order'], after: number | undefined): boolean {
  if (after === undefined) return true;
  return order === 'asc' ? id > after : id < after;
}
