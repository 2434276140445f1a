import { randomUUID } from 'node:crypto';
import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  explainSystemError,
  ignoreMissing,
  isSystemError,
} from '../../../adapters/filesystem/translating-file-system-errors.ts';
import { CommandRefused } from '../command-line/command-refused.ts';
import { EXIT_CONFIG } from '../command-line/exit-codes.ts';

export interface NewFile {
  readonly name: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * Writes all files or none. The temporary files have names that nobody can guess and are made exclusively (O_EXCL), so that a
 * symbolic link or an open file that another user has put into the folder gets none of the text.
 *
 * @throws {CommandRefused} if the folder cannot be written to
 */
export async function writeFiles(folder: string, files: readonly NewFile[]): Promise<void> {
  const parts = files.map(({ name, ...file }) => ({
    ...file,
    path: join(folder, name),
    part: join(folder, `${name}.${randomUUID()}.part`),
  }));
  try {
    for (const { path } of parts) await requireNoFolder(path);
    for (const { part, text, mode } of parts) await writeFile(part, text, { mode, flag: 'wx' });
    for (const { part, path } of parts) await rename(part, path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new CommandRefused(
      EXIT_CONFIG,
      `Nothing was written: ${explainSystemError({ ...error, path: folder })}`,
    );
  } finally {
    await Promise.all(parts.map(({ part }) => rm(part, { force: true })));
  }
}

/** A file cannot be renamed to the name of a folder. Found out here, it leaves all files as they were. */
async function requireNoFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(ignoreMissing);
  if (found?.isDirectory() !== true) return;
  throw new CommandRefused(EXIT_CONFIG, `Nothing was written, because ${path} is a folder: move it away.`);
}
