import { closeSync, fsync, open } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { isNotFound } from './file-system-errors.ts';

const openPath = promisify(open);

export async function syncDescriptor(descriptor: number): Promise<void> {
  await new Promise<void>((done, reject) => {
    fsync(descriptor, (error) => {
      if (error === null) done();
      else reject(error);
    });
  });
}

/**
 * Syncs a file or a folder. fsync(2) of a file "does not necessarily ensure that the entry in the directory has also reached disk":
 * that takes an fsync of the folder.
 */
export async function syncPath(path: string): Promise<void> {
  const descriptor = await openPath(path, 'r');
  try {
    await syncDescriptor(descriptor);
  } finally {
    // Nothing was written through it, so that it closes without waiting.
    closeSync(descriptor);
  }
}

/** With missing parents: what is in a folder is lost with it. Not with the option `recursive`, which never ends in `/proc`. */
export async function makeFolderDurably(path: string): Promise<void> {
  const folder = resolve(path);
  const parent = dirname(folder);
  try {
    await mkdir(folder);
  } catch (error) {
    if ((await stat(folder).catch(() => undefined))?.isDirectory() === true) return;
    if (!isNotFound(error) || (await stat(parent).catch(() => undefined)) !== undefined) throw error;
    await makeFolderDurably(parent);
    return await makeFolderDurably(folder);
  }
  await syncPath(parent);
}

interface Rounds {
  readonly running: Promise<void>;
  /** Begins when the running one has ended. */
  next?: Promise<void>;
}

/** Shares syncs of a folder. Unlike `SingleFlight`, a caller never joins a sync that runs already. */
export class DirectorySyncs {
  private readonly rounds = new Map<string, Rounds>();

  /** All entries at the time of the call survive a power cut. */
  async sync(path: string): Promise<void> {
    const rounds = this.rounds.get(path);
    if (rounds === undefined) return await this.begin(path);
    // The running sync may have begun before the change of this caller.
    rounds.next ??= rounds.running.catch(() => undefined).then(() => this.begin(path));
    await rounds.next;
  }

  private async begin(path: string): Promise<void> {
    const running = syncPath(path);
    const rounds: Rounds = { running };
    this.rounds.set(path, rounds);
    try {
      await running;
    } finally {
      if (this.rounds.get(path) === rounds && rounds.next === undefined) this.rounds.delete(path);
    }
  }
}
