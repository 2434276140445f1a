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

/**
 * What the export says counts, also where it says that there is nothing: a title or tags that somebody has cleared do not come back from
 * the file. Fields that the export does not have are left to the file, and so is a time that the camera has set.
 */
function metadataOf(known: Readonly<Record<string, unknown>>, tags: readonly string[]): ImportMetadata {
  const own = known['tags'];
  const all = [...new Set([...(Array.isArray(own) ? own : []), ...tags])];
  const ofCamera = (known['capture'] as { readonly takenAt?: unknown } | undefined)?.takenAt;
  const written: Readonly<Record<string, unknown>> = {
    ...known,
    tags: all.length > 0 || own !== undefined ? all : undefined,
    takenAt: known['takenAt'] === ofCamera ? undefined : known['takenAt'],
  };
  const given = WRITTEN_ROWS.flatMap(([field]) =>
    written[field] === undefined ? [] : [[field, written[field]]],
  );
  return Object.fromEntries(given) as ImportMetadata;
}
