import { setTimeout as delay } from 'node:timers/promises';
import { closeToOthers } from '../../adapters/sql/sqlite/keep-private.ts';
import { type Config, parseConfig } from '../config/config.ts';
import { environmentWarnings } from '../config/environment-warnings.ts';
import { InvalidConfig } from '../config/invalid-config.ts';
import { ENV_FILE, readEnvironment } from '../config/read-environment.ts';
import { createLog } from '../start/create-log.ts';
import { flushLog } from '../start/flush-log.ts';
import { openLogDestination } from '../start/open-log-destination.ts';
import { startService } from '../start/start-service.ts';
import { command } from './command-line/command.ts';
import { endBySignal } from './command-line/end-by-signal.ts';
import { firstSignal } from './command-line/first-signal.ts';

const STDOUT = 1;

/** With the flush of the log, below the 5 s that are promised. */
const HANG_TIMEOUT_MS = 3_000;

export const serve = command({ summary: 'the service (the default)', run: runService });

/**
 * The process ends by itself once nothing runs any more. If something still runs after the grace and `HANG_TIMEOUT_MS`, such as
 * a call that a disk blocks, the process ends by the signal.
 */
async function runService(): Promise<number> {
  const signalled = firstSignal();
  const { config, warnings } = readConfig();
  closeToOthers(ENV_FILE);
  const destination = openLogDestination(STDOUT);
  const log = createLog(config.logLevel, destination);
  void signalled.then(async (signal) => {
    // Without a reference: the timer must not keep a process that has stopped.
    await delay(config.shutdownGraceMs + HANG_TIMEOUT_MS, undefined, { ref: false });
    log.warn({ signal }, 'still at work after the grace: ended by the signal');
    await flushLog(destination);
    endBySignal(signal);
  });
  for (const warning of warnings) log.warn(warning);
  let signal: NodeJS.Signals = 'SIGKILL';
  try {
    const service = await startService(config, log);
    const end = await Promise.race([signalled, service.failure]);
    if (end instanceof Error) {
      log.error(end.message);
      await service.stop();
      throw end;
    }
    signal = end;
    log.info({ signal }, 'stopping');
    await service.stop();
    return 0;
  } finally {
    // The write that waits for a reader keeps the process alive.
    if (!(await flushLog(destination))) endBySignal(signal);
  }
}

/** @throws {InvalidConfig} with the warnings too: a misspelt variable may be the reason for one that is missing */
function readConfig(): { readonly config: Config; readonly warnings: readonly string[] } {
  const environment = readEnvironment();
  const warnings = environmentWarnings(environment).map(({ text, change }) => `${text}: ${change}`);
  try {
    return { config: parseConfig(environment), warnings };
  } catch (error) {
    throw error instanceof InvalidConfig ? new InvalidConfig([...error.problems, ...warnings]) : error;
  }
}
