import { explainSystemError } from '../../../adapters/filesystem/translating-file-system-errors.ts';
import type { StorageUnavailable } from '../../../domain/errors.ts';

/** For operators. Clients do not see the cause. */
export function explainUnavailable({ cause }: StorageUnavailable): string {
  const reason = cause instanceof Error ? explainSystemError(cause) : 'it cannot be reached';
  return `A database or a blob store cannot be used: ${reason}`;
}
