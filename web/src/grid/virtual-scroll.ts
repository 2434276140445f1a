/** Browsers stop at about 2^24 device pixels. */
const LARGEST_BOX_DEVICE_PX = 7_500_000;
/** In viewports. Smaller steps of the page move the content by as much; larger ones jump in proportion. */
const JUMP = 3;
/** In viewports. So near to an end the page and the content move alike. */
const END = 10;

export interface ScrollSize {
  /** Of all content. */
  readonly height: number;
  readonly viewport: number;
  readonly pixelRatio: number;
}

/**
 * Where the content is, which may be much taller than the page that is scrolled. The page has a position of its own;
 * content is drawn at its virtual position minus `shift`.
 */
export class VirtualScroll {
  #size: ScrollSize = { height: 0, viewport: 1, pixelRatio: 1 };
  #page = 0;
  #virtual = 0;

  /** Height of the page that is scrolled. */
  get boxHeight(): number {
    const { height, viewport, pixelRatio } = this.#size;
    return Math.max(viewport, Math.min(height, Math.floor(LARGEST_BOX_DEVICE_PX / pixelRatio)));
  }

  /** Virtual position of the first line in view. */
  get position(): number {
    return this.#virtual;
  }

  /** Of the page. */
  get page(): number {
    return this.#page;
  }

  get shift(): number {
    return this.#virtual - this.#page;
  }

  get viewport(): number {
    return this.#size.viewport;
  }

  get lastPosition(): number {
    return Math.max(0, this.#size.height - this.#size.viewport);
  }

  resize(size: ScrollSize): void {
    this.#size = size;
  }

  /**
   * The page was scrolled by the user.
   *
   * @returns whether the content has jumped
   */
  scrolled(page: number): boolean {
    const step = page - this.#page;
    this.#page = page;
    const isJump = Math.abs(step) > JUMP * this.#size.viewport;
    this.#virtual = isJump ? this.#virtualOf(page) : this.#clamp(this.#virtual + step);
    return isJump;
  }

  /** Shows another position. The page follows at the next `settle`. */
  moveTo(position: number): void {
    this.#virtual = this.#clamp(position);
  }

  /** Whether the page is at an end and the content is not, so that the user could not scroll on, or the reverse. */
  get isStuck(): boolean {
    const wanted = this.#pageOf(this.#virtual);
    if (Math.abs(wanted - this.#page) < 1) return false;
    const [lastPage, near] = [this.#lastPage, this.#size.viewport / 2];
    const isPageNearEnd = this.#page < near || this.#page > lastPage - near;
    return isPageNearEnd || this.#virtual === 0 || this.#virtual === this.lastPosition;
  }

  /**
   * Moves the page to where it should be for the content, which stays where it is.
   *
   * @returns the position that the page must be given; `undefined` if it is there already
   */
  settle(): number | undefined {
    const wanted = this.#pageOf(this.#virtual);
    if (Math.abs(wanted - this.#page) < 1) return undefined;
    this.#page = wanted;
    return wanted;
  }

  get #lastPage(): number {
    return Math.max(0, this.boxHeight - this.#size.viewport);
  }

  /** Near the ends of both; in proportion between them. */
  #virtualOf(page: number): number {
    return convert(page, this.#lastPage, this.lastPosition, this.#endSize);
  }

  #pageOf(position: number): number {
    return Math.round(convert(position, this.lastPosition, this.#lastPage, this.#endSize));
  }

  get #endSize(): number {
    return Math.min(END * this.#size.viewport, this.#lastPage / 4);
  }

  #clamp(position: number): number {
    return Math.min(this.lastPosition, Math.max(0, position));
  }
}

/** From a range to another one: the first and last `end` of both are equal, what is between them is stretched. */
function convert(value: number, from: number, to: number, end: number): number {
  if (from === to || value <= end) return Math.max(0, Math.min(value, to));
  if (value >= from - end) return Math.max(0, Math.min(to, to - (from - value)));
  return end + ((value - end) * (to - 2 * end)) / (from - 2 * end);
}
