import type { Comparison } from './compare.ts';
import { InvalidRun } from './measure.ts';
import type { Workbench } from './workbench.ts';

/** A figure that has a target. */
export interface Check {
  readonly what: string;
  readonly measured: number;
  readonly bound: 'at least' | 'at most' | 'exactly';
  readonly target: number;
  /** `--check` fails beyond this; by default beyond the target by the factor 2. */
  readonly limit?: number;
  /** Missing for ratios. */
  readonly unit?: string;
}

/** A figure without a target. */
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

export interface NamedOutcome extends Outcome {
  readonly name: string;
  /** Why the figures must not be used. */
  readonly invalid?: string;
}

export interface ScenarioName {
  readonly name: string;
  /** `false`: a quick run leaves this scenario out, unless `--only` names it. */
  readonly isQuick?: boolean;
}

export interface Scenario extends ScenarioName {
  /** Whether this machine has the programs that the scenario needs; by default it has. */
  readonly isAvailable?: () => boolean;
  readonly run: (bench: Workbench) => Promise<Outcome>;
}

/** Names the outcome of some work; an invalid run becomes an invalid outcome, so that the next scenario still runs. */
export async function outcomeOf(name: string, work: () => Promise<Outcome>): Promise<NamedOutcome> {
  try {
    return { name, ...(await work()) };
  } catch (error) {
    if (!(error instanceof InvalidRun)) throw error;
    return { name, invalid: error.message };
  }
}

/** How many times its target a figure may be before `--check` fails. */
const TOLERANCE = { 'at least': 0.5, 'at most': 2, exactly: 1 } as const;

export function isMet({ measured, bound, target }: Check): boolean {
  if (bound === 'exactly') return measured === target;
  return bound === 'at least' ? measured >= target : measured <= target;
}

export function isBeyondLimit(check: Check): boolean {
  return !isMet({ ...check, target: check.limit ?? check.target * TOLERANCE[check.bound] });
}
