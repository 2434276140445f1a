import { isDeepStrictEqual } from 'node:util';
import { InvalidPlace } from '../../../src/domain/errors.ts';
import { conditionsBy } from '../../../src/domain/image/fields.ts';
import type { CatalogImage } from '../../../src/domain/image/image.ts';
import {
  emptyValue,
  type NewMetadata,
  NO_METADATA,
  takenAtOf,
} from '../../../src/domain/image/image-metadata.ts';
import { powerAbove } from '../../../src/domain/image/power-above.ts';
import { searchableTexts } from '../../../src/domain/image/searchable-texts.ts';
import { Shuffle } from '../../../src/domain/image/shuffle.ts';
import { Calendar, DAYS_OF_PERIOD, type Period } from '../../../src/domain/image/time/calendar.ts';
import { formatPeriod } from '../../../src/domain/image/time/format-period.ts';
import { parseCaptureTime } from '../../../src/domain/image/time/parse-capture-time.ts';
import { fold } from '../../../src/domain/image/words/fold.ts';
import { indexWords } from '../../../src/domain/image/words/words.ts';
import type {
  ImageSearch,
  PeriodCount,
  SearchFilter,
  SearchPage,
  SearchPlace,
  SearchQuery,
  SearchSort,
  Timeline,
} from '../../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../../src/domain/ports/records/in-spaces.ts';
import { pageOf } from '../../../src/domain/ports/records/page.ts';
import type { Space } from '../../../src/domain/space/space.ts';
import type { InMemoryImageRepository } from './in-memory-image-repository.ts';

/** Records that are read at a time. */
const PORTION = 32;

/** Compares every image with the query: the definition of the results. */
export class InMemorySearch implements InSpaces<ImageSearch & Timeline> {
  constructor(
    private readonly images: InMemoryImageRepository,
    private readonly calendar = new Calendar('UTC'),
    private readonly maxCandidates = 50_000,
  ) {}

  in(space: Space): ImageSearch & Timeline {
    return new InMemorySearchOfSpace(this.images, this.calendar, this.maxCandidates, space);
  }
}

class InMemorySearchOfSpace implements ImageSearch, Timeline {
  constructor(
    private readonly images: InMemoryImageRepository,
    private readonly calendar: Calendar,
    private readonly maxCandidates: number,
    private readonly space: Space,
  ) {}

