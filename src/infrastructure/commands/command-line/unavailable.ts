import type { CatalogError, FailureKind } from '../../../../client/src/node.ts';
import { explainSystemError } from '../../../adapters/filesystem/file-system-errors.ts';
import type { StorageUnavailable } from '../../../domain/errors.ts';

/** EX_TEMPFAIL of sysexits.h: the same call may succeed later. */
export const EXIT_UNAVAILABLE = 75;

/** EX_USAGE, EX_NOINPUT and EX_CONFIG of sysexits.h. */
export const EXIT_USAGE = 64;
export const EXIT_NO_INPUT = 66;
export const EXIT_CONFIG = 78;

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
