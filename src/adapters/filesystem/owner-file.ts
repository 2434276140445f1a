import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNotFound, isSystemError } from './file-system-errors.ts';
import { syncDirectory } from './sync-directory.ts';

/** Its name, and the beginning of the names of what is to become one. */
export const OWNER_FILE = '.catalog';

/** The file in a folder that says which catalog the folder belongs to. */
export class OwnerFile {
  private readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, OWNER_FILE);
  }

  /** `undefined` where there is none. */
  async read(): Promise<string | undefined> {
    try {
      return (await readFile(this.path, 'utf8')).trim();
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Writes it, unless it is there. It shows whole or not at all. */
  async claim(owner: string): Promise<void> {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      await writeFile(draft, `${owner}\n`, { mode: 0o600, flag: 'wx', flush: true });
      await this.publish(draft);
    } finally {
      await rm(draft, { force: true });
    }
    // That of another process may not be on the disk yet, either.
    await syncDirectory(this.folder);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
    await syncDirectory(this.folder);
  }

  /** A link is made only where nothing is: of several processes one is first. */
  private async publish(draft: string): Promise<void> {
    try {
      await link(draft, this.path);
    } catch (error) {
      if (isSystemError(error) && error.code === 'EEXIST') return;
      // The file system has no links.
      if ((await this.read()) === undefined) await rename(draft, this.path);
    }
  }
}
