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
      metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    };
  };
}

/** What an upload takes. A time that the camera has set is in the file. */
function metadataOf(known: Readonly<Record<string, unknown>>, tags: readonly string[]): ImportMetadata {
  const { title, description, takenAt, focus, capture } = known;
  const own = Array.isArray(known['tags']) ? known['tags'] : [];
  const all = [...new Set([...own, ...tags])];
  const ofCamera = (capture as { readonly takenAt?: unknown } | undefined)?.takenAt;
  return {
    ...(isThere(title) && { title }),
    ...(isThere(description) && { description }),
    ...(all.length > 0 && { tags: all }),
    ...(isThere(takenAt) && takenAt !== ofCamera && { takenAt }),
    ...(isThere(focus) && { focus }),
  };
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}
