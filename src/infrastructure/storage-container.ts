import 'reflect-metadata';
import { Container } from 'inversify';
import type { Logger } from 'pino';
import { AesCursorSeal } from '../adapters/system/aes-cursor-seal.ts';
import { RandomUuids, SystemClock, systemTimer } from '../adapters/system/clock-and-uuids.ts';
import { HostProcesses } from '../adapters/system/host-processes.ts';
import { changeUseCasesOf } from '../application/changes/change-use-cases.ts';
import { BYTES } from './bindings/bytes.ts';
import { DECODERS } from './bindings/decoders.ts';
import { RECORDS } from './bindings/records.ts';
import type { StorageConfig } from './config/config.ts';
import {
  bindParts,
  type Closers,
  type Makers,
  partsOf,
  STORAGE_TOKENS,
  type StorageParts,
} from './tokens.ts';

export type StorageMakers = Makers<typeof STORAGE_TOKENS, StorageParts>;

/** Everything but HTTP, so that commands do not load it. Nothing is opened before it is used; `unbindAllAsync` closes what was opened. */
export function createStorageContainer(config: StorageConfig, log: Logger): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  const makers: StorageMakers = {
    config: () => config,
    log: () => log,
    clock: () => new SystemClock(),
    timer: () => systemTimer,
    uuids: () => new RandomUuids(),
    processes: () => new HostProcesses(),
    ...RECORDS,
    ...BYTES,
    ...DECODERS,
    changeUseCases: ({ identity, changes, images, webhookEndpoints, timer }) =>
      changeUseCasesOf({
        identity,
        cursorSeal: new AesCursorSeal(),
        changes,
        images,
        webhookEndpoints,
        timer,
      }),
  };
  const closers: Closers<typeof STORAGE_TOKENS> = {
    database: (database) => database.close(),
    stores: (stores) => stores.close(),
    decoders: (decoders) => decoders.stop(),
    changeUseCases: ({ changeTail }) => changeTail.stop(),
  };
  bindParts(container, STORAGE_TOKENS, makers, closers, partsOf(container, STORAGE_TOKENS));
  return container;
}
