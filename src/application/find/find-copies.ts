import type { CatalogImage } from '../../domain/image/image.ts';
import { kindOf, type Look } from '../../domain/image/similar-kind.ts';
import type { Turns } from '../../domain/ports/process/turns.ts';
import type { Candidates, CopyCandidates } from '../../domain/ports/records/copy-candidates.ts';
import type { ImageSearch, SearchPlace } from '../../domain/ports/records/image-search.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Page, Placed } from '../../domain/ports/records/page.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import { mapInPortions } from '../concurrency/map-in-portions.ts';
import { COPIES_LIMITS } from './copies-limits.ts';
import type { Searches } from './searches.ts';

/** A page ends when it has walked this many images. */
const MAX_WALKED = 50_000;
/** A page ends when its work has taken about so many µs: among a million images, or where very many look nearly alike. */
const MAX_WORK = 2_500_000;
/** In µs. An entry of an index takes one. */
const [LOOK_WORK, PAIR_WORK] = [50, 2];

/** Images that are walked at a time: few while a page fills quickly, because those behind its end are walked again. */
const [FEWEST, MOST] = [128, 1_000];

const NEWEST_FIRST = { filter: {}, sort: { by: 'created', order: 'desc' } } as const;

export interface CopiesQuery {
  readonly after: SearchPlace | undefined;
  /** Groups; 1 to `COPIES_LIMITS.groups`. */
  readonly limit: number;
}

/** Oldest first; at least two. */
export type CopyGroup = readonly CatalogImage[];

/** The ids of a group; behind its newest image. */
type FoundGroup = Placed<readonly number[], SearchPlace>;

/**
 * Groups of copies. An image is in the group of the oldest image of which it is a copy, if that is no copy itself: being a copy is not
 * transitive, so a group needs an image that all others are copies of, and nothing is in two groups. What is a copy of a copy alone
 * shows up when one of the two is gone.
 */
export class FindCopies {
  constructor(
    private readonly images: InSpaces<Pick<ImageSearch, 'findPage' | 'readRecords'>>,
    private readonly candidates: InSpaces<CopyCandidates>,
    private readonly searches: Searches,
  ) {}

  /**
   * One page, in parts: the reader may end it behind any group. The newest group first, by its newest image.
   *
   * @throws {Overloaded | StorageUnavailable}
   */
  async *page(
    space: Space,
    query: CopiesQuery,
    caller: Caller,
  ): AsyncGenerator<Page<CopyGroup, SearchPlace>, void, undefined> {
    const images = this.images.in(space);
    const turns = this.searches.turnsOf(caller, 'page');
    const { items, next } = await new CopyWalk(images, this.candidates.in(space), turns).page(query);
    for (const { item: ids, position } of items) {
      const group: CatalogImage[] = [];
      for await (const portion of images.readRecords(ids)) group.push(...portion);
      // Others may not be copies of each other.
      const isWhole = group.length > 1 && group[0]?.id === ids[0];
      yield { items: isWhole ? [{ item: group, position }] : [], next: position };
    }
    yield { items: [], next };
  }
}

class CopyWalk {
  private walked = 0;
  private work = 0;

  constructor(
    private readonly images: Pick<ImageSearch, 'findPage'>,
    private readonly candidates: CopyCandidates,
    private readonly turns: Turns,
  ) {}

  /** Walks all images, newest first: a group is found at its newest image. */
  async page({ after, limit }: CopiesQuery): Promise<Page<readonly number[], SearchPlace>> {
    const found: FoundGroup[] = [];
    let [position, size] = [after, FEWEST];
    do {
      const portion = await this.images.findPage(
        { ...NEWEST_FIRST, after: position, limit: size },
        this.turns,
      );
      this.walked += portion.items.length;
      const before = found.length;
      found.push(...(await this.groupsEndingAt(portion.items)));
      if (found.length > limit) {
        const items = found.slice(0, limit);
        return { items, next: items.at(-1)?.position };
      }
      position = portion.next;
      if (found.length - before < limit / 4) size = Math.min(size * 2, MOST);
    } while (position !== undefined && found.length < limit && !this.hasLookedEnough);
    return { items: found, next: position };
  }

  private get hasLookedEnough(): boolean {
    return this.walked >= MAX_WALKED || this.work >= MAX_WORK;
  }

  private async groupsEndingAt(
    portion: ReadonlyArray<Placed<number, SearchPlace>>,
  ): Promise<readonly FoundGroup[]> {
    const oldest = await this.oldestCopies(portion.map(({ item }) => item));
    const firsts = [...new Set(oldest.values())];
    const notFirst = await this.oldestCopies(firsts);
    const groups = await this.groupsOf(firsts.filter((id) => !notFirst.has(id)));
    return portion.flatMap(({ item: id, position }) => {
      const group = groups.get(oldest.get(id) ?? id);
      return group?.at(-1) === id ? [{ item: group, position }] : [];
    });
  }

  /** The oldest image of which each is a copy. Others are left out. */
  private async oldestCopies(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const found = new Map<number, number>();
    const candidates = await this.candidates.findOlder(ids, this.turns);
    for (const [id, [oldest]] of await this.copiesAmong(candidates, 1)) {
      if (oldest !== undefined) found.set(id, oldest);
    }
    return found;
  }

  /** By their oldest images; each with it, oldest first. */
  private async groupsOf(firsts: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const newer = await this.copiesAmong(
      await this.candidates.findNewer(firsts, this.turns),
      COPIES_LIMITS.copies - 1,
    );
    const oldest = await this.oldestCopies([...new Set([...newer.values()].flat())]);
    const groups = [...newer].map(
      ([first, copies]) => [first, [first, ...copies.filter((id) => oldest.get(id) === first)]] as const,
    );
    return new Map(groups.filter(([, { length }]) => length > 1));
  }

  /** The copies among the candidates, the first ones of each. */
  private async copiesAmong(
    { of, looked }: Candidates,
    most: number,
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    const ids = new Set<number>();
    for (const [id, others] of of) for (const some of [id, ...others]) ids.add(some);
    const looks = await this.candidates.findLooks([...ids], this.turns);
    this.work += looked + ids.size * LOOK_WORK;
    const found = await mapInPortions([...of], ([id, others]) => {
      const { copies, compared } = firstCopies(looks, id, others, most);
      this.work += compared * PAIR_WORK;
      return [id, copies] as const;
    });
    return new Map(found);
  }
}

function firstCopies(
  looks: ReadonlyMap<number, Look>,
  id: number,
  others: readonly number[],
  most: number,
): { readonly copies: readonly number[]; readonly compared: number } {
  const own = looks.get(id);
  const copies: number[] = [];
  let compared = 0;
  for (const otherId of others) {
    const other = looks.get(otherId);
    compared += 1;
    if (own !== undefined && other !== undefined && kindOf(own, other) === 'copy') copies.push(otherId);
    if (copies.length === most) break;
  }
  return { copies, compared };
}
