import { spawnSync } from 'node:child_process';
import { constants, copyFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const SIZE_BYTES = 96 * 1024 * 1024;
/** Disables automatic write-back during a test, so that only synced data is on the disk. */
const OPTIONS = 'loop,commit=300';

/** A file system in a file, for simulated power cuts: a copy of the file is the content of a disk at that moment. */
export class LoopFileSystem {
  private constructor(
    private readonly image: string,
    /** The mount point. */
    readonly path: string,
  ) {}

  /** @throws {Error} if this machine, or this user, cannot make one */
  static async create(folder: string): Promise<LoopFileSystem> {
    const image = join(folder, 'disk.ext4');
    await writeFile(image, '');
    await truncate(image, SIZE_BYTES);
    run('mkfs.ext4', ['-q', '-F', image]);
    return await LoopFileSystem.mount(image, join(folder, 'disk'));
  }

  private static async mount(image: string, path: string): Promise<LoopFileSystem> {
    await mkdir(path);
    run('mount', ['-o', OPTIONS, image, path]);
    return new LoopFileSystem(image, path);
  }

  /** Copies the current content of the disk, without data that is only in memory. Resolves to a function that restores it. */
  async cutPower(name: string): Promise<() => Promise<LoopFileSystem>> {
    const copy = `${this.image}.${name}`;
    await copyFile(this.image, copy, constants.COPYFILE_FICLONE);
    return async () => await LoopFileSystem.mount(copy, `${this.path}.${name}`);
  }

  /** Call it after every process that uses the file system has ended. */
  unmount(): void {
    run('umount', [this.path]);
  }
}

function run(command: string, args: readonly string[]): void {
  const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
  const { status, error, stderr } = spawnSync(command, args, { env: { PATH }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} cannot be run: ${error?.message ?? stderr.trim()}`);
}
