import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The path of a Node.js of this major version, from the registry; the running one without a version. */
export async function nodeOfVersion(version: string | undefined): Promise<string> {
  if (version === undefined) return process.execPath;
  const print = 'process.stdout.write(process.execPath)';
  const { stdout } = await run('npx', ['--yes', '--package', `node@${version}`, 'node', '-e', print]);
  return stdout;
}

/** Runs a module that prints one JSON object. */
export async function runProgram(
  node: string,
  program: URL,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run(node, [fileURLToPath(program)], { env: { ...process.env, ...env } });
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}
