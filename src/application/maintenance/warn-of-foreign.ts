import type { EventLog } from '../../domain/ports/process/event-log.ts';

export function warnOfForeign(names: readonly string[], log: EventLog): void {
  if (names.length > 0) log.warn({ names }, 'foreign files left alone');
}
