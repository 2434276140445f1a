import { build } from 'esbuild';
import { describeBundle } from './describe-bundle.ts';

/** CommonJS packages load Node's own modules by `require`, which ES modules do not have. */
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** One file without dependencies, so that `npx` has little to fetch. */
export async function bundleMcp(project: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: { main: 'mcp/src/main.ts' },
    outdir: 'mcp/dist',
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    banner: { js: `#!/usr/bin/env node\n${REQUIRE}` },
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    metafile: true,
  });
  await describeBundle(project, 'mcp/dist', Object.keys(metafile.inputs));
}
