import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { HostileCatalogs } from './hostile-catalogs.ts';
import type { Listener } from './hostile-request.ts';
import type { SignedPaths } from './signed-paths.ts';

const MAIN = fileURLToPath(new URL('measured-service-main.ts', import.meta.url));

export type Command = 'begin' | 'end';

/** What the process of the service says when it is ready. */
export interface Started {
  readonly urls: Readonly<Record<Listener, string>>;
  /** The names of the routes of the web listener. */
  readonly webRoutes: readonly string[];
  readonly signedPaths: SignedPaths;
  /** By space. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly catalogs: HostileCatalogs;
  readonly knownWorkMs: number;
}

/** What the service has used between `begin` and `end`. */
export interface Figures {
  /** Of all threads of the process, those of the database included. */
  readonly cpuMs: number;
  /** Of the main thread. */
  readonly loopCpuMs: number;
  /** CPU of the longest turn of the event loop, without garbage collection. */
  readonly longestTurnMs: number;
  readonly bytesLogged: number;
  /** Messages of the errors in the log: one is that a statement binds too many values. */
  readonly errors: readonly string[];
}

/** The service over hostile catalogs, in a process of its own: no client shares its event loop. */
export class MeasuredService {
  private constructor(
    private readonly child: ChildProcess,
    readonly started: Started,
  ) {}

  /** @param images of the largest spaces */
  static async start(images: number): Promise<MeasuredService> {
    const child = fork(MAIN, [String(images)], { execArgv: ['--import', 'tsx'] });
    process.prependOnceListener('exit', () => child.kill('SIGKILL'));
    return new MeasuredService(child, (await messageOf(child)) as Started);
  }

  /** Measures the service while `work` runs. */
  async measure<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly figures: Figures }> {
    await this.perform('begin');
    const result = await work();
    return { result, figures: (await this.perform('end')) as Figures };
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }

  private async perform(command: Command): Promise<unknown> {
    const answered = messageOf(this.child);
    this.child.send(command);
    return await answered;
  }
}

/** @throws {Error} if the process ends */
async function messageOf(child: ChildProcess): Promise<unknown> {
  const heard = new AbortController();
  const ended = once(child, 'exit', { signal: heard.signal }).then(() => {
    throw new Error('The process of the service has ended');
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal: heard.signal }), ended])) as [
      unknown,
    ];
    return message;
  } finally {
    heard.abort();
  }
}
