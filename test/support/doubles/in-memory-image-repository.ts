import { RecordConflict } from '../../../src/domain/errors.ts';
import type { Image, NewImage } from '../../../src/domain/image/image.ts';
import type { Clock } from '../../../src/domain/ports/clock.ts';
import type { IdempotencyClaim } from '../../../src/domain/ports/idempotency-keys.ts';
import type {
  ImageFilter,
  ImagePageQuery,
  ImageRecords,
} from '../../../src/domain/ports/image-repository.ts';
import type { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys.ts';

export class InMemoryImageRepository implements ImageRecords {
  /** In the order of the ids: a `Map` keeps the order of insertion. */
  readonly #images = new Map<number, Image>();
  #lastId = 0;

  /** @param keys those of the same database */
  constructor(
    private readonly clock: Clock,
    private readonly keys?: InMemoryIdempotencyKeys,
  ) {}

  async add(image: NewImage, claim?: IdempotencyClaim): Promise<Image> {
    if (claim !== undefined) this.keys?.complete(claim, this.#lastId + 1);
    const newest = [...this.#images.values()].at(-1);
    const createdAt = new Date(Math.max(this.clock.now().getTime(), newest?.createdAt.getTime() ?? 0));
    this.#lastId += 1;
    const recorded = Object.freeze({ ...image, id: this.#lastId, createdAt });
    this.#images.set(recorded.id, recorded);
    return recorded;
  }

  async findById(id: number): Promise<Image | undefined> {
    return this.#images.get(id);
  }

  async findPage({ filter, order, after, limit }: ImagePageQuery): Promise<readonly Image[]> {
    const ascending = this.#matching(filter);
    const ordered = order === 'asc' ? ascending : ascending.toReversed();
    return ordered.filter(({ id }) => isBehind(id, order, after)).slice(0, limit);
  }

  async count(filter: ImageFilter): Promise<number> {
    return this.#matching(filter).length;
  }

  async removeById(id: number, claim?: IdempotencyClaim): Promise<boolean> {
    if (!this.#images.delete(id)) return false;
    if (claim !== undefined) this.keys?.withdraw(claim, id);
    return true;
  }

  async findIdsBySha256(digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = digests.map((digest) => [digest, this.#matching({ sha256: digest })] as const);
    const known = found.filter(([, images]) => images.length > 0);
    return new Map(known.map(([digest, images]) => [digest, images.map(({ id }) => id)]));
  }

  async findUuidsAmong(uuids: readonly string[]): Promise<ReadonlySet<string>> {
    const recorded = new Set<string>([...this.#images.values()].map(({ uuid }) => uuid));
    return new Set(uuids.filter((uuid) => recorded.has(uuid)));
  }

  async mayBeRecorded(uuid: string): Promise<boolean> {
    return (await this.findUuidsAmong([uuid])).size > 0;
  }

  async removeUnrecorded(uuid: string, remove: () => Promise<void>): Promise<boolean> {
    if ((await this.findUuidsAmong([uuid])).size > 0) return false;
    await remove();
    return true;
  }

  async restore(images: readonly Image[]): Promise<void> {
    const conflicts = images.filter((image) => this.#isTaken(image));
    if (conflicts.length > 0) throw new RecordConflict(conflicts.map(({ id }) => id));
    for (const image of images) this.#images.set(image.id, Object.freeze({ ...image }));
    const inOrder = [...this.#images].toSorted(([a], [b]) => a - b);
    this.#images.clear();
    for (const [id, image] of inOrder) this.#images.set(id, image);
    await this.reserveIds(inOrder.at(-1)?.[0] ?? 0);
  }

  async highestId(): Promise<number> {
    return this.#lastId;
  }

  async reserveIds(upTo: number): Promise<void> {
    this.#lastId = Math.max(this.#lastId, upTo);
  }

  async ping(): Promise<void> {}

  #isTaken({ id, uuid }: Image): boolean {
    return [...this.#images.values()].some((other) => (other.id === id) !== (other.uuid === uuid));
  }

  #matching(filter: ImageFilter): Image[] {
    return [...this.#images.values()].filter((image) => matches(image, filter));
  }
}

function isBehind(id: number, order: ImagePageQuery['order'], after: number | undefined): boolean {
  if (after === undefined) return true;
  return order === 'asc' ? id > after : id < after;
}

function matches(image: Image, { mediaType, sha256, createdAfter, createdBefore }: ImageFilter): boolean {
  if (mediaType !== undefined && image.mediaType !== mediaType) return false;
  if (sha256 !== undefined && image.sha256 !== sha256) return false;
  if (createdAfter !== undefined && image.createdAt <= createdAfter) return false;
  return createdBefore === undefined || image.createdAt < createdBefore;
}
