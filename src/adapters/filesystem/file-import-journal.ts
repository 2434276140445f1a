import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { ImportJournal, JournalEntry } from '../../domain/ports/import-journal.ts';
import type { FoundFile } from '../../domain/ports/import-source.ts';
import { isNotFound } from './file-system-errors.ts';

/** Entries between two fsyncs. A power cut can lose as many. */
const SYNC_EVERY = 500;

/** Of a file: what decides whether it is unchanged, and what became of it. */
type Known = Omit<JournalEntry, 'path'>;

/** A file of JSON lines that only grows. The last entry of a path counts; a line that was cut off counts as missing. */
export class FileImportJournal implements ImportJournal {
  readonly #lines: string[] = [];
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #unsynced = 0;

  #file: Promise<FileHandle> | undefined;

  private constructor(
    private readonly path: string,
    private readonly known: Map<string, Known>,
  ) {}

  /** Makes the file with its first entry. */
  static async open(path: string): Promise<FileImportJournal> {
    return new FileImportJournal(path, await readEntries(path));
  }

  find(file: FoundFile): JournalEntry | undefined {
    const known = this.known.get(file.path);
    if (known?.size !== file.size || known.modifiedMs !== file.modifiedMs) return undefined;
    return { path: file.path, ...known };
  }

  /** Waits only if many lines are not written yet. */
  async add(entry: JournalEntry): Promise<void> {
    const { path, ...known } = entry;
    this.known.set(path, known);
    this.#lines.push(JSON.stringify(entry));
    this.#writing ??= this.write();
    if (this.#lines.length >= SYNC_EVERY) await this.#writing;
    this.throwFailure();
  }

  async close(): Promise<void> {
    await this.#writing;
    this.throwFailure();
    if (this.#file === undefined) return;
    await this.sync();
    await (await this.#file).close();
  }

  private throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Never rejects: the next call throws. Lines that come during a write are in the next one. */
  private async write(): Promise<void> {
    try {
      const file = await this.opened();
      while (this.#lines.length > 0) {
        const lines = this.#lines.splice(0);
        // One write: lines of several processes do not mix.
        await file.appendFile(`${lines.join('\n')}\n`);
        this.#unsynced += lines.length;
        if (this.#unsynced >= SYNC_EVERY) await this.sync();
      }
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#writing = undefined;
    }
  }

  private async opened(): Promise<FileHandle> {
    this.#file ??= openToAppend(this.path);
    return await this.#file;
  }

  private async sync(): Promise<void> {
    this.#unsynced = 0;
    await (await this.opened()).datasync();
  }
}

async function openToAppend(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'a', 0o600);
  // Ends a line that was cut off. An empty line means nothing.
  await file.appendFile('\n');
  return file;
}

async function readEntries(path: string): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      const entry = parse(line);
      if (entry !== undefined) known.set(entry.path, withoutPath(entry));
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return known;
}

function withoutPath({ path: _path, ...known }: JournalEntry): Known {
  return known;
}

function parse(line: string): JournalEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<JournalEntry> | null;
    const isWhole = typeof entry?.path === 'string' && typeof entry.outcome === 'string';
    return isWhole ? (entry as JournalEntry) : undefined;
  } catch {
    return undefined;
  }
}
