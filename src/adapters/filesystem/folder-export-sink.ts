import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ExportedLine, ExportSink } from '../../domain/ports/commands/export-source.ts';
import { EXPORTED_RECORDS, readExportedRecords } from './exported-records.ts';
import { makeFolderDurably } from './make-folder-durably.ts';
import { syncPath } from './sync-path.ts';
import { ignoreMissing } from './translating-file-system-errors.ts';

/** Hidden, so that an import skips it. */
const UNFINISHED = '.unfinished-';

/** Links are not followed, and a pipe is not waited for: somebody else may have put them into the folder. */
const SAFE = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const READ = constants.O_RDONLY | SAFE;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | SAFE;

/** Errors of the file system pass. */
export class FolderExportSink implements ExportSink {
  private constructor(
    private readonly folder: string,
    private readonly records: FileHandle,
  ) {}

  static async open(folder: string): Promise<FolderExportSink> {
    await makeFolderDurably(folder);
    for (const name of await readdir(folder)) {
      if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { force: true });
    }
    const records = await open(join(folder, EXPORTED_RECORDS), APPEND, 0o666);
    // Ends a line that a kill has cut off. An empty line means nothing.
    if ((await records.stat()).size > 0) await records.appendFile('\n');
    return new FolderExportSink(folder, records);
  }

  async finished(): Promise<ReadonlyMap<number, string>> {
    const finished = new Map<number, string>();
    for (const record of (await readExportedRecords(this.folder)).values()) {
      const { id, size, file } = record as unknown as ExportedLine;
      // Somebody else may have written the lines.
      if (basename(file) !== file) continue;
      const found = await lstat(join(this.folder, file)).catch(() => undefined);
      if (found?.isFile() && found.size === size) finished.set(id, file);
    }
    return finished;
  }

  async digest(file: string): Promise<string | undefined> {
    const path = join(this.folder, file);
    const found = await lstat(path).catch(ignoreMissing);
    if (!found?.isFile()) return found && '';
    const hash = createHash('sha256');
    await using opened = await open(path, READ);
    await pipeline(opened.createReadStream({ autoClose: false }), hash);
    return (hash.read() as Buffer).toString('hex');
  }

  async write(file: string, bytes: AsyncIterable<Uint8Array>, sha256: string): Promise<boolean> {
    const path = join(this.folder, `${UNFINISHED}${randomUUID()}`);
    const isWhole = (await writeDurably(path, bytes)) === sha256;
    if (isWhole) await rename(path, join(this.folder, file));
    else await rm(path, { force: true });
    return isWhole;
  }

  async note(lines: readonly ExportedLine[]): Promise<void> {
    if (lines.length === 0) return;
    // The files before their lines.
    await syncPath(this.folder);
    await this.records.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await this.records.datasync();
  }

  async close(): Promise<void> {
    await this.records.close();
  }
}

/** Resolves to the SHA-256; `undefined` if the bytes end early. */
async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx');
  try {
    for await (const chunk of chunksUntilFailure(bytes)) {
      if (chunk === undefined) return undefined;
      hash.update(chunk);
      await file.appendFile(chunk);
    }
    await file.datasync();
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

/** Ends with `undefined` if the source fails, so that the caller can tell its errors from those of the written file. */
async function* chunksUntilFailure(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  try {
    yield* bytes;
  } catch {
    yield undefined;
  }
}
