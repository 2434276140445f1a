import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_FOLDER } from '../../test/support/servers/service-process.ts';
import { MissingPrerequisite } from './suite.ts';

const run = promisify(execFile);

/** Installed and built once for each commit. */
const BUILDS = join(PROJECT_FOLDER, 'node_modules/.cache/builds');

/**
 * The folder of another build of the service.
 *
 * @param other a folder with a build, or a commit, which is installed and built there
 * @throws {MissingPrerequisite} if there is no such commit, or it cannot be built
 */
export async function otherBuild(other: string): Promise<string> {
  if (existsSync(join(other, 'dist/main.js'))) return resolve(other);
  const commit = await commitOf(other);
  const folder = join(BUILDS, commit);
  if (existsSync(join(folder, 'dist/main.js'))) return folder;
  console.log(`installing and building ${commit}`);
  try {
    await mkdir(folder, { recursive: true });
    await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], {
      cwd: PROJECT_FOLDER,
    });
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
    return folder;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw new MissingPrerequisite(`${commit} cannot be built: ${String(error)}`, { cause: error });
  }
}

async function commitOf(name: string): Promise<string> {
  try {
    const { stdout } = await run('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], {
      cwd: PROJECT_FOLDER,
    });
    return stdout.trim();
  } catch (error) {
    throw new MissingPrerequisite(`There is no commit ${name}`, { cause: error });
  }
}
