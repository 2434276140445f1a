import { Overloaded } from '../../domain/errors.ts';

/** Places, of which one subject holds at most a share: half, and at least one, unless another is given. */
export class SubjectShares {
  private readonly held = new Map<string, number>();
  private taken = 0;

  constructor(
    private readonly places: number,
    private readonly share: number = Math.max(1, Math.floor(places / 2)),
  ) {}

  get size(): number {
    return this.taken;
  }

  /**
   * @returns what releases the place
   * @throws {Overloaded}
   */
  take(subject: string): () => void {
    const held = this.held.get(subject) ?? 0;
    const isFull = this.taken >= this.places || held >= this.share;
    if (isFull) throw new Overloaded();
    this.taken += 1;
    this.held.set(subject, held + 1);
    return () => this.release(subject);
  }

  private release(subject: string): void {
    this.taken -= 1;
    const left = (this.held.get(subject) ?? 1) - 1;
    if (left > 0) this.held.set(subject, left);
    else this.held.delete(subject);
  }
}
