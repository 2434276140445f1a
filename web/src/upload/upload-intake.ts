import type { InputFormat } from '../base/media-types.ts';
import type { SkippedFolder } from './dropped-files.ts';
import { isInSystemFolder } from './is-system-entry.ts';
import { type FileKind, kindOf } from './picture-file.ts';
import type { FileRefusal, UploadState } from './upload-item.ts';

/** Files that are added to the list together. */
const CHUNK = 64;
/** Files whose first bytes are read together: browsers look at each file before the read begins, and the page waits. */
const READS = 8;

export interface IntakeOptions {
  /** Files of folders that are no pictures are skipped. */
  readonly fromFolder: boolean;
  /** Of a file. */
  readonly maxBytes: number;
  /** What the service takes. */
  readonly inputFormats: readonly InputFormat[];
}

export interface AcceptedFile {
  readonly file: File;
  /** Bytes. */
  readonly size: number;
  readonly state: UploadState;
}

/** A file with its first state; of a skipped one, why. */
export type TakenFile = AcceptedFile | { readonly skipped: 'other' | 'heic' | 'system' };

/** Looks at the first bytes of each file, a few at a time: a large selection does not block the page. */
export async function* takeIn(
  files: Iterable<File> | AsyncIterable<File | SkippedFolder>,
  options: IntakeOptions,
): AsyncGenerator<readonly TakenFile[], void, undefined> {
  let taken: TakenFile[] = [];
  for await (const group of groupsOf(files, READS)) {
    taken.push(...(await Promise.all(group.map((file) => inspect(file, options)))));
    if (taken.length < CHUNK) continue;
    yield taken;
    taken = [];
  }
  if (taken.length > 0) yield taken;
}

async function* groupsOf(
  files: Iterable<File> | AsyncIterable<File | SkippedFolder>,
  size: number,
): AsyncGenerator<ReadonlyArray<File | SkippedFolder>, void, undefined> {
  let group: Array<File | SkippedFolder> = [];
  for await (const file of files) {
    group.push(file);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function inspect(
  file: File | SkippedFolder,
  { fromFolder, maxBytes, inputFormats }: IntakeOptions,
): Promise<TakenFile> {
  if ('skippedFolder' in file || (fromFolder && isInSystemFolder(file))) return { skipped: 'system' };
  const { size } = file;
  const kind = await kindOf(file, inputFormats).catch(() => undefined);
  if (kind === undefined) return { file, size, state: { kind: 'failed', reason: 'unreadable' } };
  if (kind !== 'picture' && fromFolder) return { skipped: kind };
  const reason = refusalOf(kind, size, maxBytes);
  return { file, size, state: reason === undefined ? { kind: 'waiting' } : { kind: 'refused', reason } };
}

function refusalOf(kind: FileKind, size: number, maxBytes: number): FileRefusal | undefined {
  if (size === 0) return 'file_required';
  if (kind === 'heic') return 'heic';
  if (kind === 'other') return 'unsupported_media_type';
  return size > maxBytes ? 'file_too_large' : undefined;
}
