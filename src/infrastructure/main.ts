import { constants } from 'node:os';
import { pino } from 'pino';
import { InvalidConfig, parseConfig } from './config.ts';
import { readEnvironment } from './environment.ts';
import { UnusableDependency } from './prepare-storage.ts';
import { type RunningService, startService } from './start-service.ts';

/** EX_CONFIG of sysexits.h: nothing but another configuration will help, so supervisors need not try again. */
const EXIT_CONFIG = 78;

try {
  await main();
} catch (error) {
  if (!(error instanceof InvalidConfig || error instanceof UnusableDependency)) throw error;
  console.error(error.message);
  process.exitCode = EXIT_CONFIG;
}

async function main(): Promise<void> {
  const config = parseConfig(readEnvironment());
  const log = pino({ level: config.logLevel, base: null });
  const service = await startService(config, log);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopOnce(signal, service));

  let stopping = false;
  function stopOnce(signal: 'SIGTERM' | 'SIGINT', running: RunningService): void {
    // Whoever asks twice does not want to wait.
    if (stopping) process.exit(128 + constants.signals[signal]);
    stopping = true;
    log.info({ signal }, 'stopping');
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'could not stop cleanly');
        process.exit(1);
      },
    );
  }
}
