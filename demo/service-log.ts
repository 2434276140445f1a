import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import * as z from 'zod';

const LEVELS: Readonly<Record<number, string>> = { 40: 'warning', 50: 'error', 60: 'fatal' };

const Listening = z.object({ msg: z.literal('listening'), port: z.number() });
const Trouble = z.object({
  level: z.number().min(40),
  msg: z.string().default(''),
  err: z.object({ message: z.string() }).optional(),
});

export interface ServiceLogReader {
  /** The service answers on this port from now on. */
  readonly onListening: (port: number) => void;
  /** Something that a person should see. */
  readonly onTrouble: (text: string) => void;
}

/** Reads the service's JSON lines; what is neither the start nor a warning or worse is not passed on. */
export function readServiceLog(output: Readable, { onListening, onTrouble }: ServiceLogReader): void {
  createInterface({ input: output }).on('line', (line) => {
    const entry = parseJson(line);
    if (entry === undefined) return onTrouble(line);

    const listening = Listening.safeParse(entry);
    if (listening.success) return onListening(listening.data.port);

    const trouble = Trouble.safeParse(entry);
    if (trouble.success) onTrouble(describe(trouble.data));
  });
}

function describe({ level, msg, err }: z.infer<typeof Trouble>): string {
  const text = [msg, err?.message].filter((part) => part !== undefined && part !== '').join(': ');
  return `${LEVELS[level] ?? 'trouble'}: ${text}`;
}

/** `undefined` for a line that is no JSON, such as a crash report of Node's. */
function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
