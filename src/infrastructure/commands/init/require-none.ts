import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandRefused } from '../command-line/command-refused.ts';
import { EXIT_CANNOT_CREATE } from '../command-line/exit-codes.ts';

/** @throws {CommandRefused} */
export function requireNone(folder: string, names: readonly string[]): void {
  const found = names.filter((name) => existsSync(join(folder, name)));
  if (found.length === 0) return;
  throw new CommandRefused(
    EXIT_CANNOT_CREATE,
    `Nothing was written, because ${found.join(' and ')} exists here already: --force replaces it.`,
  );
}
