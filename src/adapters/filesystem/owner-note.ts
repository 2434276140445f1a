import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncPath } from './sync-path.ts';
import { ignoreMissing, isSystemError } from './translating-file-system-errors.ts';

/** Also the prefix of drafts. */
export const OWNER_NOTE = '.catalog';

/** `.catalog/<identity>/`: a folder, so that all files of a blob folder are blobs. */
export class OwnerNote {
  private readonly path: string;

  constructor(private readonly folder: string) {
    this.path = join(folder, OWNER_NOTE);
  }

  /** Merged folders have several notes: joined, they match no catalog. */
  async read(): Promise<string | undefined> {
    const entries = (await readdir(this.path, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
    // File managers leave files in folders that they show.
    const owners = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return owners.length === 0 ? undefined : owners.sort().join(' ');
  }

  /** Atomic; does nothing if there is a note. */
  async claim(owner: string): Promise<void> {
    const draft = `${this.path}.${randomUUID()}`;
    try {
      // Not recursive: that would make the folder itself if it is missing.
      await mkdir(draft);
      await mkdir(join(draft, owner));
      await syncPath(draft);
      await this.publish(draft);
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
    // Another process may have made the note and not synced it yet.
    await syncPath(this.folder);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
    await syncPath(this.folder);
  }

  /** A rename replaces no folder that has entries, so the first process wins. */
  private async publish(draft: string): Promise<void> {
    try {
      await rename(draft, this.path);
    } catch (error) {
      if (isSystemError(error) && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST')) return;
      throw error;
    }
  }
}
