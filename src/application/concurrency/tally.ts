import type { Bound } from './queue-policy.ts';

/** The weight of all jobs with each label. */
export class Tally {
  private readonly counts = new Map<string, number>();

  of(label: string): number {
    return this.counts.get(label) ?? 0;
  }

  /** Whether one more job with these bounds may be added. */
  fits(bounds: readonly Bound[]): boolean {
    return bounds.every(({ label, max, weight = 1 }) => this.of(label) + weight <= max);
  }

  add(bounds: readonly Bound[]): void {
    for (const { label, weight = 1 } of bounds) this.counts.set(label, this.of(label) + weight);
  }

  remove(bounds: readonly Bound[]): void {
    for (const { label, weight = 1 } of bounds) {
      const left = this.of(label) - weight;
      if (left > 0) this.counts.set(label, left);
      else this.counts.delete(label);
    }
  }
}
