import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ExportedLine, ExportSink } from '../../domain/ports/commands/export-source.ts';
import { EXPORTED_RECORDS, readExportedRecords } from './exported-records.ts';
import { makeFolderDurably } from './make-folder-durably.ts';
import { syncPath } from './sync-path.ts';
import { ignoreMissing } from './translating-file-system-errors.ts';

/** Hidden, so that an import skips it. */
const UNFINISHED = '.unfinished-';

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
    const records = await open(join(folder, EXPORTED_RECORDS), 'a');
    // Ends a line that a kill has cut off. An empty line means nothing.
    if ((await records.stat()).size > 0) await records.appendFile('\n');
    return new FolderExportSink(folder, records);
  }

  async finished(): Promise<ReadonlyMap<number, string>> {
    const finished = new Map<number, string>();
    for (const record of (await readExportedRecords(this.folder)).values()) {
      const { id, size, file } = record as unknown as ExportedLine;
      const found = await stat(join(this.folder, file)).catch(() => undefined);
      if (found?.size === size) finished.set(id, file);
    }
    return finished;
  }

  async digest(file: string): Promise<string | undefined> {
    const hash = createHash('sha256');
    const hashed = pipeline(createReadStream(join(this.folder, file)), hash);
    return await hashed.then(() => (hash.read() as Buffer).toString('hex'), ignoreMissing);
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
