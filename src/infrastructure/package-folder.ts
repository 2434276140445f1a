import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * With the nearest `package.json`.
 *
 * @param file by default this one, whose depth differs between the sources and the build
 */
export function packageFolder(file = fileURLToPath(import.meta.url)): string | undefined {
  let folder = dirname(file);
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
  return folder;
}
