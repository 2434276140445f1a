import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPages } from './build-pages.ts';
import { bundleMcp } from './bundle-mcp.ts';
import { bundleService } from './bundle-service.ts';
import { describeBundle } from './describe-bundle.ts';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));

for (const dist of ['dist', 'mcp/dist']) await rm(join(PROJECT, dist), { recursive: true, force: true });
const files = (await Promise.all([bundleService(PROJECT), buildPages(PROJECT)])).flat();
await describeBundle(PROJECT, 'dist', files);
await bundleMcp(PROJECT);
