import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FOLDER = new URL('../../lighthouse/', import.meta.url);
const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

type Category = 'accessibility' | 'best-practices' | 'performance';

export interface Judgement {
  readonly view: 'sign-in page' | 'grid';
  readonly device: 'phone' | 'desktop';
  /** From 0 to 1. */
  readonly scores: Readonly<Partial<Record<Category, number>>>;
  /** What takes something from a score. */
  readonly faults: readonly string[];
}

/** After `npm ci --prefix test/lighthouse`, where there is a Chromium. */
export function isLighthouseThere(): boolean {
  return existsSync(new URL('node_modules/lighthouse', FOLDER)) && existsSync(CHROMIUM);
}

/** Judges the gallery before and after signing in at the provider of the demo; there has to be a picture. */
export async function runLighthouse(
  url: string,
  categories: readonly Category[],
): Promise<readonly Judgement[]> {
  const program = fileURLToPath(new URL('audit.mjs', FOLDER));
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, CHROMIUM, ...categories]);
  return JSON.parse(stdout) as readonly Judgement[];
}
