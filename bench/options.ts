import { parseArgs } from 'node:util';
import * as z from 'zod';
import { SUITES } from './suites.ts';
import type { ScenarioName } from './support/scenario.ts';
import type { WorkbenchOptions } from './support/workbench.ts';

type SuiteName = keyof typeof SUITES;

/** Wrong options of the command line. */
export class UsageError extends Error {}

export interface BenchOptions extends WorkbenchOptions {
  readonly suite: SuiteName;
  /** Names of the scenarios to run; one at least. */
  readonly scenarios: readonly string[];
  /** Path of the results. */
  readonly json?: string | undefined;
  readonly check: boolean;
  readonly help: boolean;
}

const SUITE_LINES = Object.entries(SUITES).map(
  ([name, { about, scenarios }]) =>
    `  ${name.padEnd(12)}${about}\n${' '.repeat(14)}(${scenarios.map((scenario) => scenario.name).join(', ')})`,
);

export const USAGE = `Measures the built service. Needs Linux (reads /proc).

  --suite NAME        one of the suites below; the first one by default
  --only NAME[,NAME]  scenarios whose names begin with these
  --quick             short runs; scenarios without a target are left out
  --rounds N          interleaved rounds, default 3
  --json FILE         path of the results, default bench/results/<suite>-<time>.json
  --check             exit with 1 if a figure is worse than its target by more than the factor 2, or beyond a limit
                      of its own
  --on ENGINE         scale, finding: sqlite (default) or postgres, whose own CPU time is added
  --full              scale, finding: also a million records
  --records N         finding: also so many records
  --minutes N         soak: duration, default 10
  --against BUILD     against: a commit, which is built once, or a folder with a build
  --seed N            large-uploads, soak: seed of pictures and requests, default 1

Suites and their scenarios:
${SUITE_LINES.join('\n')}`;

const OPTIONS = {
  suite: { type: 'string', default: 'default' },
  only: { type: 'string' },
  quick: { type: 'boolean', default: false },
  rounds: { type: 'string', default: '3' },
  json: { type: 'string' },
  check: { type: 'boolean', default: false },
  on: { type: 'string', default: 'sqlite' },
  full: { type: 'boolean', default: false },
  records: { type: 'string' },
  minutes: { type: 'string', default: '10' },
  against: { type: 'string' },
  seed: { type: 'string', default: '1' },
  help: { type: 'boolean', default: false },
} as const;

const SCHEMA = z.object({
  suite: z.custom<SuiteName>((name) => typeof name === 'string' && Object.hasOwn(SUITES, name), {
    error: 'no such suite',
  }),
  only: z.optional(z.string().transform((names) => names.split(','))),
  quick: z.boolean(),
  rounds: z.coerce.number().int().min(1),
  json: z.optional(z.string()),
  check: z.boolean(),
  on: z.enum(['sqlite', 'postgres']),
  full: z.boolean(),
  records: z.optional(z.coerce.number().int().min(2)),
  minutes: z.coerce.number().positive(),
  against: z.optional(z.string()),
  seed: z.coerce.number().int(),
  help: z.boolean(),
});

/** @throws {UsageError} if an option is unknown or has a wrong value, or if no scenario matches */
export function parseOptions(args: readonly string[]): BenchOptions {
  const { data, error } = SCHEMA.safeParse(valuesOf(args));
  if (data === undefined) throw new UsageError(z.prettifyError(error));
  const { only, ...options } = data;
  const scenarios = chosenNames(SUITES[options.suite].scenarios, only, options.quick);
  if (scenarios.length === 0) throw new UsageError(`No scenario of the suite ${options.suite} matches`);
  return { ...options, scenarios };
}

function valuesOf(args: readonly string[]): Readonly<Record<string, unknown>> {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function chosenNames(
  scenarios: readonly ScenarioName[],
  only: readonly string[] | undefined,
  quick: boolean,
): readonly string[] {
  const isChosen = ({ name, isQuick = true }: ScenarioName): boolean =>
    only === undefined ? isQuick || !quick : only.some((beginning) => name.startsWith(beginning));
  return scenarios.filter(isChosen).map(({ name }) => name);
}
