import { execFile } from 'node:child_process';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { nodeOfVersion } from './node-versions.ts';

const run = promisify(execFile);

export interface Newcomer {
  /** Where the lines run; empty at first. */
  readonly folder: string;
  /** Runs lines of a shell, and resolves to what they print and the exit code. */
  readonly run: (
    lines: string,
  ) => Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
}

/**
 * A person with a new home folder and an empty cache of npm, who has only these versions, from the registry. The settings of npm on
 * this machine hold: they may name its registry and certificates.
 *
 * @param home of which everything is made
 */
export async function newcomerWith(node: string, npm: string, home: string): Promise<Newcomer> {
  const [bin, folder] = [join(home, 'bin'), join(home, 'empty')];
  for (const made of [bin, folder]) await mkdir(made);
  await symlink(await nodeOfVersion(node), join(bin, 'node'));
  for (const [name, program] of Object.entries(await programsOfNpm(npm))) {
    await symlink(program, join(bin, name));
  }
  const { stdout: settings } = await run('npm', ['config', 'get', 'userconfig']);
  const env = {
    HOME: home,
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    npm_config_userconfig: settings.trim(),
    npm_config_cache: join(home, 'cache'),
    npm_config_prefix: join(home, 'global'),
    npm_config_yes: 'true',
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
  };
  await mkdir(join(home, 'global/lib'), { recursive: true });
  return {
    folder,
    run: async (lines) =>
      await run('sh', ['-e', '-c', lines], { cwd: folder, env, maxBuffer: 64 * 1024 ** 2 }).then(
        (printed) => ({ code: 0, ...printed }),
        (error: { code: number; stdout: string; stderr: string }) => error,
      ),
  };
}

async function programsOfNpm(version: string): Promise<Readonly<Record<'npm' | 'npx', string>>> {
  const args = ['--yes', '--package', `npm@${version}`, '--', 'sh', '-c', 'command -v npm'];
  const { stdout } = await run('npx', args);
  const folder = dirname(await realpath(stdout.trim()));
  return { npm: join(folder, 'npm-cli.js'), npx: join(folder, 'npx-cli.js') };
}
