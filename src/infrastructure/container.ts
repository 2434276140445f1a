import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { bindHttp } from './bindings/bind-http.ts';
import { bindRequestUseCases } from './bindings/bind-request-use-cases.ts';
import type { Config } from './config.ts';
import { createStorageContainer } from './storage-container.ts';
import { TOKENS } from './tokens.ts';

/** Nothing is opened before it is used; `unbindAllAsync` closes what was opened. */
export function createContainer(config: Config, log: Logger): Container {
  const container = createStorageContainer(config, log);
  container.bind(TOKENS.config).toConstantValue(config);
  bindRequestUseCases(container);
  bindHttp(container);
  return container;
}
