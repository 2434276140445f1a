import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { OpenTelemetry } from '../adapters/opentelemetry/open-telemetry.ts';
import type { Config } from './config/config.ts';
import { createStorageContainer } from './create-storage-container.ts';
import { httpModule } from './modules/http-module.ts';
import { telemetryModule } from './modules/telemetry-module.ts';
import { useCasesModule } from './modules/use-cases-module.ts';
import { TOKENS } from './tokens.ts';

/** The container of the service: that of commands, with HTTP, metrics and spans. */
export function createServiceContainer(config: Config, log: Logger, tracing?: OpenTelemetry): Container {
  const container = createStorageContainer(config, log);
  container.bind(TOKENS.config).toConstantValue(config);
  container.load(useCasesModule, httpModule(tracing), telemetryModule(tracing));
  return container;
}
