import { parseStorageConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { prepareDatabase } from '../start/prepare-storage.ts';
import { parseCommandLine } from './command-line/usage.ts';
import { withStorageOf } from './with-storage.ts';

export async function migrate(args: readonly string[]): Promise<number> {
  parseCommandLine({ args: [...args] });
  return await withStorageOf(parseStorageConfig(readEnvironment()), async (storage) => {
    console.log(JSON.stringify({ migrations: await prepareDatabase(storage) }));
    return 0;
  });
}
