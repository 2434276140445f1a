import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.ts';
import { bundleService } from './bundle-service.ts';
import { bundledPackages } from './bundled-packages.ts';
import { thirdPartyLicenses } from './third-party-licenses.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

await rm(join(PROJECT, 'dist'), { recursive: true, force: true });
const files = (await Promise.all([bundleService(PROJECT), buildPages(PROJECT)])).flat();
await writeFile(join(PROJECT, 'dist/THIRD-PARTY-LICENSES.txt'), await thirdPartyLicenses(PROJECT, files));
// What the list of contents of a release or an image is made of.
const packages = await bundledPackages(PROJECT, files);
await writeFile(join(PROJECT, 'dist/bundled-packages.json'), `${JSON.stringify(packages, null, 2)}\n`);
