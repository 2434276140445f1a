/** Memory that a job may use. */
export interface Reservation {
  readonly bytes: number;
  /** `false` if there is not enough memory. */
  growTo(bytes: number): boolean;
  release(): void;
}

/** The memory of all decodes, in bytes. Nothing waits here: jobs wait in `Admission`. */
export class DecodeMemory {
  /** What drops each of the things that are held while there is room. The oldest first. */
  private readonly drops = new Map<() => void, number>();
  private droppable = 0;
  private taken = 0;

  constructor(readonly capacity: number) {}

  get held(): number {
    return this.taken;
  }

  /** Whether so much is free, or held by what can be dropped. */
  isFree(bytes: number): boolean {
    return this.taken - this.droppable + bytes <= this.capacity;
  }

  /** `undefined` if so much is not free. */
  reserve(bytes: number): Reservation | undefined {
    if (!this.take(bytes)) return undefined;
    const reserved = { bytes };
    return {
      get bytes() {
        return reserved.bytes;
      },
      growTo: (wanted) => {
        if (wanted > reserved.bytes && !this.take(wanted - reserved.bytes)) return false;
        reserved.bytes = Math.max(reserved.bytes, wanted);
        return true;
      },
      release: () => {
        this.taken -= reserved.bytes;
        reserved.bytes = 0;
      },
    };
  }

  /**
   * Holds memory that is free, until a job needs it.
   *
   * @param drop called if the memory is needed; releases it
   * @returns function to release it; `undefined` if so much is not free
   */
  hold(bytes: number, drop: () => void): (() => void) | undefined {
    if (this.taken + bytes > this.capacity) return undefined;
    this.taken += bytes;
    this.droppable += bytes;
    this.drops.set(drop, bytes);
    return () => {
      if (!this.drops.delete(drop)) return;
      this.taken -= bytes;
      this.droppable -= bytes;
    };
  }

  private take(bytes: number): boolean {
    if (!this.isFree(bytes)) return false;
    for (const drop of this.drops.keys()) if (this.taken + bytes > this.capacity) drop();
    this.taken += bytes;
    return true;
  }
}
