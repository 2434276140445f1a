import { StorageUnavailable } from '../../domain/errors.ts';

/** A blob cannot be read although its store is available. */
export class BlobUnreadable extends Error {
  constructor(cause: unknown) {
    super(`the blob cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** The message of `StorageUnavailable` is for clients. */
function reasonOf(error: unknown): string {
  const { cause = error } = error instanceof StorageUnavailable ? error : {};
  return cause instanceof Error ? cause.message : String(cause);
}
