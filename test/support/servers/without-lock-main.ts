/**
 * npm run test:without-lock
 *
 * Whether a clone of the last commit without its package-lock.json, with the latest packages that package.json allows, builds and
 * starts. Prints the versions that differ from the lock. Nothing is installed in the project.
 */
import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addCompiledSqlite } from '../fixtures/installed-package.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { LONG_TEST_MS } from '../time/hang-guard.ts';
import { NodeProcess, PROJECT_FOLDER } from './service-process.ts';

const INSTALL = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];

type Versions = ReadonlyMap<string, string>;

async function run(folder: string, program: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(program, args, {
    cwd: folder,
    timeout: LONG_TEST_MS,
    maxBuffer: 64 * 1024 ** 2,
  });
}

/** By the path of the package in `node_modules`. */
async function lockedVersions(folder: string): Promise<Versions> {
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version?: string }>>;
  };
  return new Map(Object.entries(packages).map(([path, { version = '' }]) => [path, version]));
}

function printDifferences(before: Versions, after: Versions): void {
  for (const [path, version] of after) {
    const locked = before.get(path);
    if (locked !== undefined && locked !== version) console.log(`${path}: ${locked} -> ${version}`);
  }
}

/** Up to the lines of the walk-through, which come when the service listens. */
async function startDemo(clone: string): Promise<void> {
  const demo = NodeProcess.start([join(clone, 'bin/image-catalog.cjs'), 'demo'], {
    cwd: clone,
    env: { PORT: '0', WEB_PORT: '0' },
    lastSignal: 'SIGTERM',
  });
  await demo.line((line) => (line.startsWith('curl -sSi -H') ? line : undefined));
  const { code } = await demo.stop('SIGINT');
  if (code !== 0) throw new Error(`The demo ended with ${code}:\n${demo.stderr}`);
}

const folder = await temporaryFolder();
const clone = join(folder.path, 'clone');
try {
  await run(folder.path, 'git', ['clone', '--quiet', '--depth', '1', `file://${PROJECT_FOLDER}`, clone]);
  const before = await lockedVersions(clone);
  await rm(join(clone, 'package-lock.json'));
  await run(clone, 'npm', INSTALL);
  printDifferences(before, await lockedVersions(clone));
  await addCompiledSqlite(clone);
  await run(clone, 'npm', ['run', 'build']);
  await startDemo(clone);
  console.log('An install without package-lock.json builds and starts');
} catch (error) {
  console.error(error);
  console.error('An install without package-lock.json does not build or start');
  process.exitCode = 1;
} finally {
  await folder.remove();
}
