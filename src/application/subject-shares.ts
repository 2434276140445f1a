import { Overloaded } from '../domain/errors.ts';

/** Counts the places that each subject holds. One subject holds at most half of them, and at least one. */
export class SubjectShares {
  private readonly held = new Map<string, number>();

  constructor(private readonly places: number) {}

  /**
   * @returns what releases the place
   * @throws {Overloaded}
   */
  take(subject: string): () => void {
    const held = this.held.get(subject) ?? 0;
    if (held >= Math.max(1, Math.floor(this.places / 2))) throw new Overloaded();
    this.held.set(subject, held + 1);
    return () => this.release(subject);
  }

  private release(subject: string): void {
    const left = (this.held.get(subject) ?? 1) - 1;
    if (left > 0) this.held.set(subject, left);
    else this.held.delete(subject);
  }
}
