import { join } from 'node:path';
import type { ExportedRecord } from '../../application/maintenance/import/describe-files.ts';
import { lastLines } from './last-lines.ts';

/** Beside the originals of an export. */
export const EXPORTED_RECORDS = 'records.ndjson';

/** By file. Empty if the folder is not an export. Rejects with an error of the file system if the records are a link. */
export async function readExportedRecords(folder: string): Promise<ReadonlyMap<string, ExportedRecord>> {
  return await lastLines<ExportedRecord>(join(folder, EXPORTED_RECORDS), 'file', 'originalName', {
    followsLinks: false,
  });
}
