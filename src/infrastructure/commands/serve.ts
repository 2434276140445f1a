import { pino } from 'pino';
import { parseConfig } from '../config.ts';
import { readEnvironment } from '../environment.ts';
import { startService } from '../start-service.ts';
import { firstSignal } from './first-signal.ts';
import { parseCommandLine } from './usage.ts';

const STDOUT = 1;

/**
 * Written while the next request is worked on, many lines at a time: to hand over each would cost more than to make it. A
 * line is out within a tenth of a second; what is left goes out at exit.
 */
const LOG_DESTINATION = { dest: STDOUT, sync: false, minLength: 4_096, periodicFlush: 100 };

/** Runs the service until it is told to stop, and then until what is under way has ended. */
export async function serve(args: readonly string[]): Promise<number> {
  parseCommandLine({ args: [...args] });
  const signalled = firstSignal();
  const config = parseConfig(readEnvironment());
  const log = pino({ level: config.logLevel, base: null }, pino.destination(LOG_DESTINATION));
  const service = await startService(config, log);
  log.info({ signal: await signalled }, 'stopping');
  await service.stop();
  return 0;
}
