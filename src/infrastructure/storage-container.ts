import 'reflect-metadata';
import { Container } from 'inversify';
import type { Logger } from 'pino';
import { bindBytes } from './bindings/bind-bytes.ts';
import { bindChanges } from './bindings/bind-changes.ts';
import { bindImageProcessing } from './bindings/bind-image-processing.ts';
import { bindMaintenance } from './bindings/bind-maintenance.ts';
import { bindRecords } from './bindings/bind-records.ts';
import { bindSystem } from './bindings/bind-system.ts';
import type { StorageConfig } from './config/config.ts';
import { TOKENS } from './tokens.ts';

/** Everything but HTTP, so that commands do not load it. Nothing is opened before it is used. */
export function createStorageContainer(config: StorageConfig, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(TOKENS.storageConfig).toConstantValue(config);
  container.bind(TOKENS.log).toConstantValue(log);
  bindSystem(container);
  bindRecords(container);
  bindChanges(container);
  bindBytes(container);
  bindImageProcessing(container);
  bindMaintenance(container);
  return container;
}
