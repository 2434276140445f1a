import { RunningCatalog, type RunningCatalogOptions } from '../../test/support/servers/running-catalog.ts';

/** Runs some work on a new, empty catalog, which is removed afterwards. */
export async function withCatalog<T>(
  work: (catalog: RunningCatalog) => Promise<T>,
  options: RunningCatalogOptions = {},
): Promise<T> {
  const catalog = await RunningCatalog.start(options);
  try {
    return await work(catalog);
  } finally {
    await catalog.stop();
  }
}
