import type { Bound } from './queue-policy.ts';

/** How many jobs have each label. */
export class Tally {
  private readonly counts = new Map<string, number>();

  of(label: string): number {
    return this.counts.get(label) ?? 0;
  }

  /** Whether there may be one more. */
  fits(bounds: readonly Bound[]): boolean {
    return bounds.every(({ label, max }) => this.of(label) < max);
  }

  add(bounds: readonly Bound[]): void {
    for (const { label } of bounds) this.counts.set(label, this.of(label) + 1);
  }

  remove(bounds: readonly Bound[]): void {
    for (const { label } of bounds) {
      const left = this.of(label) - 1;
      if (left > 0) this.counts.set(label, left);
      else this.counts.delete(label);
    }
  }
}
