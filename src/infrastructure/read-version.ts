import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-folder.ts';

export function readVersion(): string {
  const folder = packageFolder();
  if (folder === undefined) return 'unknown';
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: string };
  return version ?? 'unknown';
}
