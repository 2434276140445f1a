import type { StorageUnavailable } from '../../domain/errors.ts';

/** EX_TEMPFAIL of sysexits.h: the same call may succeed later. */
export const EXIT_UNAVAILABLE = 75;

/** For operators. Clients do not see the cause. */
export function explainUnavailable({ cause }: StorageUnavailable): string {
  const reason = cause instanceof Error ? cause.message : 'it cannot be reached';
  return `A database or a blob store cannot be used: ${reason}`;
}
