import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import {
  type Frame,
  type FramePrefix,
  FrameReader,
  frameHead,
  type Request,
} from '../../decoder/protocol.ts';
import { type Confinement, endsWithParent, freeze, otherUser } from './confinement.ts';
import { UsageReader } from './process-usage.ts';

/** Why a decoder has ended, or was ended. */
export type DecoderEnd =
  /** It did not start. */
  | 'not_started'
  /** Beyond its bounds. */
  | 'cpu'
  | 'memory'
  | 'time'
  /** All decodes together would take more than their memory. */
  | 'no_memory'
  /** Killed or stopped by another process. */
  | 'signal'
  | 'crash'
  /** The client has left, the file could not be read, or the service stops. */
  | 'cancelled';

export class DecoderEnded extends Error {
  constructor(
    readonly end: DecoderEnd,
    readonly cpuSeconds: number,
    options?: ErrorOptions,
  ) {
    super(`The decoder has ended: ${end}`, options);
  }
}

/** The file of a job cannot be opened or read. */
export class InputUnreadable extends Error {}

export interface JobBounds {
  readonly cpuSeconds: number;
  /** Anonymous memory beyond that of an idle decoder. */
  readonly memoryBytes: number;
  readonly replyBytes: number;
  /** Whether the memory of all decodes has room for what the job uses now. */
  readonly hasRoom: (usedBytes: number) => boolean;
}

/** A path is read as it is sent. */
export type JobInput = string | Uint8Array;

/** Wall-clock time of a job. */
const MAX_MS = 30_000;
const MAX_MESSAGE_BYTES = 16 * 1024;
const START_TIMEOUT_MS = 30_000;
const CHUNK_BYTES = 1024 * 1024;
const STDERR_CHARACTERS = 1000;

