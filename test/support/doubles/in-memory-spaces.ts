import { isDeepStrictEqual } from 'node:util';
import { SpaceInUse } from '../../../src/domain/errors.ts';
import { compareCodePoints } from '../../../src/domain/image/words/compare-code-points.ts';
import type { OwnedImage } from '../../../src/domain/ports/records/image-repository.ts';
import { type Page, pageOf } from '../../../src/domain/ports/records/page.ts';
import type {
  LimitChange,
  Recount,
  SpacePageQuery,
  SpaceRecords,
  SpaceStatus,
} from '../../../src/domain/ports/records/space-records.ts';
import type { Usage } from '../../../src/domain/space/space.ts';
import {
  type Amount,
  COMMON_SPACE,
  type Limits,
  NO_LIMITS,
  NOTHING,
  type Space,
} from '../../../src/domain/space/space.ts';
import type { InMemoryIdempotencyKeys } from './in-memory-idempotency-keys.ts';

interface SpacesOfImages {
  readonly trash: { all(): readonly OwnedImage[] };
  readonly names: { forget(space: Space): void };
  all(): readonly OwnedImage[];
  move(from: Space, to: Space): void;
}

/** The limits that a space has of its own. */
interface OwnLimits {
  readonly space: Space;
  readonly limits: Required<LimitChange>;
}

/** Keeps counters as a database does: they change in the step that changes the images. */
export class InMemorySpaces implements SpaceRecords {
  /** Those of the settings. */
  defaults: Limits = NO_LIMITS;
  /** Of a page. */
  maxCandidates = Number.POSITIVE_INFINITY;
  readonly #limits = new Map<Space, Required<LimitChange>>();
  readonly #amounts = new Map<Space, Amount>();
  readonly #trashed = new Map<Space, Amount>();

  constructor(
    private readonly images: SpacesOfImages,
    private readonly keys: InMemoryIdempotencyKeys | undefined,
  ) {}

  async find(space: Space): Promise<Usage> {
    const trashed = this.#trashed.get(space) ?? NOTHING;
    return { ...this.amountOf(space), trashed, limits: this.limitsOf(space) };
  }

  async findAll(): Promise<readonly SpaceStatus[]> {
    const names = new Set([...this.#held().map(({ space }) => space), ...this.#limits.keys()]);
    const sorted = [...names].toSorted(compareCodePoints);
    return await Promise.all(sorted.map(async (space) => ({ space, ...(await this.find(space)) })));
  }

  async findPage({ after, limit }: SpacePageQuery): Promise<Page<SpaceStatus, Space>> {
    const all = await this.findAll();
    const rest = all.filter(({ space }) => after === undefined || compareCodePoints(space, after) > 0);
    const placed = rest.map((status) => ({ item: status, position: status.space }));
    return pageOf(placed, Math.min(limit, this.maxCandidates));
  }

  async findStatus(space: Space): Promise<SpaceStatus | undefined> {
    return (await this.findAll()).find((status) => status.space === space);
  }

  async setLimits(space: Space, { images, bytes }: LimitChange): Promise<SpaceStatus> {
    const before = this.#limits.get(space);
    this.#setOwn(space, {
      images: images === undefined ? (before?.images ?? 'default') : images,
      bytes: bytes === undefined ? (before?.bytes ?? 'default') : bytes,
    });
    return { space, ...(await this.find(space)) };
  }

  ownLimits(): readonly OwnLimits[] {
    return [...this.#limits].map(([space, limits]) => ({ space, limits }));
  }

  replaceLimits(all: readonly OwnLimits[]): void {
    this.#limits.clear();
    for (const { space, limits } of all) this.#setOwn(space, limits);
  }

  async rename(from: Space, to: Space): Promise<boolean> {
    const isUsed = this.#hasImages(to) || this.#limits.has(to) || this.keys?.hasAnyIn(to) === true;
    if (isUsed) throw new SpaceInUse();
    const isThere = from === COMMON_SPACE || this.#hasImages(from) || this.#limits.has(from);
    this.images.move(from, to);
    this.keys?.move(from, to);
    const limits = this.#limits.get(from);
    this.#limits.delete(from);
    if (limits !== undefined) this.#limits.set(to, limits);
    return isThere;
  }

  async forget(space: Space): Promise<boolean> {
    if (this.#hasImages(space)) return false;
    this.keys?.removeAllIn(space);
    this.images.names.forget(space);
    this.#limits.delete(space);
    return true;
  }

  async recount(): Promise<readonly Recount[]> {
    return [
      ...recountOf('images', this.images.all(), this.#amounts),
      ...recountOf('trash', this.images.trash.all(), this.#trashed),
    ];
  }

  async repair(space: Space): Promise<readonly Recount[]> {
    const wrong = (await this.recount()).filter((recount) => recount.space === space);
    for (const { of, counted } of wrong) {
      const amounts = of === 'images' ? this.#amounts : this.#trashed;
      amounts.set(space, counted);
    }
    return wrong;
  }

  /** As the counters say. */
  amountOf(space: Space): Amount {
    return this.#amounts.get(space) ?? NOTHING;
  }

  /** With the trash. */
  heldIn(space: Space): Amount {
    return sumOf(this.amountOf(space), this.#trashed.get(space) ?? NOTHING);
  }

  /** Of images that have come into the space; negative if they have left it. */
  count(space: Space, amount: Amount): void {
    this.#amounts.set(space, sumOf(this.amountOf(space), amount));
  }

  trashedIn(space: Space): Amount {
    return this.#trashed.get(space) ?? NOTHING;
  }

  countTrashed(space: Space, amount: Amount): void {
    this.#trashed.set(space, sumOf(this.#trashed.get(space) ?? NOTHING, amount));
  }

  limitsOf(space: Space): Limits {
    const own = this.#limits.get(space);
    const limitOf = (name: keyof Limits): number | null => {
      const limit = own?.[name] ?? (own === undefined ? 'default' : null);
      return limit === 'default' ? this.defaults[name] : limit;
    };
    return { images: limitOf('images'), bytes: limitOf('bytes') };
  }

  #setOwn(space: Space, limits: Required<LimitChange>): void {
    if (limits.images === 'default' && limits.bytes === 'default') this.#limits.delete(space);
    else this.#limits.set(space, limits);
  }

  #held(): readonly OwnedImage[] {
    return [...this.images.all(), ...this.images.trash.all()];
  }

  #hasImages(space: Space): boolean {
    return this.#held().some((image) => image.space === space);
  }
}

function recountOf(
  of: Recount['of'],
  images: readonly OwnedImage[],
  amounts: ReadonlyMap<Space, Amount>,
): readonly Recount[] {
  const names = new Set([...images.map(({ space }) => space), ...amounts.keys()]);
  return [...names]
    .map((space) => ({
      of,
      space,
      counted: amountIn(images, space),
      recorded: amounts.get(space) ?? NOTHING,
    }))
    .filter(({ counted, recorded }) => !isDeepStrictEqual(counted, recorded));
}

function sumOf(one: Amount, other: Amount): Amount {
  return { images: one.images + other.images, bytes: one.bytes + other.bytes };
}

function amountIn(images: readonly OwnedImage[], space: Space): Amount {
  const sizes = images.flatMap((image) => (image.space === space ? [image.size] : []));
  return { images: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}
