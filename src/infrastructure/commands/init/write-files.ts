import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  explainSystemError,
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
 * Writes all files or none.
 *
 * @throws {CommandRefused} if the folder cannot be written to
 */
export async function writeFiles(folder: string, files: readonly NewFile[]): Promise<void> {
  const parts = files.map(({ name, ...file }) => ({
    ...file,
    path: join(folder, name),
    part: join(folder, `${name}.part`),
  }));
  try {
    for (const { part, text, mode } of parts) await writeFile(part, text, { mode });
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
