import { Overloaded } from '../../domain/errors.ts';

/** Places, of which one holder has at most a share: half, and at least one, unless another is given. */
export class SubjectShares {
  private readonly held = new Map<string, number>();
  private taken = 0;

  constructor(
    private readonly places: number,
    private readonly share: number = Math.max(1, Math.floor(places / 2)),
    private readonly takeOuter: () => () => void = () => () => {},
  ) {}

  /** The share of a holder, as places of which its own holders have at most half. */
  within(holder: string): SubjectShares {
    return new SubjectShares(this.share, undefined, () => this.take(holder));
  }

  get size(): number {
    return this.taken;
  }

  /**
   * @param holders one subject, or a subject and its space: each may hold a share
   * @returns what releases the place
   * @throws {Overloaded}
   */
  take(...holders: readonly string[]): () => void {
    const isFull = this.taken >= this.places || holders.some((holder) => this.heldBy(holder) >= this.share);
    if (isFull) throw new Overloaded();
    const releaseOuter = this.takeOuter();
    this.taken += 1;
    for (const holder of holders) this.held.set(holder, this.heldBy(holder) + 1);
    return () => {
      this.release(holders);
      releaseOuter();
    };
  }

  private heldBy(holder: string): number {
    return this.held.get(holder) ?? 0;
  }

  private release(holders: readonly string[]): void {
    this.taken -= 1;
    for (const holder of holders) {
      const left = this.heldBy(holder) - 1;
      if (left > 0) this.held.set(holder, left);
      else this.held.delete(holder);
    }
  }
}
