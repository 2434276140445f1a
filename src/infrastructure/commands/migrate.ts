import { parseStorageConfig } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import { prepareDatabase } from '../prepare-storage.ts';
import { parseCommandLine } from './usage.ts';
import { withStorageOf } from './with-storage.ts';

export async function migrate(args: readonly string[]): Promise<number> {
  parseCommandLine({ args: [...args] });
  return await withStorageOf(parseStorageConfig(readEnvironment()), async (storage) => {
    console.log(JSON.stringify({ migrations: await prepareDatabase(storage) }));
    return 0;
  });
}
