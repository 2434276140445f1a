import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { noteEnd } from '../crashes/crashed-processes.ts';
import { guarded } from '../time/guarded.ts';

/** The top folder of the checkout. */
export const PROJECT_FOLDER = fileURLToPath(new URL('../../..', import.meta.url));
const SERVICE_MAIN = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');
const IDENTITY_PROVIDER_MAIN = join(PROJECT_FOLDER, 'demo/identity-provider-main.ts');
const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

export type Environment = Readonly<Record<string, string>>;

export interface Exit {
  /** `null` if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartOptions {
  /** The working folder: a temporary one keeps a developer's `.env` and `./data` out of the test. */
  readonly cwd: string;
  /** The whole environment of the process, except `PATH` and the variables for coverage. */
  readonly env?: Environment;
  /** The Node.js that runs it, that of the tests unless given. */
  readonly node?: string;
  /** How the process is ended if this one ends first, for example by a crash. */
  readonly lastSignal?: NodeJS.Signals;
  /** A program with its arguments that executes the process, such as `prlimit`. */
  readonly through?: readonly string[];
  /** If an uncaught error ends the process, only the test itself judges that. */
  readonly mayCrash?: boolean;
}

/** Ends the processes that still run when this one ends. */
const lastWords = new Set<() => void>();
process.once('exit', () => {
  for (const endOne of lastWords) endOne();
});

/** A Node process under test. Everything that it prints is kept, for assertions and for the messages of failures. */
export class NodeProcess {
  /** Resolves when the process has ended and its output has been read. */
  readonly exited: Promise<Exit>;
  private readonly lines: string[] = [];
  private readonly lineListeners = new Set<(line: string) => void>();
  private errorOutput = '';

  private constructor(private readonly child: ChildProcess) {
    this.exited = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
    // A process that cannot be started is reported to the callers that wait for it, not as an unhandled rejection.
    this.exited.catch(() => undefined);
  }

  static start(
    args: readonly string[],
    {
      cwd,
      env = {},
      node = process.execPath,
      lastSignal = 'SIGKILL',
      through = [],
      mayCrash = false,
    }: StartOptions,
  ): NodeProcess {
    const [command = node, ...rest] = [...through, node, ...args];
    const child = spawn(command, rest, {
      cwd,
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new NodeProcess(child);
    createInterface({ input: child.stdout }).on('line', (line) => started.take(line));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      started.errorOutput += text;
    });
    const endWithUs = (): void => void child.kill(lastSignal);
    lastWords.add(endWithUs);
    child.once('exit', () => lastWords.delete(endWithUs));
    if (!mayCrash) {
      child.once('close', () => noteEnd({ command: args.join(' '), stderr: started.errorOutput }));
    }
    return started;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('The process could not be started');
    return this.child.pid;
  }

  get stdout(): string {
    return this.lines.join('\n');
  }

  get stderr(): string {
    return this.errorOutput;
  }

  /** Its output, for messages. */
  get output(): string {
    return `--- stdout\n${this.stdout}\n--- stderr\n${this.stderr}`;
  }

  /** Sends a signal at once; does nothing if the process has ended. */
  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Stops reading its output. */
  leaveStdout(): void {
    this.child.stdout?.destroy();
  }

  /** Stops reading its messages as well. */
  leaveOutput(): void {
    this.leaveStdout();
    this.child.stderr?.destroy();
  }

  /** Stops reading its output until it has ended. */
  pauseStdout(): void {
    this.child.stdout?.pause();
    this.child.once('exit', () => this.child.stdout?.resume());
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    this.kill(signal);
    return await this.exited;
  }

  /**
   * The first result of `pick` for a line on stdout, past or future.
   *
   * @throws {Error} with the whole output, if the process ends without such a line, or hangs
   */
  async line<T>(pick: (line: string) => T | undefined): Promise<T> {
    return await guarded(this.nextLine(pick), () => `the line did not come\n${this.output}`);
  }

  private async nextLine<T>(pick: (line: string) => T | undefined): Promise<T> {
    return await new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        this.lineListeners.delete(look);
        settle();
      };
      const fail = (reason: string): void => finish(() => reject(new Error(`${reason}\n${this.output}`)));
      const look = (line: string): void => {
        const found = pick(line);
        if (found !== undefined) finish(() => resolve(found));
      };
      this.lineListeners.add(look);
      this.exited.then(
        ({ code, signal }) => fail(`The process ended (${signal ?? code}) before the line came`),
        (error: unknown) => fail(String(error)),
      );
      this.lines.forEach(look);
    });
  }

  private take(line: string): void {
    this.lines.push(line);
    for (const listener of this.lineListeners) listener(line);
  }
}

