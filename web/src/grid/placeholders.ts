import { type ImageRecord, thumbhashDataUrl } from '@image-catalog/client';

/** Three kilobytes each. */
const MAX_KNOWN = 1200;
const MS_PER_FRAME = 4;

/** Blurred previews. Making one takes a part of a millisecond, so only some are made in a frame. */
export class Placeholders {
  readonly #known = new Map<number, string>();
  readonly #now: () => number;
  #frameEnd = 0;

  /** @param now ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  beginFrame(): void {
    this.#frameEnd = this.#now() + MS_PER_FRAME;
  }

  /** `undefined` if the time of this frame is used up. */
  of(record: ImageRecord): string | undefined {
    const known = this.#known.get(record.id);
    if (known !== undefined || this.#now() >= this.#frameEnd) return known;
    const made = urlOf(record);
    this.#known.set(record.id, made);
    const oldest = this.#known.keys().next();
    if (this.#known.size > MAX_KNOWN && oldest.done !== true) this.#known.delete(oldest.value);
    return made;
  }
}

/** A record of a later version may have another kind of preview. */
function urlOf(record: ImageRecord): string {
  try {
    return `url(${thumbhashDataUrl(record)})`;
  } catch {
    return 'none';
  }
}
