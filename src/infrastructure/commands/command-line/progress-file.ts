import { readFile, rm } from 'node:fs/promises';
import * as z from 'zod';
import { isNotFound } from '../../../adapters/filesystem/translating-file-system-errors.ts';
import { replaceFile } from './replace-file.ts';
import { UsageError } from './usage-error.ts';

const progressSchema = z.strictObject({
  /** Id of the last record. */
  after: z.int().optional(),
  checked: z.int(),
  findings: z.int(),
  /** How many of the findings are damaged images. Only `backup` counts them. */
  damaged: z.int().optional(),
  /** Of the blob store, by the first digits of the keys: how many were checked. Absent before the records are. */
  slices: z.int().optional(),
});

export type Progress = z.output<typeof progressSchema>;

const NONE: Progress = { checked: 0, findings: 0 };

/** Where an interrupted command continues. Does nothing without a file. */
export class ProgressFile {
  /** @param command whose file it is, for messages */
  constructor(
    private readonly path: string | undefined,
    private readonly command: string,
  ) {}

  /**
   * Rejects any other file, because the progress file is overwritten and finally removed.
   *
   * @throws {UsageError}
   */
  async read(): Promise<Progress> {
    if (this.path === undefined) return NONE;
    try {
      return progressSchema.parse(JSON.parse(await readFile(this.path, 'utf8')));
    } catch (error) {
      if (isNotFound(error)) return NONE;
      throw new UsageError(`${this.path} is not a progress file of ${this.command}`);
    }
  }

  async note(progress: Progress): Promise<void> {
    if (this.path !== undefined) await replaceFile(this.path, JSON.stringify(progress), 0o600);
  }

  async remove(): Promise<void> {
    if (this.path !== undefined) await rm(this.path, { force: true });
  }
}
