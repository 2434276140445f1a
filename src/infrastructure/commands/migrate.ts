import { pino } from 'pino';
import { parseStorageConfig } from '../config.ts';
import { createStorageContainer } from '../container.ts';
import { readEnvironment } from '../environment.ts';
import { prepareDatabase } from '../prepare-storage.ts';
import { parseCommandLine } from './usage.ts';

/** Brings the schema up to date, and shows what was missing: for those who want it done before the first new process starts. */
export async function migrate(args: readonly string[]): Promise<number> {
  parseCommandLine({ args: [...args] });
  const container = createStorageContainer(parseStorageConfig(readEnvironment()), pino({ level: 'silent' }));
  try {
    console.log(JSON.stringify({ migrations: await prepareDatabase(container) }));
    return 0;
  } finally {
    await container.unbindAllAsync();
  }
}
