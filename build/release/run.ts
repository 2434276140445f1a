import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Resolves to stdout. */
export async function run(folder: string, program: string, args: readonly string[]): Promise<string> {
  // With NODE_ENV=production, npm and Vite would leave out or build something else.
  const env = { ...process.env, NODE_ENV: undefined };
  const options = { cwd: folder, env, maxBuffer: MAX_OUTPUT_BYTES };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout;
}
