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
  return await requiring('OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
    try {
      return await OpenTelemetry.open({ ...tracing, version: readVersion(), log });
    } catch (error) {
      throw isMissingPackage(error) ? new Error(`${MISSING}: ${error.message}`) : error;
    }
  });
}

const MISSING =
  'the optional packages of OpenTelemetry are not installed (npm install without --omit=optional installs them)';

function isMissingPackage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}
