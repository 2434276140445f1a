import { parseStorageConfig } from '../config/config.ts';
import { readEnvironment } from '../config/read-environment.ts';
import { prepareDatabase } from '../start/prepare-storage.ts';
import { command } from './command-line/command.ts';
import { withStorageOf } from './with-storage-of.ts';

export const migrate = command({
  summary: 'brings the database schema up to date, as the service does when it starts',
  run: () =>
    withStorageOf(parseStorageConfig(readEnvironment()), async (storage) => {
      console.log(JSON.stringify({ migrations: await prepareDatabase(storage) }));
      return 0;
    }),
});
