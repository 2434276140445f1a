import { pino } from 'pino';
import { parseConfig } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import { flushLog, openLogDestination } from '../log-destination.ts';
import { startService } from '../start-service.ts';
import { firstSignal } from './first-signal.ts';
import { parseCommandLine } from './usage.ts';

const STDOUT = 1;

/** Runs the service until it is told to stop, and then until what is under way has ended. */
export async function serve(args: readonly string[]): Promise<number> {
  parseCommandLine({ args: [...args] });
  const signalled = firstSignal();
  const config = parseConfig(readEnvironment());
  const destination = openLogDestination(STDOUT);
  const log = pino({ level: config.logLevel, base: null }, destination);
  try {
    const service = await startService(config, log);
    log.info({ signal: await signalled }, 'stopping');
    await service.stop();
    return 0;
  } finally {
    // All else has ended. A supervisor would do the same, after a while.
    if (!(await flushLog(destination))) process.kill(process.pid, 'SIGKILL');
  }
}
