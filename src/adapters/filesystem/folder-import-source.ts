import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SIGNATURE_BYTES } from '../../domain/image/media-type-of.ts';
import {
  type FileDigest,
  FileUnreadable,
  type FoundFile,
  type ImportSource,
  type WalkEntry,
} from '../../domain/ports/commands/import-source.ts';
import { isSystemEntry } from './is-system-entry.ts';
import { isSystemError } from './translating-file-system-errors.ts';

/** Some hundred of them are held at a time. */
const SMALL_BYTES = 64 * 1024;

/** `listed`: a file that has not been looked at. */
type ListedEntry =
  | Exclude<WalkEntry, { readonly kind: 'file' }>
  | { readonly kind: 'listed'; readonly path: string };

/** Follows no links. */
export class FolderImportSource implements ImportSource {
  /**
   * @param notImages paths that are left out, and not counted
   * @param isExcluded tells by the path whether a file, or a folder with everything in it, is skipped
   */
  constructor(
    private readonly folder: string,
    private readonly notImages: ReadonlySet<string> = new Set(),
    private readonly isExcluded: (path: string) => boolean = () => false,
  ) {}

  async *walk(): AsyncGenerator<WalkEntry, void, undefined> {
    for await (const entry of this.entries()) {
      yield entry.kind === 'listed' ? await this.found(entry.path) : entry;
    }
  }

  /** Counts the files that `walk` finds, without a look at each. */
  async count(): Promise<number> {
    let count = 0;
    for await (const { kind } of this.entries()) if (kind === 'listed') count += 1;
    return count;
  }

  async digest(file: FoundFile): Promise<FileDigest> {
    const isSmall = file.size <= SMALL_BYTES;
    const hash = createHash('sha256');
    let head: Uint8Array = new Uint8Array();
    for await (const chunk of this.read(file)) {
      if (isSmall || head.length < SIGNATURE_BYTES) head = Buffer.concat([head, chunk]);
      hash.update(chunk);
    }
    return { sha256: hash.digest('hex'), head, bytes: isSmall ? head : undefined };
  }

  async *read({ path }: FoundFile): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* createReadStream(join(this.folder, path)) as AsyncIterable<Buffer>;
    } catch (error) {
      throw unreadable(error);
    }
  }

  private async *entries(): AsyncGenerator<ListedEntry, void, undefined> {
    const folders = [''];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      try {
        for await (const entry of await opendir(join(this.folder, folder))) {
          const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
          if (this.notImages.has(path)) continue;
          if (isSkipped(entry) || this.isExcluded(path)) yield { kind: 'skipped', path };
          else if (entry.isDirectory()) folders.push(path);
          else yield { kind: 'listed', path };
        }
      } catch (error) {
        yield { kind: 'unreadable', path: folder === '' ? '.' : folder, code: unreadable(error).code };
      }
    }
  }

  private async found(path: string): Promise<WalkEntry> {
    try {
      const { size, mtimeMs } = await stat(join(this.folder, path));
      return { kind: 'file', file: { path, size, modifiedMs: mtimeMs } };
    } catch (error) {
      return { kind: 'unreadable', path, code: unreadable(error).code };
    }
  }
}

function isSkipped(entry: Dirent): boolean {
  if (!entry.isFile() && !entry.isDirectory()) return true;
  return isSystemEntry(entry.name);
}

/** Errors of consumers pass. */
function unreadable(error: unknown): FileUnreadable {
  if (!isSystemError(error)) throw error;
  return new FileUnreadable(error.code ?? 'unknown', { cause: error });
}
