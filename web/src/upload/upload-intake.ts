import { isSystemFile, kindOf } from './picture-file.ts';
import type { UploadState } from './upload-item.ts';

/** Files whose first bytes are read together. */
const CHUNK = 64;

export interface IntakeOptions {
  /** Files of folders that are no pictures are skipped. */
  readonly fromFolder: boolean;
  /** Bytes. */
  readonly sizeLimit: number | undefined;
}

/** A file with its first state; of a skipped one, why. */
export type TakenFile =
  | { readonly file: File; readonly state: UploadState }
  | { readonly skipped: 'other' | 'heic' };

/** Looks at the first bytes of each file, in chunks: a large selection does not block the page. */
export async function* takeIn(
  files: Iterable<File> | AsyncIterable<File>,
  options: IntakeOptions,
): AsyncGenerator<readonly TakenFile[], void, undefined> {
  let chunk: File[] = [];
  for await (const file of files) {
    chunk.push(file);
    if (chunk.length < CHUNK) continue;
    yield await Promise.all(chunk.map((taken) => inspect(taken, options)));
    chunk = [];
  }
  if (chunk.length > 0) yield await Promise.all(chunk.map((taken) => inspect(taken, options)));
}

async function inspect(file: File, { fromFolder, sizeLimit }: IntakeOptions): Promise<TakenFile> {
  if (fromFolder && isSystemFile(file.name)) return { skipped: 'other' };
  const kind = await kindOf(file).catch(() => undefined);
  if (kind === undefined) return { file, state: { kind: 'failed', reason: 'unreadable' } };
  if (kind !== 'picture') {
    if (fromFolder) return { skipped: kind === 'heic' ? 'heic' : 'other' };
    return { file, state: { kind: 'refused', reason: REFUSALS[kind] } };
  }
  const isTooLarge = sizeLimit !== undefined && file.size > sizeLimit;
  return { file, state: isTooLarge ? { kind: 'refused', reason: 'file_too_large' } : { kind: 'waiting' } };
}

const REFUSALS = { heic: 'heic', empty: 'file_required', other: 'unsupported_media_type' } as const;
