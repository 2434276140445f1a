const BANDS = 4;
const BITS_PER_BAND = 16;

/** Bits that are flipped in one band of a hash. */
export interface BandProbes {
  readonly band: number;
  readonly masks: readonly number[];
}

/**
 * Ring `r` flips `r` bits of a band. Of two hashes that differ in `distance` bits or fewer, one of the first bands differs in a
 * quarter of them at most, or one of the others in one bit less; otherwise they would differ in more. After ring `r`, all hashes
 * that differ in `4r + 3` bits are found.
 */
export function ringsOf(distance: number): ReadonlyArray<readonly BandProbes[]> {
  const radius = Math.floor(distance / BANDS);
  const bandsOfLast = (distance % BANDS) + 1;
  return Array.from({ length: radius + 1 }, (_, ring) =>
    Array.from({ length: ring < radius ? BANDS : bandsOfLast }, (__, band) => ({
      band,
      masks: masksOf(ring),
    })),
  );
}

/** All that hold after the rings before this one. */
export function completeBefore(ring: number): number {
  return BANDS * ring - 1;
}

const known = new Map<number, readonly number[]>();

function masksOf(bits: number): readonly number[] {
  const masks = known.get(bits) ?? combinations(bits, 0);
  known.set(bits, masks);
  return masks;
}

/** All numbers of `BITS_PER_BAND` bits of which `count` are set, from this bit on. */
function combinations(count: number, from: number): readonly number[] {
  if (count === 0) return [0];
  const masks: number[] = [];
  for (let bit = from; bit < BITS_PER_BAND; bit += 1) {
    for (const rest of combinations(count - 1, bit + 1)) masks.push((1 << bit) | rest);
  }
  return masks;
}
