import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ExportedRecord } from '../../application/maintenance/import/described-files.ts';
import { isNotFound } from './file-system-errors.ts';

/** Beside the originals of an export. */
export const EXPORTED_RECORDS = 'records.ndjson';

/** By file; the last line of a file counts. Empty if the folder is not an export. */
export async function readExportedRecords(folder: string): Promise<ReadonlyMap<string, ExportedRecord>> {
  const records = new Map<string, ExportedRecord>();
  try {
    const input = createReadStream(join(folder, EXPORTED_RECORDS));
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const record = parse(line);
      if (record !== undefined) records.set(record.file, record);
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return records;
}

/** A kill may have cut a line off. */
function parse(line: string): ExportedRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<ExportedRecord> | null;
    const isWhole = typeof record?.file === 'string' && typeof record.originalName === 'string';
    return isWhole ? (record as ExportedRecord) : undefined;
  } catch {
    return undefined;
  }
}
