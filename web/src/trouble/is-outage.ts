import type { Failure, Outage } from './failure.ts';

const OUTAGES: readonly string[] = ['offline', 'unreachable', 'busy', 'storage'] satisfies Array<
  Outage['kind']
>;

export function isOutage(failure: Failure): failure is Outage {
  return OUTAGES.includes(failure.kind);
}
