import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOfVersion } from '../../support/servers/node-versions.ts';
import { type Environment, NodeProcess, PROJECT_FOLDER } from '../../support/servers/service-process.ts';

const QUIET = { NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };

export interface Example {
  /** Below `docs/examples`. */
  readonly folder: string;
  /** A version of Node.js that the framework supports, if it does not support the oldest one of the service. */
  readonly nodeVersion?: string;
  /** Programs in the folder, with their arguments. */
  readonly build: readonly string[];
  readonly serve: (port: string) => readonly string[];
}

function folderOf({ folder }: Example): string {
  return join(PROJECT_FOLDER, 'docs/examples', folder);
}

export function isInstalled(example: Example): boolean {
  return existsSync(join(folderOf(example), 'node_modules'));
}

export async function buildExample(example: Example, env: Environment): Promise<void> {
  const build = await startProgram(example, example.build, env);
  const { code } = await build.exited;
  if (code !== 0) throw new Error(`The build of ${example.folder} failed\n${build.output}`);
}

/** Resolves when the example listens. */
export async function serveExample(example: Example, port: string, env: Environment): Promise<NodeProcess> {
  const listen = { HOST: '127.0.0.1', NITRO_HOST: '127.0.0.1', PORT: port, NITRO_PORT: port };
  const server = await startProgram(example, example.serve(port), { ...env, ...listen });
  await server.line((line) => (/Local:|Listening on/.test(line) ? line : undefined));
  return server;
}

async function startProgram(
  example: Example,
  args: readonly string[],
  env: Environment,
): Promise<NodeProcess> {
  const node = await nodeOfVersion(example.nodeVersion);
  return NodeProcess.start(args, { cwd: folderOf(example), node, env: { ...QUIET, ...env } });
}
