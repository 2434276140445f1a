import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The folder itself, or the first one above it that exists. */
export function nearestExisting(folder: string): string {
  if (existsSync(folder) || dirname(folder) === folder) return folder;
  return nearestExisting(dirname(folder));
}
