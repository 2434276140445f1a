import type { Logger } from 'pino';
import { HostProcesses } from '../adapters/system/host-processes.ts';
import { NodeAddressSeal } from '../adapters/system/node-address-seal.ts';
import { RandomUuids } from '../adapters/system/random-uuids.ts';
import { SystemClock } from '../adapters/system/system-clock.ts';
import { systemTimer } from '../adapters/system/system-timer.ts';
import { changeUseCasesOf } from '../application/changes/change-use-cases.ts';
import { BYTES } from './bindings/bytes.ts';
import { DECODERS } from './bindings/decoders.ts';
import { RECORDS } from './bindings/records.ts';
import type { CatalogStorage } from './catalog-storage.ts';
import { type Closers, type Composition, compose, type Makers } from './compose.ts';
import type { StorageConfig } from './config/config.ts';
import { MAINTENANCE } from './maintenance.ts';

/** What differs from process to process is given. */
export const STORAGE_MAKERS = {
  clock: () => new SystemClock(),
  timer: () => systemTimer,
  uuids: () => new RandomUuids(),
  processes: () => new HostProcesses(),
  addressSeal: () => new NodeAddressSeal(),
  ...RECORDS,
  ...BYTES,
  ...DECODERS,
  changeUseCases: (parts) => changeUseCasesOf(parts),
  ...MAINTENANCE,
} as const satisfies Omit<Makers<CatalogStorage>, 'config' | 'log'>;

export const STORAGE_CLOSERS: Closers<CatalogStorage> = {
  database: (database) => database.close(),
  stores: async ({ blobs, cache }) => {
    await Promise.all([...new Set([blobs, cache])].map((store) => store.close()));
  },
  decoders: (decoders) => decoders.stop(),
  changeUseCases: ({ changeTail }) => changeTail.stop(),
};

/** Everything but HTTP, so that commands do not load it. Nothing is opened before it is used. */
export function composeStorage(config: StorageConfig, log: Logger): Composition<CatalogStorage> {
  return compose<CatalogStorage>(
    { ...STORAGE_MAKERS, config: () => config, log: () => log },
    STORAGE_CLOSERS,
  );
}
