import { OpenTelemetry } from '../../adapters/opentelemetry/open-telemetry.ts';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Config } from '../config/config.ts';
import { readVersion } from '../read-version.ts';
import { requiring } from './prepare-storage.ts';

/**
 * `undefined` if no receiver is configured: nothing of OpenTelemetry is loaded then.
 *
 * @throws {UnusableDependency}
 */
export async function openTracing(
  { tracing }: Pick<Config, 'tracing'>,
  log: EventLog,
): Promise<OpenTelemetry | undefined> {
  if (tracing === undefined) return undefined;
  return await requiring('OTEL_EXPORTER_OTLP_ENDPOINT', () =>
    OpenTelemetry.open({ ...tracing, version: readVersion(), log }),
  );
}
