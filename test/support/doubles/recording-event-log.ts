import type { EventLog } from '../../../src/domain/ports/process/event-log.ts';

export interface RecordedEvent {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export class RecordingEventLog implements EventLog {
  readonly warnings: RecordedEvent[] = [];

  warn(facts: Readonly<Record<string, unknown>>, message: string): void {
    this.warnings.push({ facts, message });
  }
}
