import * as z from 'zod';

const SPREAD = z.object({ median: z.number(), min: z.number(), max: z.number() });

const COMPARISON = z.object({
  title: z.string(),
  concurrency: z.number(),
  throughputRatio: SPREAD,
  cpuRatio: SPREAD,
});

const CHECK = z.object({
  what: z.string(),
  measured: z.number(),
  bound: z.enum(['at least', 'at most', 'exactly']),
  target: z.number(),
  unit: z.string().default(''),
});

const OUTCOME = z.object({
  name: z.string(),
  comparisons: z.array(COMPARISON).default([]),
  checks: z.array(CHECK).default([]),
  /** Of `scale`: CPU at each number of records. */
  figures: z.array(z.object({ size: z.number(), cpuMsPerRequest: z.number() })).default([]),
});

/** What the plots need of the results of `bench/run.ts`. */
export const RESULTS = z.object({ outcomes: z.array(OUTCOME) });

export type Results = z.infer<typeof RESULTS>;
export type CheckResult = z.infer<typeof CHECK>;
