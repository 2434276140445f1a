import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { release } from './release.ts';

/** `npm run release -- [--out FOLDER] [--image-root FOLDER]` */

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'release' }, 'image-root': { type: 'string' } },
});
const out = resolve(values.out);
await release(fileURLToPath(new URL('../..', import.meta.url)), out, values['image-root']);
console.log(await readFile(join(out, 'SHA256SUMS'), 'utf8'));
