import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Frame, Request } from '../../decoder/protocol.ts';
import { type Confinement, endsWithParent, freeze, otherUser } from './confinement.ts';
import type { DecodeBounds } from './decode-bounds.ts';
import { type DecoderEnd, DecoderEnded } from './decoder-ended.ts';
import { DecoderProtocol } from './decoder-protocol.ts';
import { DecoderWatch, type HasRoom, kill } from './decoder-watch.ts';
import { ownDecoders } from './end-strays.ts';
import type { JobInput } from './job-input.ts';

export type LibraryVersions = Readonly<Record<string, string>>;

export interface DecoderProgram {
  /** The path of the built decoder. */
  readonly path: string;
  /** The largest memory bound of a job, in bytes. */
  readonly maxJobBytes: number;
  /** Those that the decoder must report, by library. */
  readonly versions: LibraryVersions;
}

const START_TIMEOUT_MS = 30_000;
const STDERR_CHARACTERS = 1000;

/**
 * One arena of glibc keeps 20 MB less than one for each thread, at the same CPU time. One image at a time needs one thread of libuv, and
 * Node.js uses the pool before the decoder could set its size.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' };

/** Faults of the program itself. Other signals come from outside, such as the out-of-memory killer. */
const FAULTS: readonly string[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'];

/** A process that works on one image at a time. Ends at the bounds of a job. */
export class DecoderProcess {
  /** Resolves when the process has exited, with its last words. */
  readonly exit: Promise<string>;
  private readonly protocol: DecoderProtocol;
  private readonly watch: DecoderWatch;
  private words = '';
  confinement: Confinement = { isFrozen: false, hasOwnUser: false };
  /** Why it exits; `undefined` while nothing has ended it. */
  whyEnded: DecoderEnd | undefined;

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, Readable>) {
    const { stdin, stdout, stderr } = child;
    ownDecoders.add(child.pid as number);
    this.exit = this.release();
    child.on('error', () => undefined);
    // An error of a pipe without a listener would end the service. The exit of the process tells what it means.
    for (const pipe of [stdin, stdout, stderr]) pipe.on('error', () => undefined);
    this.watch = new DecoderWatch(child.pid as number, (why, words) => this.cancel(why, words));
    const replyBytes = (): number => this.watch.replyBytes;
    this.protocol = new DecoderProtocol({ stdin, stdout, replyBytes, cancel: (why) => this.cancel(why) });
    stderr.on('data', (chunk: Buffer) => this.listen(chunk));
  }

  /**
   * Rejects after `START_TIMEOUT_MS` at the latest, and as soon as `stopped` is aborted, whatever the start waits for.
   *
   * @throws if the program does not start; the reason of `stopped`
   */
  static async start(program: DecoderProgram, stopped: AbortSignal): Promise<DecoderProcess> {
    const node = [process.execPath, ...nodeOptions(), program.path];
    const [command, ...args] = [...(await endsWithParent(stopped)), ...node] as [string, ...string[]];
    stopped.throwIfAborted();
    const child = spawn(command, args, {
      env: ENVIRONMENT,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own session and process group: signals of the terminal are for the service.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    await once(child, 'spawn');
    const decoder = new DecoderProcess(child);
    await decoder.beginInTime(program, stopped);
    return decoder;
  }

  get jobMs(): number | undefined {
    return this.watch.jobMs;
  }

  get keptBytes(): number {
    return this.watch.keptBytes;
  }

  get cpuSeconds(): number {
    return this.watch.cpuSeconds;
  }

  /** Counts what `work` asks as one job. */
  async run<T>(hasRoom: HasRoom, work: () => Promise<T>): Promise<T> {
    this.watch.beginJob(hasRoom);
    try {
      return await work();
    } finally {
      this.protocol.closeFile();
      this.watch.finishJob();
    }
  }

  /**
   * Resolves when the decoder has replied. Within `run`, one question at a time.
   *
   * @throws {DecoderEnded | StorageUnavailable}
   */
  async ask(request: Request, bounds: DecodeBounds, input?: JobInput): Promise<Frame> {
    return await this.protocol.ask(request, () => this.watch.beginQuestion(bounds), input);
  }

  /** @param isIdleWatch once a second */
  enforceBounds(isIdleWatch: boolean): void {
    this.watch.enforceBounds(isIdleWatch);
  }

  /** Kills the process, with those that it may have started. The first reason counts. */
  cancel(why: DecoderEnd, words?: string): void {
    if (this.whyEnded === undefined && words !== undefined) this.words = words;
    this.whyEnded ??= why;
    this.killGroup();
  }

  private async beginInTime(program: DecoderProgram, stopped: AbortSignal): Promise<void> {
    const over = new AbortController();
    const stop = (): void => over.abort(stopped.reason);
    const timer = setTimeout(() => over.abort(lateStart()), START_TIMEOUT_MS);
    stopped.addEventListener('abort', stop, { once: true });
    if (stopped.aborted) stop();
    try {
      await Promise.race([this.beginOrCancel(program, over.signal), this.cancelAt(over.signal)]);
    } finally {
      clearTimeout(timer);
      stopped.removeEventListener('abort', stop);
    }
  }

  private async cancelAt(over: AbortSignal): Promise<never> {
    if (!over.aborted) await once(over, 'abort');
    this.cancel('cancelled');
    throw over.reason;
  }

  private async beginOrCancel(program: DecoderProgram, over: AbortSignal): Promise<void> {
    try {
      await this.begin(program, over);
    } catch (error) {
      this.cancel('cancelled');
      throw error instanceof DecoderEnded ? await this.startFailure() : error;
    }
  }

  /** Operators read the cause of an error in its place, and the words of the process say more. */
  private async startFailure(): Promise<Error> {
    return new Error(`The decoder does not start: ${await this.exit}`);
  }

  private async begin({ maxJobBytes, versions }: DecoderProgram, over: AbortSignal): Promise<void> {
    const { message } = await this.protocol.nextFrame();
    requireVersions((message as { readonly versions?: LibraryVersions }).versions ?? {}, versions);
    const isFrozen = await freeze(this.child.pid as number, maxJobBytes, over);
    const user = otherUser();
    this.protocol.tell({ kind: 'confine', user });
    const { message: confined } = await this.protocol.nextFrame();
    // A container may not know the user.
    const hasChangedUser = (confined as { readonly kind?: unknown }).kind === 'confined';
    this.confinement = { isFrozen, hasOwnUser: user !== undefined && hasChangedUser };
    this.watch.markIdle();
  }

  /** Nothing that an honest decoder does fills this. */
  private listen(chunk: Buffer): void {
    this.words += chunk.toString();
    if (this.words.length > STDERR_CHARACTERS) this.cancel('crash');
  }

  /** Waits for the exit of the process, and releases what belongs to it. */
  private async release(): Promise<string> {
    const [code, signal] = await new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
      this.child.once('exit', (...reason) => resolve(reason)),
    );
    const { stdin, stdout, stderr, pid } = this.child;
    ownDecoders.delete(pid as number);
    const why = (this.whyEnded ??= signal === null || FAULTS.includes(signal) ? 'crash' : 'signal');
    // A process that the decoder has started would keep them open.
    this.killGroup();
    for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
    this.protocol.fail(() => new DecoderEnded(why, this.watch.jobCpuSeconds));
    this.watch.close();
    return `${why}, ${signal ?? `exit code ${code}`} ${this.words}`.trim();
  }

  private killGroup(): void {
    const pid = this.child.pid as number;
    kill(process.platform === 'win32' ? pid : -pid);
  }
}

function lateStart(): Error {
  return new Error(`The decoder does not start: it was not ready after ${START_TIMEOUT_MS / 1000} s`);
}

/** The version in the ETag of a rendition is made of them. */
function requireVersions(found: LibraryVersions, expected: LibraryVersions): void {
  for (const [library, version] of Object.entries(expected)) {
    if (found[library] === version) continue;
    throw new Error(`The decoder has ${library} ${found[library]}, and ${version} is installed`);
  }
}

/**
 * No debugger opens a socket, where Node.js can be told so. Less memory for garbage, and two threads less, than by default. What is
 * collected is free before the next file is read.
 */
function nodeOptions(): readonly string[] {
  const noDebugger = '--disable-sigusr1';
  const options = [
    '--expose-gc',
    '--v8-pool-size=1',
    '--max-semi-space-size=1',
    '--no-concurrent-array-buffer-sweeping',
  ];
  return process.allowedNodeEnvironmentFlags.has(noDebugger) ? [...options, noDebugger] : options;
}
