import type { StorageUnavailable } from '../../domain/errors.ts';

/** EX_TEMPFAIL of sysexits.h: the same call may help later. */
export const EXIT_UNAVAILABLE = 75;

/** For an operator, who may see what clients may not. */
export function explainUnavailable({ cause }: StorageUnavailable): string {
  const reason = cause instanceof Error ? cause.message : 'it cannot be reached';
  return `A database or a blob store cannot be used: ${reason}`;
}