  async findPage({ filter, sort, after, upToId, limit }: SearchQuery): Promise<SearchPage> {
    const largest = powerAbove(this.images.lastPlaceIn(this.space));
    const power = after?.by === 'random' ? after.power : largest;
    if (power > largest) throw new InvalidPlace();
    const candidates = this.images
      .allIn(this.space)
      .filter(({ id }) => id <= (upToId ?? id))
      .map((item) => ({ item, position: this.#placeOf(item, sort, power) }))
      .filter(({ item }) => sort.by !== 'random' || this.#numberOf(item) < 2 ** power)
      .toSorted((a, b) => comparePlaces(a.position, b.position) * directionOf(sort))
      .filter(
        ({ position }) => after === undefined || comparePlaces(position, after) * directionOf(sort) > 0,
      );
    const looked = candidates.slice(0, this.maxCandidates);
    const { items, next } = pageOf(
      looked.filter(({ item }) => this.#matches(item, filter)),
      limit,
    );
    return {
      items: items.map(({ item: { id }, position }) => ({ item: id, position })),
      next: next ?? (looked.length < candidates.length ? looked.at(-1)?.position : undefined),
    };
  }

  async *readRecords(ids: readonly number[]): AsyncGenerator<readonly CatalogImage[], void, undefined> {
    for (let begin = 0; begin < ids.length; begin += PORTION) {
      const images = new Map(this.images.allIn(this.space).map((image) => [image.id, image]));
      yield ids.slice(begin, begin + PORTION).flatMap((id) => images.get(id) ?? []);
    }
  }

  async count(filter: SearchFilter): Promise<number> {
    return this.#matching(filter).length;
  }

  async highestId(): Promise<number> {
    return await this.images.highestId();
  }

  async periods(period: Period, filter: SearchFilter): Promise<readonly PeriodCount[]> {
    const counts = new Map<number, number>();
    for (const image of this.#matching(filter)) {
      const number = Math.floor(this.calendar.dayOf(this.#timeOf(image)) / DAYS_OF_PERIOD[period]);
      counts.set(number, (counts.get(number) ?? 0) + 1);
    }
    return [...counts]
      .toSorted(([a], [b]) => b - a)
      .map(([number, count]) => ({
        period: formatPeriod(period, number),
        count,
        after: { by: 'taken', time: this.calendar.endOf(period, number), id: 0 },
      }));
  }

  #matching(filter: SearchFilter): readonly CatalogImage[] {
    const images = this.images.allIn(this.space);
    return images.filter((image) => this.#matches(image, filter));
  }

  #matches(image: CatalogImage, filter: SearchFilter): boolean {
    if (!isRecordOf(image, filter)) return false;
    const { tags, takenAfter, takenBefore } = filter;
    const folds = new Set(image.tags.map(fold));
    if (tags?.some((tag) => !folds.has(tag)) === true) return false;
    const taken = takenAfter !== undefined || takenBefore !== undefined;
    if (taken && image.takenAt === null) return false;
    const time = this.#timeOf(image);
    if (takenAfter !== undefined && time <= takenAfter.getTime()) return false;
    if (takenBefore !== undefined && time >= takenBefore.getTime()) return false;
    const metadata = this.images.metadataOf(image.id) ?? NO_METADATA;
    return (
      haveWords(searchableTexts(image.originalName, metadata), filter.words) &&
      meetsConditions(metadata, filter)
    );
  }

  #numberOf({ id }: CatalogImage): number {
    return this.images.placeOf(id) ?? id;
  }

  #timeOf({ takenAt, createdAt }: CatalogImage): number {
    const time = takenAt === null ? undefined : parseCaptureTime(takenAt);
    return time === undefined ? createdAt.getTime() : this.calendar.instantOf(time);
  }

  #placeOf(image: CatalogImage, sort: SearchSort, power: number): SearchPlace {
    if ('seed' in sort) {
      return {
        by: 'random',
        power,
        position: new Shuffle(sort.seed, power).positionOf(this.#numberOf(image)),
      };
    }
    if (sort.by === 'created') return { by: 'created', id: image.id };
    return { by: 'taken', time: this.#timeOf(image), id: image.id };
  }
}

/** The conditions of the table of fields. */
function meetsConditions(metadata: NewMetadata, filter: SearchFilter): boolean {
  const shown = { ...metadata, takenAt: takenAtOf(metadata) };
  return (
    conditionsBy('words', filter).every(({ of, condition }) =>
      haveWords(
        of.map((field) => metadata.capture[field] ?? null).filter((value) => typeof value !== 'number'),
        condition,
      ),
    ) &&
    conditionsBy('missing', filter).every(({ of }) => isDeepStrictEqual(shown[of], emptyValue(of))) &&
    conditionsBy('atLeast', filter).every(({ of, condition }) => Number(shown[of] ?? Number.NaN) >= condition)
  );
}

function haveWords(texts: ReadonlyArray<string | null>, words: readonly string[] = []): boolean {
  const indexed = [...indexWords(texts.filter((text) => text !== null))];
  return words.every((word) => indexed.some((other) => other.startsWith(word)));
}

function directionOf(sort: SearchSort): number {
  return sort.by !== 'random' && sort.order === 'desc' ? -1 : 1;
}

function comparePlaces(one: SearchPlace, other: SearchPlace): number {
  const [a, b] = [keysOf(one), keysOf(other)];
  return a[0] - b[0] || a[1] - b[1];
}

function keysOf(place: SearchPlace): readonly [number, number] {
  if (place.by === 'created') return [place.id, 0];
  return place.by === 'taken' ? [place.time, place.id] : [place.position, 0];
}

function isRecordOf(
  image: CatalogImage,
  { mediaType, sha256, createdBy, createdAfter, createdBefore }: SearchFilter,
): boolean {
  if (mediaType !== undefined && image.mediaType !== mediaType) return false;
  if (sha256 !== undefined && image.sha256 !== sha256) return false;
  if (createdBy !== undefined && image.createdBy !== createdBy) return false;
  if (createdAfter !== undefined && image.createdAt <= createdAfter) return false;
  return createdBefore === undefined || image.createdAt < createdBefore;
}
