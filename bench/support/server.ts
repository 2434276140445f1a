import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { PROJECT_FOLDER } from '../../test/support/servers/service-process.ts';

/** Compiles TypeScript for `node --import`. */
export const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const START_DEADLINE_MS = 30_000;

/** The size that `bin/image-catalog.cjs` sets, so that service and baselines have equal thread pools. */
export const UV_THREADPOOL_SIZE = String(2 * availableParallelism() + 8);

/** For figures of uploads and renditions alone. */
export const WITHOUT_PRERENDERING = { PRERENDER: '' } as const;

/** A child process that listens on the loopback interface. */
export interface Server {
  readonly pid: number;
  /** Other processes that work on its requests, such as a database server. Their CPU time is added. */
  readonly helpers?: readonly number[];
  /** With a trailing slash. */
  readonly url: string;
  /** Its log line `listening`. */
  readonly greeting: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Working folder; the log is a file in it. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
  /** The folder of another build. */
  readonly project?: string;
}

/** Starts the built service on the catalog in the folder; without one it creates an empty catalog. */
export async function startService({
  folder,
  env = {},
  nodeOptions = [],
  project = PROJECT_FOLDER,
}: ServerOptions): Promise<Server> {
  const main = join(project, 'bin/image-catalog.cjs');
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

/** Starts a TypeScript file, with the thread pool size of the service. */
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
  const kill = (): void => void child.kill('SIGKILL');
  process.prependOnceListener('exit', kill);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(() => process.off('exit', kill));
  const greeting = await greetingOf(child, log);
  const { pid } = child;
  if (pid === undefined) throw new Error('The process could not be started');
  return {
    pid,
    url: `http://127.0.0.1:${Number(greeting['port'])}/`,
    greeting,
    stop: async () => {
      child.kill('SIGTERM');
      const forced = setTimeout(kill, 10_000);
      await exited;
      clearTimeout(forced);
    },
  };
}

async function greetingOf(child: ChildProcess, log: string): Promise<Readonly<Record<string, unknown>>> {
  const deadline = performance.now() + START_DEADLINE_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const text = await readFile(log, 'utf8');
    const line = text.split('\n').find((candidate) => candidate.includes('"msg":"listening"'));
    if (line !== undefined) return JSON.parse(line) as Record<string, unknown>;
    await sleep(10);
  }
  child.kill('SIGKILL');
  throw new Error(`The process does not listen:\n${await readFile(log, 'utf8')}`);
}
