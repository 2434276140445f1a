/** Values of the label of `swept_total`, by the numbers in reports of sweeps. */
export const SWEPT_KINDS = {
  stagedFiles: 'staged_file',
  blobs: 'blob',
  renditions: 'rendition',
  idempotencyKeys: 'idempotency_key',
  changes: 'change',
  changeCounts: 'change_count',
  names: 'removed_name',
  trashed: 'trashed_image',
} as const;
