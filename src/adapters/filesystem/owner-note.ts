import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isNotFound, isSystemError } from './file-system-errors.ts';
import { syncDirectory } from './sync-directory.ts';

/** Its name, and the beginning of the names of what is to become one. */
export const OWNER_NOTE = '.catalog';

/**
 * What says, in a folder, which catalog the folder belongs to: `.catalog/<identity>/`. No file, so that all files of a blob
 * folder are blobs, for whoever counts or copies them.
 */
export class OwnerNote {
  private readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, OWNER_NOTE);
  }

  /** `undefined` where there is none. Several, which folders that were laid together have, are nobody's identity. */
  async read(): Promise<string | undefined> {
    try {
      const entries = await readdir(this.path, { withFileTypes: true });
      // File managers leave files wherever somebody has looked.
      const owners = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      return owners.length === 0 ? undefined : owners.sort().join(' ');
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Makes it, unless it is there. It shows whole or not at all. */
  async claim(owner: string): Promise<void> {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      // Not recursive: that would make the folder itself where it is away.
      await mkdir(draft);
      await mkdir(join(draft, owner));
      await syncDirectory(draft);
      await this.publish(draft);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    // That of another process may not be on the disk yet, either.
    await syncDirectory(this.folder);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
    await syncDirectory(this.folder);
  }

  /** A folder takes the place of an empty one only: of several processes one is first. */
  private async publish(draft: string): Promise<void> {
    try {
      await rename(draft, this.path);
    } catch (error) {
      if (isSystemError(error) && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')) return;
      throw error;
    }
  }
}
