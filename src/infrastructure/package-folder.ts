import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * With the nearest `package.json`; the root if there is none.
 *
 * @param file by default this one, whose depth differs between the sources and the build
 */
export function packageFolder(file = fileURLToPath(import.meta.url)): string {
  const folder = dirname(file);
  return folder === file || existsSync(join(folder, 'package.json')) ? folder : packageFolder(folder);
}
