import type { ImageRecord } from '@image-catalog/client';
import type { Clock } from '../base/clock.ts';
import { Store } from '../base/store.ts';

/** How long a picture is shown. */
const SLIDE_MS = 5000;

/** Pictures that are left out one after another because they cannot be loaded. Then it is no matter of one picture. */
const MOST_FAILURES = 3;

export interface Slide {
  readonly record: ImageRecord;
  /** Is decoded already. */
  readonly src: string;
}

export interface SlideshowState {
  readonly isPlaying: boolean;
  /** `undefined` until the first one is there. */
  readonly slide: Slide | undefined;
  /** There are no pictures, or they cannot be loaded. */
  readonly end: 'empty' | 'failed' | undefined;
}

export interface SlideshowParts {
  /** `undefined` if there are no pictures. */
  readonly at: (index: number) => Promise<ImageRecord | undefined>;
  /** Resolves to an address whose picture is decoded. */
  readonly load: (record: ImageRecord) => Promise<string>;
  readonly clock: Pick<Clock, 'after'>;
  readonly onError: (error: unknown, retry: () => void) => void;
}

/** Shows one picture after another. The next one is loaded while one is shown: nothing is shown before it is decoded. */
export class Slideshow {
  readonly state = new Store<SlideshowState>({ isPlaying: true, slide: undefined, end: undefined });
  readonly #parts: SlideshowParts;
  readonly #loads = new Map<number, Promise<Slide | undefined>>();
  #index = 0;
  #isSuspended = false;
  /** Rises with each picture that is asked for. */
  #steps = 0;
  #cancelTimer = (): void => undefined;

  constructor(parts: SlideshowParts) {
    this.#parts = parts;
  }

  start(): void {
    void this.#show(0, 1);
  }

  /** To the next picture or the previous one. */
  step(by: 1 | -1): void {
    if (this.#index + by >= 0) void this.#show(this.#index + by, by);
  }

  togglePlaying(): void {
    this.state.update((state) => ({ ...state, isPlaying: !state.isPlaying }));
    this.#wait();
  }

  /** While the page is not seen. */
  suspend(isSuspended: boolean): void {
    this.#isSuspended = isSuspended;
    this.#wait();
  }

  stop(): void {
    this.#steps += 1;
    this.#cancelTimer();
  }

  async #show(index: number, by: 1 | -1): Promise<void> {
    this.#steps += 1;
    const step = this.#steps;
    this.#cancelTimer();
    this.#index = index;
    const slide = await this.#loadFrom(index, by, () => step === this.#steps);
    if (step !== this.#steps || slide === undefined) return;
    this.state.update((state) => ({ ...state, slide, end: undefined }));
    this.#wait();
    this.#load(this.#index + 1).catch(() => undefined);
  }

  /** The first one of this direction that can be loaded. */
  async #loadFrom(index: number, by: 1 | -1, isWanted: () => boolean): Promise<Slide | undefined> {
    for (let failures = 0; isWanted(); failures += 1) {
      try {
        this.#index = Math.max(0, index + failures * by);
        const slide = await this.#load(this.#index);
        if (slide === undefined) this.#end('empty');
        return slide;
      } catch (error) {
        if (failures < MOST_FAILURES || !isWanted()) continue;
        this.#end('failed');
        this.#parts.onError(error, () => this.start());
        return undefined;
      }
    }
    return undefined;
  }

  #end(end: 'empty' | 'failed'): void {
    this.state.update((state) => ({ ...state, end, isPlaying: false }));
  }

  async #load(index: number): Promise<Slide | undefined> {
    const known = this.#loads.get(index);
    if (known !== undefined) return await known;
    const load = this.#loadSlide(index);
    this.#loads.set(index, load);
    for (const other of this.#loads.keys()) if (Math.abs(other - index) > 2) this.#loads.delete(other);
    try {
      return await load;
    } catch (error) {
      this.#loads.delete(index);
      throw error;
    }
  }

  async #loadSlide(index: number): Promise<Slide | undefined> {
    const record = await this.#parts.at(index);
    return record && { record, src: await this.#parts.load(record) };
  }

  /** Until the next picture is due. */
  #wait(): void {
    this.#cancelTimer();
    const { isPlaying, slide } = this.state.get();
    if (!isPlaying || this.#isSuspended || slide === undefined) return;
    this.#cancelTimer = this.#parts.clock.after(SLIDE_MS, () => this.step(1));
  }
}
