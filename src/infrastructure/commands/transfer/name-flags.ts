/** Callers know the flags of the target, not the variables that they stand for. */
export function nameFlags(problem: string): string {
  return problem.replace(/^DATABASE_URL\b/, '--to-database').replace(/^BLOB_STORE_URL\b/, '--to-blobs');
}
