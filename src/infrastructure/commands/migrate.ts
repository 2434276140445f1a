import { parseStorageConfig } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import { prepareDatabase } from '../prepare-storage.ts';
import { parseCommandLine } from './usage.ts';
import { withContainer } from './with-storage.ts';

/** Brings the schema up to date, and shows what was missing: for those who want it done before the first new process starts. */
export async function migrate(args: readonly string[]): Promise<number> {
  parseCommandLine({ args: [...args] });
  return await withContainer(parseStorageConfig(readEnvironment()), async (container) => {
    console.log(JSON.stringify({ migrations: await prepareDatabase(container) }));
    return 0;
  });
}
