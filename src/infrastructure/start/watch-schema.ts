import type { SchemaGuard } from '../../adapters/sql/database/require-schema.ts';
import { CatalogTooNew } from '../../domain/errors.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';

const CHECK_EVERY_MS = 1_000;

interface SchemaWatch {
  /** Resolves if a later version has migrated the catalog: this process cannot use it any more. */
  readonly outdated: Promise<CatalogTooNew>;
  stop(): void;
}

export function watchSchema(guard: Pick<SchemaGuard, 'check'>, timer: Timer): SchemaWatch {
  let cancel = (): void => {};
  const outdated = new Promise<CatalogTooNew>((resolve) => {
    const wait = (): void => {
      cancel = timer(CHECK_EVERY_MS, () => {
        guard.check().then(wait, (error: unknown) => {
          if (error instanceof CatalogTooNew) resolve(error);
          else wait();
        });
      });
    };
    wait();
  });
  return { outdated, stop: () => cancel() };
}
