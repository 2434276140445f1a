import type { Pixels } from '../../domain/image/image-hashes.ts';
import type { HeldPixels } from '../../domain/ports/pictures/held-pixels.ts';
import type { DecodeMemory } from './decode-memory.ts';

/** Holds the pixels of the latest decodes. Drops the oldest beyond its bound, and whenever a decode needs the memory. */
export class PixelMemory {
  private readonly drops = new Set<() => void>();
  private heldBytes = 0;

  /** @param memory of all decodes; what is held counts in it */
  constructor(
    private readonly memory: DecodeMemory,
    readonly maxBytes: number,
  ) {}

  /** `undefined` if there is no memory for them. */
  hold(pixels: Pixels): HeldPixels | undefined {
    // The buffer may be larger than the pixels.
    const bytes = pixels.data.buffer.byteLength;
    if (bytes > this.maxBytes) return undefined;
    for (const drop of this.drops) if (this.heldBytes + bytes > this.maxBytes) drop();
    let held: Pixels | undefined = pixels;
    const drop = (): void => {
      if (!this.drops.delete(drop)) return;
      held = undefined;
      this.heldBytes -= bytes;
      release?.();
    };
    const release = this.memory.hold(bytes, drop);
    if (release === undefined) return undefined;
    this.drops.add(drop);
    this.heldBytes += bytes;
    return { read: () => held, release: drop };
  }
}
