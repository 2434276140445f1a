const ROUNDS = 8;

/**
 * A keyed permutation of the numbers below a power of two: a Feistel network with halves that may differ by a bit. It needs no
 * table, so a page of a shuffled catalog costs the same at every position.
 */
export class Shuffle {
  private readonly lowSize: number;
  private readonly highSize: number;
  private readonly keys: readonly number[];

  /** @param power from 1 to 53: the size is 2 to this power */
  constructor(
    seed: string,
    readonly power: number,
  ) {
    this.lowSize = 2 ** Math.floor(power / 2);
    this.highSize = 2 ** Math.ceil(power / 2);
    this.keys = Array.from({ length: ROUNDS }, (_, round) => hash(`${round}:${power}:${seed}`));
  }

  get size(): number {
    return this.lowSize * this.highSize;
  }

  /** The number at a position. */
  at(position: number): number {
    let [high, low] = this.split(position);
    for (let round = 0; round < ROUNDS; round += 2) {
      high = this.mix(high, low, round, this.highSize);
      low = this.mix(low, high, round + 1, this.lowSize);
    }
    return high * this.lowSize + low;
  }

  positionOf(number: number): number {
    let [high, low] = this.split(number);
    for (let round = ROUNDS - 2; round >= 0; round -= 2) {
      low = this.mix(low, high, round + 1, this.lowSize);
      high = this.mix(high, low, round, this.highSize);
    }
    return high * this.lowSize + low;
  }

  private split(number: number): [number, number] {
    return [Math.floor(number / this.lowSize), number % this.lowSize];
  }

  /** Its own inverse. */
  private mix(half: number, other: number, round: number, size: number): number {
    return (half ^ (scramble(other ^ (this.keys[round] ?? 0)) & (size - 1))) >>> 0;
  }
}

/** FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/ */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  return scramble(state);
}

/** The finalizer of MurmurHash3: each bit of the input changes about half of the output. */
function scramble(value: number): number {
  let state = value;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
