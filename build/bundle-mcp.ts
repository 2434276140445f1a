import { build } from 'esbuild';
import { describeBundle } from './describe-bundle.ts';
import { REQUIRE_BANNER } from './require-banner.ts';

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
    banner: { js: `#!/usr/bin/env node\n${REQUIRE_BANNER}` },
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    metafile: true,
  });
  await describeBundle(project, 'mcp/dist', Object.keys(metafile.inputs));
}