/** Faults of the program itself. Other signals come from outside, such as the out-of-memory killer. */
const FAULTS: readonly string[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP'];

interface Job {
  readonly bounds: JobBounds;
  readonly startedAt: number;
  readonly cpuAtStart: number;
  readonly settle: (frame: Frame) => void;
  readonly fail: (error: DecoderEnded) => void;
}

/** A process that decodes one picture at a time. Ends at the bounds of a job. */
export class DecoderProcess {
  /** Resolves when the process has ended, with its last words. */
  readonly ended: Promise<string>;
  private readonly frames: FrameReader;
  private readonly usage: UsageReader | undefined;
  private chunk: Buffer | undefined;
  private job: Job | undefined;
  private why: DecoderEnd | undefined;
  private onStart: ((frame: Frame) => void) | undefined;
  private idleBytes = 0;
  private bytesAtStart = 0;
  private cpuSeen = 0;
  confinement: Confinement = { isFrozen: false, hasOwnUser: false };
  versions: unknown;

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.frames = new FrameReader(
      () => this.limits(),
      (frame) => this.receive(frame),
    );
    this.ended = this.watchEnd();
    this.usage = process.platform === 'linux' ? new UsageReader(child.pid as number) : undefined;
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => this.read(chunk));
  }

  /**
   * @param program the built decoder
   * @throws if the program does not start
   */
  static async start(program: string): Promise<DecoderProcess> {
    const [command, ...args] = [...(await endsWithParent()), process.execPath, ...nodeOptions(), program];
    const child = spawn(command, args, {
      env: {},
      stdio: ['pipe', 'pipe', 'pipe'],
      // Its own session: signals of the terminal are for the service.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    await once(child, 'spawn');
    const decoder = new DecoderProcess(child);
    try {
      await decoder.begin();
      return decoder;
    } catch (error) {
      decoder.end('cancelled');
      throw error;
    }
  }

  /** Of a job that runs, since its start. */
  get jobMs(): number {
    return this.job === undefined ? 0 : performance.now() - this.job.startedAt;
  }

  /** What the libraries had kept of earlier jobs when the last one began. */
  get keptBytes(): number {
    return this.bytesAtStart - this.idleBytes;
  }

  /** `undefined` while the process runs. */
  get whyEnded(): DecoderEnd | undefined {
    return this.why;
  }

  /** Since its start, as far as it is known of a process that has ended. */
  get cpuSeconds(): number {
    this.cpuSeen = this.usage?.read()?.cpuSeconds ?? this.cpuSeen;
    return this.cpuSeen;
  }

  /** @throws {DecoderEnded | InputUnreadable} */
  async run(request: Request, input: JobInput, bounds: JobBounds): Promise<Frame> {
    const file = typeof input === 'string' ? await openInput(input) : undefined;
    try {
      const size = file === undefined ? input.length : (await file.stat()).size;
      return await new Promise((settle, fail) => {
        this.job = this.jobOf(bounds, settle, fail);
        if (this.why !== undefined) return this.failJob();
        this.child.stdin.write(frameHead(request, size));
        if (file === undefined) this.child.stdin.write(input);
        else void this.send(file, size);
      });
    } finally {
      this.job = undefined;
      await file?.close();
    }
  }

  private jobOf(bounds: JobBounds, settle: Job['settle'], fail: Job['fail']): Job {
    const usage = this.usage?.read();
    this.cpuSeen = usage?.cpuSeconds ?? 0;
    this.bytesAtStart = Math.max(this.idleBytes, usage?.anonymousBytes ?? 0);
    return {
      bounds,
      startedAt: performance.now(),
      cpuAtStart: this.cpuSeen,
      settle,
      fail,
    };
  }

  /** Ends the process if its job is beyond a bound. To be called every few milliseconds. */
  enforceBounds(): void {
    if (this.job === undefined) return;
    const { bounds, cpuAtStart } = this.job;
    if (this.jobMs > MAX_MS) return this.end('time');
    const usage = this.usage?.read();
    if (usage === undefined) return;
    this.cpuSeen = usage.cpuSeconds;
    const used = usage.anonymousBytes - this.bytesAtStart;
    if (usage.isStopped) this.end('signal');
    else if (usage.cpuSeconds - cpuAtStart > bounds.cpuSeconds) this.end('cpu');
    else if (used > bounds.memoryBytes) this.end('memory');
    else if (!bounds.hasRoom(used)) this.end('no_memory');
  }

  end(why: DecoderEnd): void {
    this.why ??= why;
    this.child.kill('SIGKILL');
  }

  private async begin(): Promise<void> {
    const { message } = await this.nextAtStart();
    this.versions = (message as { readonly versions?: unknown }).versions;
    const isFrozen = await freeze(this.child.pid as number);
    const user = isFrozen ? otherUser() : undefined;
    this.child.stdin.write(frameHead({ kind: 'confine', user }, 0));
    const { message: confined } = await this.nextAtStart();
    // A container may not know the user.
    const hasChangedUser = (confined as { readonly kind?: unknown }).kind === 'confined';
    this.confinement = { isFrozen, hasOwnUser: user !== undefined && hasChangedUser };
    this.idleBytes = this.usage?.read()?.anonymousBytes ?? 0;
    this.bytesAtStart = this.idleBytes;
  }

  private async nextAtStart(): Promise<Frame> {
    const timeout = AbortSignal.timeout(START_TIMEOUT_MS);
    return await new Promise((resolve, reject) => {
      this.onStart = resolve;
      timeout.addEventListener('abort', () => reject(timeout.reason as Error));
      void this.ended.then((words) => reject(new Error(`The decoder does not start: ${words}`)));
    });
  }

  private limits(): FramePrefix {
    return { messageBytes: MAX_MESSAGE_BYTES, bodyBytes: this.job?.bounds.replyBytes ?? 0 };
  }

  private read(chunk: Buffer): void {
    try {
      this.frames.push(chunk);
    } catch {
      this.end('crash');
    }
  }

  private receive(frame: Frame): void {
    const { job, onStart } = this;
    this.onStart = undefined;
    if (onStart !== undefined) onStart(frame);
    else if (job !== undefined) job.settle(frame);
    else this.end('crash');
  }

  private async send(file: FileHandle, size: number): Promise<void> {
    for (let sent = 0; sent < size; ) {
      const bytes = await this.readPart(file, sent);
      if (bytes === undefined || !(await this.hasWritten(bytes))) return;
      sent += bytes.length;
    }
  }

  /** Fails the job if the file cannot be read: the decoder would wait for the rest for ever. */
  private async readPart(file: FileHandle, position: number): Promise<Uint8Array | undefined> {
    this.chunk ??= Buffer.allocUnsafeSlow(CHUNK_BYTES);
    try {
      const { bytesRead } = await file.read(this.chunk, 0, this.chunk.length, position);
      if (bytesRead > 0) return this.chunk.subarray(0, bytesRead);
      throw new Error('The file has become shorter');
    } catch (error) {
      const cause = new InputUnreadable('The file cannot be read', { cause: error });
      this.job?.fail(new DecoderEnded('cancelled', 0, { cause }));
      this.end('cancelled');
      return undefined;
    }
  }

  /** `false` if the process has ended, which fails the job. */
  private async hasWritten(bytes: Uint8Array): Promise<boolean> {
    return await new Promise((resolve) => this.child.stdin.write(bytes, (error) => resolve(!error)));
  }

  private async watchEnd(): Promise<string> {
    let words = '';
    this.child.stderr.on('data', (chunk: Buffer) => {
      words = `${words}${chunk.toString()}`.slice(-STDERR_CHARACTERS);
    });
    const [code, signal] = (await once(this.child, 'close')) as [number | null, NodeJS.Signals | null];
    this.why ??= signal === null || FAULTS.includes(signal) ? 'crash' : 'signal';
    this.failJob();
    this.usage?.close();
    return `${this.why}, ${signal ?? `exit code ${code}`} ${words}`.trim();
  }

  private failJob(): void {
    const { job } = this;
    if (job === undefined) return;
    job.fail(new DecoderEnded(this.why ?? 'crash', this.cpuSeconds - job.cpuAtStart));
  }
}

async function openInput(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (error) {
    throw new InputUnreadable('The file cannot be opened', { cause: error });
  }
}

/** No debugger opens a socket, where Node.js can be told so. Two threads less than by default. */
function nodeOptions(): readonly string[] {
  const wanted = ['--expose-gc', '--v8-pool-size=1', '--disable-sigusr1'];
  return wanted.filter(
    (option) => option === '--expose-gc' || process.allowedNodeEnvironmentFlags.has(option),
  );
}
