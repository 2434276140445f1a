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
  /** These functions stop their part immediately. */
  readonly atOnce: ReadonlyArray<() => void>;
  /** These functions stop their part and resolve when its current job has ended. */
  readonly background: ReadonlyArray<() => Promise<void>>;
  /** Closes storage and tracing. */
  readonly close: () => Promise<unknown>;
}

/**
 * Closes the storage last: requests that were cut off remove what they have stored. It waits for requests until `LAST_WORK_MS` after
 * the grace, and no longer.
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
  // All connections are closed, so nobody needs the pictures. Ending the decodes leaves requests the time to remove what they have
  // stored.
  const decodersEnded = decoders.stop();
  await Promise.race([Promise.all([telemetry.underWay.idle(), ended, decodersEnded]), deadline]);
  stopped.abort();
  await close();
}
