import { writeFile } from 'node:fs/promises';
import { drawPublishedPlots } from './support/plots/published-plots.ts';

/** `npm run bench:plots`: writes the plots of `docs/performance.md`. */

const IMAGES = new URL('../docs/images/', import.meta.url);

for (const [name, svg] of await drawPublishedPlots()) await writeFile(new URL(name, IMAGES), svg);
