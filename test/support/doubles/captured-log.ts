import { type Logger, pino } from 'pino';
import { createLog } from '../../../src/infrastructure/start/create-log.ts';

/** One line of the log, as it would be printed. */
export interface LogEntry {
  readonly level: number;
  readonly msg: string;
  readonly [fact: string]: unknown;
}

export const WARN = pino.levels.values.warn ?? 40;
export const ERROR = pino.levels.values.error ?? 50;

/** A log that stores its lines. */
export class CapturedLog {
  readonly entries: LogEntry[] = [];
  readonly logger: Logger;
  readonly #listeners = new Set<() => void>();

  constructor() {
    this.logger = createLog('trace', { write: (line) => this.#keep(line) });
  }

  /** All of it, as it would be printed. */
  get text(): string {
    return this.entries.map((entry) => JSON.stringify(entry)).join('\n');
  }

  /** The lines of this level and above. */
  atLeast(level: number): readonly LogEntry[] {
    return this.entries.filter((entry) => entry.level >= level);
  }

  /** The first line that matches, past or future. */
  async entry(isIt: (entry: LogEntry) => boolean): Promise<LogEntry> {
    return await new Promise((resolve) => {
      const look = (): void => {
        const found = this.entries.find(isIt);
        if (found === undefined) return;
        this.#listeners.delete(look);
        resolve(found);
      };
      this.#listeners.add(look);
      look();
    });
  }

  clear(): void {
    this.entries.length = 0;
  }

  #keep(line: string): void {
    this.entries.push(JSON.parse(line) as LogEntry);
    for (const listener of this.#listeners) listener();
  }
}
