import { StorageUnavailable } from '../domain/errors.ts';
import { EXIT_UNAVAILABLE, explainUnavailable } from './commands/unavailable.ts';
import { type Command, UsageError } from './commands/usage.ts';
import { InvalidConfig } from './config.ts';
import { UnusableDependency } from './prepare-storage.ts';

/** The service does not load what only maintenance uses. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serve,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  verify: async () => (await import('./commands/verify.ts')).verify,
  sweep: async () => (await import('./commands/sweep.ts')).sweep,
  transfer: async () => (await import('./commands/transfer.ts')).transfer,
  backup: async () => (await import('./commands/backup.ts')).backup,
};

const USAGE = `Usage: image-catalog [command]

  serve                  the service (the default)
  migrate                brings the database schema up to date, as the service does when it starts
  verify                 checks every record against its bytes; changes nothing
      --sample PERCENT     checks a random part of the records: 1% or 0.5%
      --resume FILE        notes the progress in the file, and continues from it
      --metrics FILE       writes the result for the textfile collector of Prometheus' node_exporter
      --format json|table  one line per finding (default: table on a terminal, else json)
  sweep                  removes orphaned files of crashes; checks twice, the grace apart
      --dry-run            shows what would be removed
  backup DIR             makes a consistent copy in a new or empty folder; the service may run
  transfer               copies the catalog to another database, blob store, or both; the service may run
      --to-database URL    or the variable TRANSFER_TO_DATABASE, which other users cannot read
      --to-blobs URL       or the variable TRANSFER_TO_BLOBS; a part that is not named stays in place
      --resume             continues an earlier transfer, and catches up with the source
      --verify             finally checks every record of the target against its bytes
      --concurrency N      blobs copied at a time (8)
      --format json|table  the report (default: table on a terminal, else json)

Configuration comes from the environment and from .env.`;

/** EX_USAGE and EX_CONFIG of sysexits.h. */
const EXIT_USAGE = 64;
const EXIT_CONFIG = 78;

process.exitCode = await main(process.argv.slice(2));

async function main([name = 'serve', ...args]: readonly string[]): Promise<number> {
  if (name === 'help' || name === '--help') {
    console.log(USAGE);
    return 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command ${name}`);
    return await (await command())(args);
  } catch (error) {
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
    return EXIT_USAGE;
  }
  if (error instanceof InvalidConfig || error instanceof UnusableDependency) {
    console.error(error.message);
    return EXIT_CONFIG;
  }
  if (error instanceof StorageUnavailable) {
    console.error(explainUnavailable(error));
    return EXIT_UNAVAILABLE;
  }
  throw error;
}
