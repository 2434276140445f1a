import type { Failure } from '../catalog/for-each-image.ts';
import type { Notices } from '../notices/notices.ts';
import { failureReason } from '../states/failure-reason.ts';

/** One notice for each reason. */
export function reportFailures(
  notices: Pick<Notices, 'show'>,
  failures: readonly Failure[],
  textOf: (count: number, reason: string) => string,
): void {
  const counts = new Map<string, number>();
  for (const { error } of failures) {
    const reason = failureReason(error);
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  for (const [reason, count] of counts) {
    notices.show(textOf(count, reason), { tone: 'error', lifetimeMs: undefined });
  }
}
