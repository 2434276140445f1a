import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../time/eventually.ts';
import { accepts } from './accepts.ts';

/** A server on loopback that is another program. It ends with this process. */
export class ServerProgram {
  private errorOutput = '';

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errorOutput += text;
    });
    const endWithUs = (): void => void child.kill('SIGTERM');
    process.once('exit', endWithUs);
    child.once('exit', () => process.off('exit', endWithUs));
  }

  /** Waits until the port accepts connections. */
  static async start(
    command: string,
    args: readonly string[],
    port: number,
    options: Pick<SpawnOptions, 'uid' | 'gid' | 'env'> = {},
  ): Promise<ServerProgram> {
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    const server = new ServerProgram(child);
    const isUp = await eventually(
      () => accepts(port),
      (accepted) => accepted || child.exitCode !== null,
    );
    if (isUp) return server;
    await server.stop();
    throw new Error(`${command} does not listen:\n${server.errors}`);
  }

  get errors(): string {
    return this.errorOutput;
  }

  /** Resolves when the process is gone, also one that has ended by itself. */
  async stop(): Promise<void> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }
}
