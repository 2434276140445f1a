import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PROJECT_FOLDER } from '../../test/support/service-process.ts';

/** Compiles TypeScript for `node --import`. */
export const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const START_DEADLINE_MS = 30_000;

/** As `bin/image-catalog.cjs` sets it: a baseline is not to win or lose by its thread pool. */
export const UV_THREADPOOL_SIZE = String(2 * availableParallelism() + 8);

/** A process of its own, which listens on the loopback interface. */
export interface Server {
  readonly pid: number;
  /** Others whose time is spent on its requests, too: of a database server, for one. */
  readonly helpers?: readonly number[];
  /** With a trailing slash. */
  readonly url: string;
  /** What it said when it began to listen. */
  readonly greeting: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Working folder, and where its log goes: to a file, as a service's does. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For profiles and the like. */
  readonly nodeOptions?: readonly string[];
}

/** Starts the built service with an empty catalog, or with the one that is in the folder. */
export async function startService({ folder, env = {}, nodeOptions = [] }: ServerOptions): Promise<Server> {
  const main = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');
  return await startServer('service', [...nodeOptions, main], {
    folder,
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      DATABASE_URL: `sqlite:${join(folder, 'catalog.sqlite')}`,
      BLOB_STORE_URL: `file:${join(folder, 'blobs')}`,
      RENDITION_CACHE_URL: `file:${join(folder, 'renditions')}`,
      ...env,
    },
  });
}

/** Starts a script in TypeScript, with the thread pool of the service. */
export async function startScript(
  script: URL,
  args: readonly string[],
  { folder, env = {} }: ServerOptions,
): Promise<Server> {
  const path = fileURLToPath(script);
  return await startServer(basename(path, '.ts'), ['--import', TSX, path, ...args], {
    folder,
    env: { UV_THREADPOOL_SIZE, ...env },
  });
}

async function startServer(
  name: string,
  args: readonly string[],
  { folder, env }: ServerOptions,
): Promise<Server> {
  const log = join(folder, `${name}-${process.hrtime.bigint()}.log`);
  const output = openSync(log, 'a');
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  return await listening(child, log);
}

async function listening(child: ChildProcess, log: string): Promise<Server> {
  const endWithUs = (): void => void child.kill('SIGKILL');
  process.prependOnceListener('exit', endWithUs);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(() => process.off('exit', endWithUs));
  const greeting = await greetingOf(child, log);
  const { pid } = child;
  if (pid === undefined) throw new Error('The process has no id');
  return {
    pid,
    url: `http://127.0.0.1:${Number(greeting['port'])}/`,
    greeting,
    stop: async () => {
      child.kill('SIGTERM');
      const forced = setTimeout(endWithUs, 10_000);
      await exited;
      clearTimeout(forced);
    },
  };
}

/** The line of the log that says `listening`. */
async function greetingOf(child: ChildProcess, log: string): Promise<Readonly<Record<string, unknown>>> {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const text = await readFile(log, 'utf8');
    const line = text.split('\n').find((candidate) => candidate.includes('"msg":"listening"'));
    if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
    await sleep(10);
  }
  child.kill('SIGKILL');
  throw new Error(`The process did not begin to listen:\n${await readFile(log, 'utf8')}`);
}
