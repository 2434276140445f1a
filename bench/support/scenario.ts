import type { Comparison } from './compare.ts';
import type { Workbench } from './workbench.ts';

/** A figure that was promised, and what it is. */
export interface Check {
  readonly what: string;
  readonly measured: number;
  readonly bound: 'at least' | 'at most' | 'exactly';
  readonly target: number;
  /** Worse than this is no noise: by the factor 2 worse than the target, unless that is known to be out of reach. */
  readonly limit?: number;
  /** None for ratios. */
  readonly unit?: string;
}

/** A figure without a promise. */
export interface Note {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
}

export interface Outcome {
  readonly comparisons?: readonly Comparison[];
  readonly checks?: readonly Check[];
  readonly notes?: readonly Note[];
}

export interface Scenario {
  readonly name: string;
  /** Of one without a target there is nothing to say in a quick run, unless it is asked for by name. */
  readonly hasTarget?: boolean;
  readonly run: (bench: Workbench) => Promise<Outcome>;
}

/** How many times its target a figure may be before it is no noise. */
const NOISE = { 'at least': 0.5, 'at most': 2, exactly: 1 } as const;

export function isMet({ measured, bound, target }: Check): boolean {
  if (bound === 'exactly') return measured === target;
  return bound === 'at least' ? measured >= target : measured <= target;
}

/** Whether a figure is so far off that it is no noise. */
export function isFarOff(check: Check): boolean {
  return !isMet({ ...check, target: check.limit ?? check.target * NOISE[check.bound] });
}
