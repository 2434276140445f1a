import type { CatalogError, FailureKind } from '../../../../client/src/node.ts';
import { explainSystemError } from '../../../adapters/filesystem/file-system-errors.ts';
import type { StorageUnavailable } from '../../../domain/errors.ts';
import { EXIT_UNAVAILABLE, EXIT_USAGE } from './exit-codes.ts';

const NEEDS_OTHER_OPTIONS: ReadonlySet<FailureKind> = new Set(['unauthorized', 'forbidden', 'refused']);

/** The exit code of a command that cannot go on: 64 if it needs other options or another token, 75 if the catalog is unavailable. */
export function exitCodeOf({ kind }: CatalogError): number {
  return NEEDS_OTHER_OPTIONS.has(kind) ? EXIT_USAGE : EXIT_UNAVAILABLE;
}

/** For operators. Clients do not see the cause. */
export function explainUnavailable({ cause }: StorageUnavailable): string {
  const reason = cause instanceof Error ? explainSystemError(cause) : 'it cannot be reached';
  return `A database or a blob store cannot be used: ${reason}`;
}
