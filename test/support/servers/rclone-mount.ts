import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '../time/eventually.ts';

/** A folder that rclone serves through FUSE without a cache, so that files can only be written from begin to end. */
export class RcloneMount {
  private constructor(
    /** The mount point. */
    readonly path: string,
    private readonly program: ChildProcess,
  ) {}

  /** @throws {Error} if this machine, or this user, cannot mount */
  static async mount(folder: string): Promise<RcloneMount> {
    const [source, path] = [join(folder, 'source'), join(folder, 'mounted')];
    await mkdir(source);
    await mkdir(path);
    const { dev } = await stat(path);
    const args = ['mount', source, path, '--config', '/dev/null', '--vfs-cache-mode', 'off'];
    const program = spawn('rclone', args, { stdio: 'ignore' });
    const ended = once(program, 'exit').then(() => {
      throw new Error('rclone cannot mount here');
    });
    ended.catch(() => undefined);
    const mounted = eventually(
      async () => (await stat(path)).dev,
      (seen) => seen !== dev,
    );
    await Promise.race([mounted, ended]);
    return new RcloneMount(path, program);
  }

  /** Call it after every process that uses the folder has ended. */
  async unmount(): Promise<void> {
    const ended = once(this.program, 'exit');
    // rclone ends when its mount has gone.
    await promisify(execFile)('fusermount3', ['-u', this.path]);
    await ended;
  }
}
