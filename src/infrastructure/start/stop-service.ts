import { setTimeout as delay } from 'node:timers/promises';
import type { DecoderPool } from '../../adapters/decoder/decoder-pool.ts';
import type { RequestsUnderWay } from '../../adapters/http/telemetry/requests-under-way.ts';
import type { Listeners } from './listeners.ts';
import { stopGracefully } from './stop-gracefully.ts';

/** After the grace, requests with cut connections undo their work. */
const LAST_WORK_MS = 2_000;

export interface RunningParts {
  readonly listeners: Pick<Listeners, 'servers'>;
  readonly telemetry: { readonly underWay: Pick<RequestsUnderWay, 'idle'> };
  readonly decoders: Pick<DecoderPool, 'stop'>;
  /** What ends at once. */
  readonly atOnce: ReadonlyArray<() => void>;
  /** What ends its last piece of work. */
  readonly background: ReadonlyArray<() => Promise<void>>;
  /** Closes storage and tracing. */
  readonly close: () => Promise<unknown>;
}

/**
 * Closes the storage last: requests that were cut off remove what they have stored. A request that outlasts the grace by
 * `LAST_WORK_MS` is not waited for.
 */
export async function stopService(
  { listeners, telemetry, decoders, atOnce, background, close }: RunningParts,
  graceMs: number,
): Promise<void> {
  for (const end of atOnce) end();
  const stopped = new AbortController();
  const deadline = delay(graceMs + LAST_WORK_MS, undefined, { signal: stopped.signal }).catch(
    () => undefined,
  );
  const ended = Promise.all(background.map((end) => end()));
  await Promise.all(listeners.servers.map((server) => stopGracefully(server, graceMs)));
  // No client is left: a decode that went on would use up the time in which its request removes what it has stored.
  const decodersEnded = decoders.stop();
  await Promise.race([Promise.all([telemetry.underWay.idle(), ended, decodersEnded]), deadline]);
  stopped.abort();
  await close();
}
