import type { Failure, Outage } from './failure.ts';

export function isOutage(failure: Failure): failure is Outage {
  return failure.kind === 'offline' || failure.kind === 'unreachable' || failure.kind === 'busy';
}
