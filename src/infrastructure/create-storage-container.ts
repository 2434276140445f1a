import 'reflect-metadata';
import { Container } from 'inversify';
import type { Logger } from 'pino';
import type { StorageConfig } from './config/config.ts';
import { bytesModule } from './modules/bytes-module.ts';
import { commandsModule } from './modules/commands-module.ts';
import { picturesModule } from './modules/pictures-module.ts';
import { recordsModule } from './modules/records-module.ts';
import { systemModule } from './modules/system-module.ts';
import { TOKENS } from './tokens.ts';

/**
 * The container of commands, which do not load HTTP. It opens nothing before it is used, and makes each object once. `unbindAllAsync` closes
 * what was opened.
 */
export function createStorageContainer(config: StorageConfig, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.storageConfig).toConstantValue(config);
  container.bind(TOKENS.log).toConstantValue(log);
  container.load(systemModule, recordsModule, bytesModule, picturesModule, commandsModule);
  return container;
}
