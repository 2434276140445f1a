import type { UploadKind, UploadState } from './upload-item.ts';

const UNFINISHED: ReadonlySet<UploadKind> = new Set([
  'waiting',
  'hashing',
  'checking',
  'uploading',
  'paused',
]);

export function isUnfinished({ kind }: UploadState): boolean {
  return UNFINISHED.has(kind);
}
