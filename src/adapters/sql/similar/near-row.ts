import { bitCount } from '../../../domain/image/bit-count.ts';
import type { SimilarMatch } from '../../../domain/ports/records/similar-images.ts';
import type { BandProbes } from './band-probes.ts';

/** An image with its candidates: others whose hash has one of the probed bands. */
export interface NearRow
  extends Readonly<Record<`own_${number}` | `near_${number}`, string | number | null>> {
  readonly id: number;
}

/** Of each band, with the distances of the whole hashes. The probes flip as many bits as the number of their ring says. */
export function candidatesOf(
  row: NearRow,
  ring: number,
  probes: readonly BandProbes[],
): ReadonlyArray<readonly SimilarMatch[]> {
  return probes.map(({ band }) => {
    const own = Number(row[`own_${band}`]);
    return candidatesIn(row[`near_${band}`]).map(({ id, bits }) => {
      return { id, distance: ring + bitsApart(own, bits) };
    });
  });
}

/**
 * As in `123,4;567,8`: bits without the band, and id. Null if there are none. One text for each band: a row for each candidate would cost
 * ten times as much.
 */
function candidatesIn(
  text: string | number | null | undefined,
): ReadonlyArray<{ readonly id: number; readonly bits: number }> {
  if (typeof text !== 'string') return [];
  return text.split(';').map((candidate) => {
    const comma = candidate.indexOf(',');
    return { bits: Number(candidate.slice(0, comma)), id: Number(candidate.slice(comma + 1)) };
  });
}

const HALF = 2 ** 24;

/** Of 48 bits, those that differ. Bitwise operators take 32. */
function bitsApart(one: number, other: number): number {
  const high = Math.floor(one / HALF) ^ Math.floor(other / HALF);
  return bitCount(high) + bitCount((one % HALF) ^ (other % HALF));
}
