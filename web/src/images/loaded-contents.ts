import type { ImageRecord } from '@image-catalog/client';
import { lastIndexWhere } from './binary-search.ts';
import type { ListContents, ListSegment } from './image-list.ts';
import { type ListPlan, nextInSequence, type PlannedSegment, type Section, UNDATED } from './list-plan.ts';
import type { PageReader } from './page-reader.ts';
import { daysAround, timeOf } from './record-time.ts';

export interface ContentsEvents {
  /** Pictures were loaded, or their number changed. */
  readonly changed: () => void;
  /** The service has other pictures than the plan says. */
  readonly outdated: () => void;
  /** A request in the background has failed, or `undefined`: one has succeeded. */
  readonly problem: (error: unknown) => void;
}

class Segment implements ListSegment {
  readonly section: number;
  /** As planned: the position in the list of the service. */
  readonly plannedFirst: number;
  plannedCount: number;
  readonly hidden = new Set<number>();
  first: number;
  records: readonly ImageRecord[] | undefined;
  revision = 0;
  /** When it was wanted last; rises. */
  used = 0;
  /** With those that are hidden. */
  all: readonly ImageRecord[] | undefined;

  constructor({ first, count, section }: PlannedSegment) {
    this.plannedFirst = first;
    this.plannedCount = count;
    this.first = first;
    this.section = section;
  }

  get count(): number {
    return this.plannedCount - this.hidden.size;
  }
}

interface Load {
  /** Indexes of segments, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly abort: AbortController;
  readonly done: Promise<void>;
  /** A caller waits for it. */
  isAwaited: boolean;
}

/** A search of the service has two places beside those of others. */
const MAX_LOADS = 2;
/** Some megabytes. More than the 5,000 that can be selected: the check mark of a month looks at all of its pictures. */
const MAX_RECORDS = 6000;
/** Up to these, `locate` reads all segments of the days in question. */
const FEW_SEGMENTS = 6;

/** The pictures of one plan. */
export class LoadedContents implements ListContents {
  readonly #plan: ListPlan;
  readonly #reader: PageReader;
  readonly #isHidden: (id: number) => boolean;
  readonly #events: ContentsEvents;
  readonly #segments: Segment[];
  readonly #segmentOf = new Map<number, Segment>();
  readonly #loads = new Set<Load>();
  #wanted = { from: 0, to: -1 };
  #uses = 0;
  /** With pictures that are hidden. */
  #total: number;
  #sections: readonly Section[];
  #isOpen: boolean;
  #isDisposed = false;

