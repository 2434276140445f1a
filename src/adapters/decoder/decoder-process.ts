import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, open, read } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { type Frame, frameHead, MAX_REPLY_BYTES, type Request } from '../../decoder/protocol.ts';
import { StorageUnavailable } from '../../domain/errors.ts';
import { type Confinement, endsWithParent, freeze, otherUser } from './confinement.ts';
import type { DecodeBounds } from './decode-bounds.ts';
import { type DecoderEnd, DecoderEnded } from './decoder-ended.ts';
import { ownDecoders } from './end-strays.ts';
import { FrameReader } from './frame-reader.ts';
import { IdleBounds } from './idle-bounds.ts';
import type { JobInput } from './job-input.ts';
import { UsageReader } from './process-usage.ts';

export type LibraryVersions = Readonly<Record<string, string>>;

export interface DecoderProgram {
  /** The path of the built decoder. */
  readonly path: string;
  /** The largest memory bound of a job, in bytes. */
  readonly maxJobBytes: number;
  /** Those that the decoder must report, by library. */
  readonly versions: LibraryVersions;
}

/** Wall-clock time of a job. */
const MAX_MS = 30_000;
const START_TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 1024 * 1024;
const STDERR_CHARACTERS = 1000;

/**
 * One arena of glibc keeps 20 MB less than one for each thread, at the same CPU time. One image at a time needs one thread of libuv, and
 * Node.js uses the pool before the decoder could set its size.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' };

/** Faults of the program itself. Other signals come from outside, such as the out-of-memory killer. */
const FAULTS: readonly string[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'];

/** Whether the memory of all decodes has room for what a job uses. */
type HasRoom = (usedBytes: number) => boolean;

interface Job {
  readonly cpuAtStart: number;
  readonly hasRoom: HasRoom;
  /** Of the questions that have a reply. */
  usedMs: number;
  /** `undefined` between two questions. */
  askedAt?: number | undefined;
  bounds?: DecodeBounds;
  /** The last request has opened a file. */
  isFileOpen: boolean;
}

interface Question {
  readonly settle: (frame: Frame) => void;
  readonly fail: (error: Error) => void;
}

const NO_INPUT = new Uint8Array();

// `node:fs/promises` takes more time than the system calls.
const openFile = promisify(open);
const readFrom = promisify(read);

/** A process that works on one image at a time. Ends at the bounds of a job. */
export class DecoderProcess {
  /** Resolves when the process has ended, with its last words. */
  readonly ended: Promise<string>;
  private readonly frames: FrameReader;
  private readonly usage: UsageReader | undefined;
  private chunk: Buffer | undefined;
  private job: Job | undefined;
  /** Settled by the next frame. */
  private question: Question | undefined;
  private words = '';
  /** `undefined` if its usage is not known. */
  private idle: IdleBounds | undefined;
  private idleBytes = 0;
  private bytesAtStart = 0;
  private cpuSeen = 0;
  confinement: Confinement = { isFrozen: false, hasOwnUser: false };
  /** `undefined` while the process runs. */
  whyEnded: DecoderEnd | undefined;

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.frames = new FrameReader(
      () => ({ messageBytes: MAX_REPLY_BYTES, bodyBytes: this.job?.bounds?.replyBytes ?? 0 }),
      (frame) => this.receive(frame),
    );
    ownDecoders.add(child.pid as number);
    this.ended = this.watchEnd();
    child.on('error', () => undefined);
    // An error of a pipe without a listener would end the service. The end of the process tells what it means.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => this.read(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.listen(chunk));
    this.usage = readerOf(child.pid as number);
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

  /** That it has worked for a job; `undefined` if nobody waits for it. */
  get jobMs(): number | undefined {
    const { job } = this;
    return job?.askedAt === undefined ? undefined : job.usedMs + performance.now() - job.askedAt;
  }

  /** What the libraries had kept of earlier jobs when the last one began. */
  get keptBytes(): number {
    return this.bytesAtStart - this.idleBytes;
  }

  /** Since its start, as far as it is known of a process that has ended. */
  get cpuSeconds(): number {
    this.cpuSeen = this.usage?.read()?.cpuSeconds ?? this.cpuSeen;
    return this.cpuSeen;
  }

  /** Counts what `work` asks as one job. */
  async run<T>(hasRoom: HasRoom, work: () => Promise<T>): Promise<T> {
    const usage = this.usage?.read();
    this.cpuSeen = usage?.cpuSeconds ?? this.cpuSeen;
    this.bytesAtStart = Math.max(this.idleBytes, usage?.anonymousBytes ?? 0);
    const job: Job = { cpuAtStart: this.cpuSeen, hasRoom, usedMs: 0, isFileOpen: false };
    this.job = job;
    const usedCpu = usage !== undefined && this.idle?.usesCpu(usage) === true;
    if (this.whyEnded === undefined && usedCpu) this.endIdle('CPU time');
    try {
      return await work();
    } finally {
      if (job.isFileOpen) this.child.stdin.write(frameHead({ kind: 'close' }, 0));
      this.job = undefined;
      this.idle?.begin(this.cpuSeconds);
    }
  }

  /**
   * Resolves when the decoder has replied. Within `run`, one question at a time.
   *
   * @throws {DecoderEnded | StorageUnavailable}
   */
  async ask(request: Request, bounds: DecodeBounds, input: JobInput = NO_INPUT): Promise<Frame> {
    const source = typeof input === 'string' ? await openInput(input) : input;
    const job = this.job as Job;
    const askedAt = performance.now();
    job.isFileOpen = request.kind === 'open';
    job.bounds = bounds;
    job.askedAt = askedAt;
    try {
      // Waits for both: a decoder that replies before it has taken its input is not ready for the next request.
      const [frame] = await Promise.all([this.nextFrame(), this.send(request, source)]);
      return frame;
    } finally {
      // The time runs on until the decoder has taken its input, even if it has replied.
      job.usedMs += performance.now() - askedAt;
      job.askedAt = undefined;
      // At once: a file that was only read has nothing left to write.
      if (typeof source === 'number') closeSync(source);
    }
  }

  /**
   * Ends the process beyond a bound of its job, or of a decoder without one. To be called every few milliseconds.
   *
   * @param isIdleWatch once a second
   */
  enforceBounds(isIdleWatch: boolean): void {
    if (this.job !== undefined) this.enforceJobBounds(this.job);
    else if (isIdleWatch) this.enforceIdleBounds();
  }

  end(why: DecoderEnd): void {
    this.whyEnded ??= why;
    killGroup(this.child);
  }

  private enforceJobBounds({ bounds, cpuAtStart, hasRoom }: Job): void {
    if ((this.jobMs ?? 0) > MAX_MS) return this.end('time');
    const usage = this.usage?.read();
    if (usage === undefined || bounds === undefined) return;
    this.cpuSeen = usage.cpuSeconds;
    const used = usage.anonymousBytes - this.bytesAtStart;
    if (usage.isStopped) this.end('signal');
    else if (usage.cpuSeconds - cpuAtStart > bounds.cpuSeconds) this.end('cpu');
    else if (used > bounds.memoryBytes) this.end('memory');
    else if (!hasRoom(used)) this.end('no_memory');
  }

  private enforceIdleBounds(): void {
    const usage = this.usage?.read();
    if (usage === undefined) return;
    const excess = this.idle?.excess(usage);
    const children = this.usage?.children() ?? [];
    // They may have left its process group.
    for (const child of children) kill(child);
    // The libraries keep much of a large picture: this says nothing about the file.
    if (excess === 'memory') this.end('cancelled');
    else if (excess !== undefined) this.endIdle(excess);
    else if (children.length > 0) this.endIdle('a process');
  }

  private endIdle(excess: string): void {
    this.words = `${excess} without a job`;
    this.end('crash');
  }

  private async beginInTime(program: DecoderProgram, stopped: AbortSignal): Promise<void> {
    const over = new AbortController();
    const stop = (): void => over.abort(stopped.reason);
    const timer = setTimeout(() => over.abort(lateStart()), START_TIMEOUT_MS);
    stopped.addEventListener('abort', stop, { once: true });
    if (stopped.aborted) stop();
    try {
      await Promise.race([this.beginOrEnd(program, over.signal), this.endAt(over.signal)]);
    } finally {
      clearTimeout(timer);
      stopped.removeEventListener('abort', stop);
    }
  }

  private async endAt(over: AbortSignal): Promise<never> {
    if (!over.aborted) await once(over, 'abort');
    this.end('cancelled');
    throw over.reason;
  }

  private async beginOrEnd(program: DecoderProgram, over: AbortSignal): Promise<void> {
    try {
      await this.begin(program, over);
    } catch (error) {
      this.end('cancelled');
      throw error instanceof DecoderEnded ? await this.startFailure() : error;
    }
  }

  /** Operators read the cause of an error in its place, and the words of the process say more. */
  private async startFailure(): Promise<Error> {
    return new Error(`The decoder does not start: ${await this.ended}`);
  }

  private async begin({ maxJobBytes, versions }: DecoderProgram, over: AbortSignal): Promise<void> {
    const { message } = await this.nextFrame();
    requireVersions((message as { readonly versions?: LibraryVersions }).versions ?? {}, versions);
    const isFrozen = await freeze(this.child.pid as number, maxJobBytes, over);
    const user = otherUser();
    this.child.stdin.write(frameHead({ kind: 'confine', user }, 0));
    const { message: confined } = await this.nextFrame();
    // A container may not know the user.
    const hasChangedUser = (confined as { readonly kind?: unknown }).kind === 'confined';
    this.confinement = { isFrozen, hasOwnUser: user !== undefined && hasChangedUser };
    const usage = this.usage?.read();
    this.idle = usage && new IdleBounds(usage);
    this.idleBytes = usage?.anonymousBytes ?? 0;
    this.bytesAtStart = this.idleBytes;
    this.cpuSeen = usage?.cpuSeconds ?? 0;
  }

  /** @throws {DecoderEnded} if the process ends before it */
  private async nextFrame(): Promise<Frame> {
    return await new Promise((settle, fail) => {
      this.question = { settle, fail };
      if (this.whyEnded !== undefined) this.failQuestion();
    });
  }

  private read(chunk: Buffer): void {
    try {
      this.frames.push(chunk);
    } catch {
      this.end('crash');
    }
  }

  private receive(frame: Frame): void {
    const { question } = this;
    this.question = undefined;
    if (question === undefined) this.end('crash');
    else question.settle(frame);
  }

  /** Nothing that an honest decoder does fills this. */
  private listen(chunk: Buffer): void {
    this.words += chunk.toString();
    if (this.words.length > STDERR_CHARACTERS) this.end('crash');
  }

  /** Resolves also if the process has ended, which fails the job. */
  private async send(request: Request, source: number | Uint8Array): Promise<void> {
    // The stats of an open file are in memory: the thread pool would only add a round trip.
    const size = typeof source === 'number' ? fstatSync(source).size : source.length;
    this.child.stdin.write(frameHead(request, size));
    if (typeof source !== 'number') {
      if (size > 0) await this.hasWritten(source);
      return;
    }
    for (let sent = 0; sent < size; ) {
      const bytes = await this.readPart(source, sent);
      if (!(await this.hasWritten(bytes))) return;
      sent += bytes.length;
    }
  }

  private async readPart(descriptor: number, position: number): Promise<Uint8Array> {
    this.chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
    try {
      const { bytesRead } = await readFrom(descriptor, this.chunk, 0, this.chunk.length, position);
      if (bytesRead > 0) return this.chunk.subarray(0, bytesRead);
      throw new Error('The file has become shorter');
    } catch (cause) {
      // The decoder would wait for the rest for ever.
      this.end('cancelled');
      throw new StorageUnavailable({ cause });
    }
  }

  /** `false` if the process has ended. */
  private async hasWritten(bytes: Uint8Array): Promise<boolean> {
    return await new Promise((resolve) => this.child.stdin.write(bytes, (error) => resolve(!error)));
  }

  private async watchEnd(): Promise<string> {
    const [code, signal] = await new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
      this.child.once('exit', (...reason) => resolve(reason)),
    );
    ownDecoders.delete(this.child.pid as number);
    this.whyEnded ??= signal === null || FAULTS.includes(signal) ? 'crash' : 'signal';
    // A process that the decoder has started would keep them open.
    killGroup(this.child);
    for (const pipe of [this.child.stdin, this.child.stdout, this.child.stderr]) pipe.destroy();
    this.failQuestion();
    this.usage?.close();
    return `${this.whyEnded}, ${signal ?? `exit code ${code}`} ${this.words}`.trim();
  }

  private failQuestion(): void {
    const cpuSeconds = this.cpuSeconds - (this.job?.cpuAtStart ?? 0);
    this.question?.fail(new DecoderEnded(this.whyEnded ?? 'crash', cpuSeconds));
  }
}

function lateStart(): Error {
  return new Error(`The decoder does not start: it was not ready after ${START_TIMEOUT_MS / 1000} s`);
}

/** @throws {StorageUnavailable} */
async function openInput(path: string): Promise<number> {
  return await openFile(path, 'r').catch((cause: unknown) => {
    throw new StorageUnavailable({ cause });
  });
}

/** The version in the ETag of a rendition is made of them. */
function requireVersions(found: LibraryVersions, expected: LibraryVersions): void {
  for (const [library, version] of Object.entries(expected)) {
    if (found[library] === version) continue;
    throw new Error(`The decoder has ${library} ${found[library]}, and ${version} is installed`);
  }
}

/** With the processes that it may have started. */
function killGroup({ pid }: ChildProcessByStdio<Writable, Readable, Readable>): void {
  kill(process.platform === 'win32' ? (pid as number) : -(pid as number));
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function readerOf(pid: number): UsageReader | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return new UsageReader(pid);
  } catch {
    // Without /proc only the time of a job is bounded, as elsewhere than on Linux.
    return undefined;
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
