import { type ImageRecord, thumbhashColor, thumbhashDataUrl } from '@image-catalog/client';

/** A kilobyte each. */
const MAX_KNOWN = 1200;
/** Making one takes a tenth of a millisecond, and the browser up to two when an element shows it for the first time. */
const PER_FRAME = 5;
/** Pixels: a preview has no more detail. */
const SIDE = 16;

/** Blurred previews. Elements get them a few in each frame, so that a jump to other pictures is short tasks. */
export class Placeholders {
  readonly #known = new Map<number, string>();
  #shown: ReadonlySet<number> = new Set();
  #inThisFrame = new Set<number>();
  #left = 0;

  /** @param isFast no further elements get one */
  beginFrame(isFast: boolean): void {
    this.#shown = this.#inThisFrame;
    this.#inThisFrame = new Set();
    this.#left = isFast ? 0 : PER_FRAME;
  }

  /** `undefined` if it is the turn of others in this frame. */
  of(record: ImageRecord): string | undefined {
    const { id } = record;
    if (!this.#shown.has(id) && !this.#inThisFrame.has(id)) {
      if (this.#left === 0) return undefined;
      this.#left -= 1;
    }
    this.#inThisFrame.add(id);
    return this.#known.get(id) ?? this.#make(record);
  }

  #make(record: ImageRecord): string {
    const made = urlOf(record);
    this.#known.set(record.id, made);
    const oldest = this.#known.keys().next();
    if (this.#known.size > MAX_KNOWN && oldest.done !== true) this.#known.delete(oldest.value);
    return made;
  }
}

/** Until there is a preview. */
export function colorOf(record: ImageRecord): string | undefined {
  return known(() => thumbhashColor(record));
}

function urlOf(record: ImageRecord): string {
  return known(() => `url(${thumbhashDataUrl(record, SIDE)})`) ?? 'none';
}

/** A record of a later version may have another kind of preview. */
function known(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
