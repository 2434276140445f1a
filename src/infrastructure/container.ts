import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { OpenTelemetry } from '../adapters/opentelemetry/open-telemetry.ts';
import { bindHttp } from './bindings/bind-http.ts';
import { bindRequestUseCases } from './bindings/bind-request-use-cases.ts';
import { bindTelemetry } from './bindings/bind-telemetry.ts';
import { bindWebhooks } from './bindings/bind-webhooks.ts';
import type { Config } from './config/config.ts';
import { createStorageContainer } from './storage-container.ts';
import { TOKENS } from './tokens.ts';

/** Nothing is opened before it is used; `unbindAllAsync` closes what was opened. */
export function createContainer(config: Config, log: Logger, tracing?: OpenTelemetry): Container {
  const container = createStorageContainer(config, log);
  container.bind(TOKENS.config).toConstantValue(config);
  bindRequestUseCases(container);
  bindTelemetry(container, tracing);
  bindHttp(container, tracing);
  bindWebhooks(container);
  return container;
}
