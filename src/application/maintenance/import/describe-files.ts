import { WRITTEN_ROWS } from '../../../domain/image/fields.ts';
import type { ImportMetadata } from '../../../domain/ports/commands/import-target.ts';
import type { FileDescription } from './import-folder.ts';

/** A line of `records.ndjson`: the record of an image, the file that holds its bytes, and what people said about it. */
export interface ExportedRecord {
  readonly file: string;
  readonly originalName: string;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Files of an export get their names and metadata back. The others are called as they are.
 *
 * @param tags of all files, besides their own
 */
export function describeFiles(
  exported: ReadonlyMap<string, ExportedRecord>,
  tags: readonly string[],
): (path: string) => FileDescription {
  return (path) => {
    const record = exported.get(path);
    const metadata = metadataOf(record?.metadata ?? {}, tags);
    return {
      name: record?.originalName ?? path.slice(path.lastIndexOf('/') + 1),
      isExported: record !== undefined,
      metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    };
  };
}

/** All fields that an upload takes. A time that the camera has set is in the file. */
function metadataOf(known: Readonly<Record<string, unknown>>, tags: readonly string[]): ImportMetadata {
  const own = Array.isArray(known['tags']) ? known['tags'] : [];
  const all = [...new Set([...own, ...tags])];
  const ofCamera = (known['capture'] as { readonly takenAt?: unknown } | undefined)?.takenAt;
  const isFromCamera = known['takenAt'] === ofCamera;
  const written: Readonly<Record<string, unknown>> = {
    ...known,
    tags: all.length > 0 ? all : undefined,
    takenAt: isFromCamera ? undefined : known['takenAt'],
  };
  const given = WRITTEN_ROWS.flatMap(([field]) => {
    const value = written[field];
    return value === undefined || value === null ? [] : [[field, value]];
  });
  return Object.fromEntries(given) as ImportMetadata;
}