/** A service that accepts requests. */
export interface RunningService {
  readonly process: NodeProcess;
  /** With a trailing slash. */
  readonly url: string;
}

export interface CommandOptions {
  /** The folder of the catalog and the blobs, which survive a restart. */
  readonly folder: string;
  readonly env?: Environment;
  readonly through?: readonly string[];
}

export interface ServiceOptions extends CommandOptions {
  /** `IDP_DOMAIN`, `IDP_AUDIENCE`, and settings that differ from a service on a free loopback port. */
  readonly env: Environment;
}

/** Starts the built service and waits until it listens. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  return await whenListening(spawnService(options));
}

/** Waits until a service listens; kills it if it does not. */
export async function whenListening(service: NodeProcess): Promise<RunningService> {
  try {
    const port = await service.line(listeningPort);
    return { process: service, url: `http://127.0.0.1:${port}/` };
  } catch (error) {
    await service.stop('SIGKILL');
    throw error;
  }
}

/** Starts the built service and does not wait, for starts that are expected to fail. */
export function spawnService(options: ServiceOptions): NodeProcess {
  return spawnCommand([], options);
}

/** Starts a command of the built service, such as `verify`, on the catalog of a folder. */
export function spawnCommand(
  args: readonly string[],
  { folder, env = {}, through = [] }: CommandOptions,
): NodeProcess {
  if (!existsSync(SERVICE_MAIN)) throw new Error(`${SERVICE_MAIN} is missing: run "npm run build" first`);
  return NodeProcess.start([SERVICE_MAIN, ...args], {
    cwd: folder,
    through,
    env: commandEnvironment({ folder, env }),
  });
}

/** The environment of a command on the catalog of a folder. */
export function commandEnvironment({ folder, env = {} }: CommandOptions): Environment {
  return {
    ...inheritedEnvironment(),
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `sqlite:${databaseFile(folder)}`,
    BLOB_STORE_URL: `file:${blobFolder(folder)}`,
    RENDITION_CACHE_URL: `file:${renditionFolder(folder)}`,
    ...env,
  };
}

/** The database of a service that was started with this folder. */
export function databaseFile(folder: string): string {
  return join(folder, 'catalog.sqlite');
}

/** The renditions of a service that was started with this folder. */
export function renditionFolder(folder: string): string {
  return join(folder, 'renditions');
}

/** The blobs of a service that was started with this folder. */
export function blobFolder(folder: string): string {
  return join(folder, 'blobs');
}

/** The staged files of a service that was started with this folder. */
export function stagingFolder(folder: string): string {
  return join(blobFolder(folder), '.staging');
}

/** Starts a script in TypeScript. */
export function startScript(path: string, args: readonly string[], options: StartOptions): NodeProcess {
  return NodeProcess.start(['--import', TSX, path, ...args], options);
}

export interface RunningIdentityProvider {
  readonly process: NodeProcess;
  /** With a trailing slash. */
  readonly issuer: string;
}

/** Starts the identity provider of the demo, with the demo's client, on a free loopback port. */
export async function startIdentityProviderProcess(cwd: string): Promise<RunningIdentityProvider> {
  const provider = startScript(IDENTITY_PROVIDER_MAIN, [], { cwd, env: { PORT: '0' } });
  const issuer = await provider.line((line) => stringField(line, 'issuer'));
  return { process: provider, issuer };
}

function listeningPort(line: string): number | undefined {
  const entry = parseObject(line);
  return entry?.msg === 'listening' && typeof entry.port === 'number' ? entry.port : undefined;
}

function stringField(line: string, name: string): string | undefined {
  const value = parseObject(line)?.[name];
  return typeof value === 'string' ? value : undefined;
}

function parseObject(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function inheritedEnvironment(): Environment {
  const { PATH = '', NODE_V8_COVERAGE, COUNT_PROCESSES, STARTED_PROCESSES } = process.env;
  return {
    PATH,
    ...(NODE_V8_COVERAGE !== undefined && { NODE_V8_COVERAGE }),
    ...(COUNT_PROCESSES !== undefined && { NODE_OPTIONS: COUNT_PROCESSES }),
    ...(STARTED_PROCESSES !== undefined && { STARTED_PROCESSES }),
  };
}
