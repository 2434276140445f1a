import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { type DotPlot, drawDotPlot } from './dot-plot.ts';
import { comparisonPlot, growthPlot, targetsPlot } from './plots-of-results.ts';
import { RESULTS } from './results-schema.ts';
import { THEMES } from './theme.ts';

const PUBLISHED = new URL('../../published/', import.meta.url);

/** Draws the results in `bench/published`, light and dark. @returns SVG documents by the name of their file */
export async function drawPublishedPlots(): Promise<ReadonlyMap<string, string>> {
  const plots = Object.entries(await publishedPlots());
  const drawn = plots.flatMap(([name, plot]) =>
    THEMES.map((theme) => [`performance-${name}-${theme.name}.svg`, drawDotPlot(plot, theme)] as const),
  );
  return new Map(drawn);
}

async function publishedPlots(): Promise<Readonly<Record<string, DotPlot>>> {
  const [compared, onSqlite] = await Promise.all([
    read('default.json', RESULTS),
    read('scale-sqlite.json', RESULTS),
  ]);
  return {
    targets: targetsPlot([compared, onSqlite]),
    throughput: comparisonPlot(compared, 'throughputRatio'),
    cpu: comparisonPlot(compared, 'cpuRatio'),
    growth: growthPlot(onSqlite),
  };
}

async function read<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.infer<Schema>> {
  return schema.parse(JSON.parse(await readFile(new URL(file, PUBLISHED), 'utf8')));
}