  constructor(plan: ListPlan, reader: PageReader, isHidden: (id: number) => boolean, events: ContentsEvents) {
    this.#plan = plan;
    this.#reader = reader;
    this.#isHidden = isHidden;
    this.#events = events;
    this.#segments = plan.segments.map((segment) => new Segment(segment));
    this.#total = plan.total;
    this.#sections = plan.sections;
    this.#isOpen = plan.isOpen;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Without what is hidden. */
  get sections(): readonly Section[] {
    return this.#sections;
  }

  get segments(): readonly ListSegment[] {
    return this.#segments;
  }

  get count(): number {
    const last = this.#segments.at(-1);
    if (last === undefined) return 0;
    const hiddenBefore = last.plannedFirst - last.first;
    return this.#total - hiddenBefore - last.hidden.size;
  }

  recordAt(position: number): ImageRecord | undefined {
    const segment = this.#segments[this.#indexAt(position)];
    return segment?.records?.[position - segment.first];
  }

  positionOf(id: number): number | undefined {
    const segment = this.#segmentOf.get(id);
    const index = segment?.records?.findIndex((record) => record.id === id) ?? -1;
    return segment === undefined || index === -1 ? undefined : segment.first + index;
  }

  async load(position: number): Promise<ImageRecord | undefined> {
    if (position < 0 || position >= this.count) return undefined;
    this.#reach(position);
    const index = this.#indexAt(position);
    const segment = this.#segments[index];
    if (segment === undefined) return undefined;
    segment.used = ++this.#uses;
    if (segment.all !== undefined) return this.recordAt(position);
    const load = this.#loadOf(index) ?? this.#start(index);
    load.isAwaited = true;
    await load.done;
    // What is hidden in the segment has moved the others.
    return segment.all === undefined ? undefined : (this.recordAt(position) ?? (await this.load(position)));
  }

  want(first: number, last: number): void {
    this.#wanted = { from: this.#indexAt(first), to: this.#indexAt(last) };
    for (let index = this.#wanted.from; index <= this.#wanted.to; index += 1) {
      const segment = this.#segments[index];
      if (segment !== undefined) segment.used = ++this.#uses;
    }
    for (const load of this.#loads) if (!load.isAwaited && !this.#isWanted(load)) load.abort.abort();
    this.#startWanted();
  }

  /** Resolves when what is between the positions is loaded. */
  async loadAll(first: number, last: number): Promise<void> {
    for (let index = this.#indexAt(first); index <= this.#indexAt(last); index += 1) {
      await this.load(this.#segments[index]?.first ?? -1);
    }
  }

  replace(records: readonly ImageRecord[]): void {
    const byId = new Map(records.map((record) => [record.id, record]));
    const segments = new Set(records.flatMap(({ id }) => this.#segmentOf.get(id) ?? []));
    for (const segment of segments) {
      if (segment.all === undefined) continue;
      const all = segment.all.map((known) => byId.get(known.id) ?? known);
      this.#fill(segment, all);
    }
    if (segments.size > 0) this.#events.changed();
  }

  /** After pictures were hidden or shown. */
  updateHidden(ids: readonly number[]): void {
    for (const segment of this.#segments) {
      const isConcerned = ids.some((id) => segment.hidden.has(id) || this.#segmentOf.get(id) === segment);
      if (!isConcerned) continue;
      for (const id of ids) if (!this.#isHidden(id)) segment.hidden.delete(id);
      if (segment.all !== undefined) this.#fill(segment, segment.all);
      segment.revision += 1;
    }
    this.#renumber();
    this.#events.changed();
  }

  async locate(record: ImageRecord): Promise<number | undefined> {
    const known = this.positionOf(record.id);
    if (known !== undefined) return known;
    const days = await this.#reader.days();
    const isApart = record.takenAt === null && days.some(({ period }) => period === UNDATED);
    const around = isApart ? [UNDATED] : daysAround(record);
    const near = days.filter(({ period }) => around.includes(period));
    const [first, last] = [near[0], near.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const from = this.#plannedIndexAt(first.first);
    const to = this.#plannedIndexAt(last.first + last.count - 1);
    return to - from < FEW_SEGMENTS
      ? await this.#findIn(record.id, from, to)
      : await this.#bisect(record, from, to);
  }

  /** Ends all requests. */
  dispose(): void {
    this.#isDisposed = true;
    for (const { abort } of this.#loads) abort.abort();
  }

  async #findIn(id: number, from: number, to: number): Promise<number | undefined> {
    for (let index = Math.max(0, from); index <= to; index += 1) {
      await this.load(this.#segments[index]?.first ?? -1);
      const position = this.positionOf(id);
      if (position !== undefined) return position;
    }
    return undefined;
  }

  /** Times without an offset may be some hours off, so that the neighbours are read too. */
  async #bisect(record: ImageRecord, from: number, to: number): Promise<number | undefined> {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      await this.load(this.#segments[middle]?.first ?? -1);
      const oldest = this.#segments[middle]?.all?.at(-1);
      if (oldest !== undefined && timeOf(oldest) <= timeOf(record)) high = middle;
      else low = middle + 1;
    }
    return await this.#findIn(record.id, low - 1, low + 1);
  }

  #startWanted(): void {
    for (let index = this.#wanted.from; index <= this.#wanted.to; index += 1) {
      if (this.#loads.size >= MAX_LOADS) return;
      const segment = this.#segments[index];
      if (segment?.all === undefined && segment !== undefined && this.#loadOf(index) === undefined) {
        this.#start(index).done.catch((error: unknown) => this.#events.problem(error));
      }
    }
  }

  /** With the segments behind it that fit into the same page. */
  #start(index: number): Load {
    const abort = new AbortController();
    const to = this.#endOfPage(index);
    const load: Load = { from: index, to, abort, isAwaited: false, done: this.#run(index, to, abort.signal) };
    this.#loads.add(load);
    const end = (): void => {
      this.#loads.delete(load);
      if (!this.#isDisposed) this.#startWanted();
    };
    load.done.then(end, () => {
      this.#loads.delete(load);
    });
    return load;
  }

  #endOfPage(index: number): number {
    let count = this.#segments[index]?.plannedCount ?? 0;
    let to = index;
    for (;;) {
      const next = this.#segments[to + 1];
      if (next === undefined || next.all !== undefined || this.#loadOf(to + 1) !== undefined) return to;
      count += next.plannedCount;
      if (count > this.#plan.pageSize) return to;
      to += 1;
    }
  }

  async #run(from: number, to: number, signal: AbortSignal): Promise<void> {
    const segments = this.#segments.slice(from, to + 1);
    const first = segments[0]?.plannedFirst ?? 0;
    const count = segments.reduce((sum, segment) => sum + segment.plannedCount, 0);
    let records: readonly ImageRecord[];
    try {
      records = await this.#reader.read(first, count, signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    if (signal.aborted) return;
    let isOutdated = !this.#isOpen && records.length < count;
    if (this.#isOpen) this.#learnTotal(segments, first + records.length);
    for (const segment of segments) {
      const start = segment.plannedFirst - first;
      const own = records.slice(start, start + segment.plannedCount);
      isOutdated ||= own.some(({ id }) => (this.#segmentOf.get(id) ?? segment) !== segment);
      segment.used = ++this.#uses;
      this.#fill(segment, own);
    }
    this.#extend();
    this.#renumber();
    this.#forget();
    this.#events.problem(undefined);
    this.#events.changed();
    if (isOutdated) this.#events.outdated();
  }

  #fill(segment: Segment, all: readonly ImageRecord[]): void {
    segment.all = all;
    for (const { id } of all) {
      this.#segmentOf.set(id, segment);
      if (this.#isHidden(id)) segment.hidden.add(id);
    }
    segment.records = segment.hidden.size === 0 ? all : all.filter(({ id }) => !segment.hidden.has(id));
    segment.revision += 1;
  }

  /** A list without a timeline: the page after the last one that is known. */
  #extend(): void {
    const last = this.#segments.at(-1);
    if (last?.all === undefined || this.#plan.months.length > 0) return;
    this.#append(last);
  }

  /** Of a list that was not counted: it ends here, or has at least one page more. */
  #learnTotal(segments: readonly Segment[], end: number): void {
    const last = segments.at(-1);
    if (last === undefined || last !== this.#segments.at(-1)) return;
    this.#isOpen = end === last.plannedFirst + last.plannedCount;
    this.#total = this.#isOpen ? end + this.#plan.pageSize : end;
    last.plannedCount = Math.max(0, end - last.plannedFirst);
  }

  #reach(position: number): void {
    for (;;) {
      const last = this.#segments.at(-1);
      if (last === undefined || position < last.first + last.count) return;
      if (!this.#append(last)) return;
      this.#renumber();
    }
  }

  /** @returns whether there is one behind the last segment */
  #append({ plannedFirst, plannedCount }: Segment): boolean {
    const end = plannedFirst + plannedCount;
    if (end >= this.#total) return false;
    this.#segments.push(new Segment(nextInSequence(end, this.#total, this.#plan.pageSize)));
    return true;
  }

  #renumber(): void {
    let first = 0;
    for (const segment of this.#segments) {
      segment.first = first;
      first += segment.count;
    }
    if (this.#plan.months.length > 0) this.#sections = this.#countedSections();
  }

  #countedSections(): readonly Section[] {
    const counts = new Map<number, number>();
    for (const { section, count } of this.#segments) counts.set(section, (counts.get(section) ?? 0) + count);
    let end = 0;
    return this.#plan.sections.map(({ period }, index) => {
      const count = counts.get(index) ?? 0;
      end += count;
      return { period, count, first: end - count };
    });
  }

  /** Those that were used last stay. */
  #forget(): void {
    const loaded = this.#segments.filter(({ all }) => all !== undefined);
    let records = loaded.reduce((sum, { all = [] }) => sum + all.length, 0);
    for (const segment of loaded.sort((a, b) => a.used - b.used)) {
      if (records <= MAX_RECORDS) return;
      records -= segment.all?.length ?? 0;
      for (const { id } of segment.all ?? []) {
        if (this.#segmentOf.get(id) === segment) this.#segmentOf.delete(id);
      }
      segment.all = undefined;
      segment.records = undefined;
      segment.revision += 1;
    }
  }

  #loadOf(index: number): Load | undefined {
    for (const load of this.#loads) {
      if (load.from <= index && index <= load.to && !load.abort.signal.aborted) return load;
    }
    return undefined;
  }

  #isWanted({ from, to }: Load): boolean {
    return from <= this.#wanted.to + 1 && to >= this.#wanted.from - 1;
  }

  #indexAt(position: number): number {
    return lastIndexWhere(this.#segments, ({ first }) => first <= position);
  }

  #plannedIndexAt(position: number): number {
    return lastIndexWhere(this.#segments, ({ plannedFirst }) => plannedFirst <= position);
  }
}
