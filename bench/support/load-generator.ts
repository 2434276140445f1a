import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Job, Load } from './jobs.ts';

const MAIN = fileURLToPath(new URL('load-generator-main.ts', import.meta.url));

/** Sends requests from a process of its own, so that the load takes no time of the bench's event loop. */
export class LoadGenerator {
  private constructor(private readonly child: ChildProcess) {}

  static start(): LoadGenerator {
    const child = fork(MAIN, { execArgv: ['--import', 'tsx'] });
    process.prependOnceListener('exit', () => child.kill('SIGKILL'));
    return new LoadGenerator(child);
  }

  /** @throws {Error} if the process of the generator ends */
  async perform(job: Job): Promise<Load> {
    const stopped = new AbortController();
    try {
      const finished = once(this.child, 'message', { signal: stopped.signal });
      const ended = once(this.child, 'exit', { signal: stopped.signal }).then(() => {
        throw new Error('The load generator has ended');
      });
      this.child.send(job);
      const [load] = (await Promise.race([finished, ended])) as [Load];
      return load;
    } finally {
      stopped.abort();
    }
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.disconnect();
    await exited;
  }
}
