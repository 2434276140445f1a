import type { ImageCatalog, PeriodCount } from '@image-catalog/client';
import { DateFinder } from './date-finder.ts';

/** Months are counted without pictures that have no capture time, which no filter by date finds. */
const ANY_TIME = '0001-01-01T00:00:00Z';

export async function loadDateFinder(
  catalog: Pick<ImageCatalog, 'timeline'>,
  timeZone: string,
  signal: AbortSignal,
): Promise<DateFinder> {
  return new DateFinder(timeZone, await monthsOf(catalog, signal));
}

/** Counting takes the service too long if the catalog has many millions of pictures. */
async function monthsOf(
  catalog: Pick<ImageCatalog, 'timeline'>,
  signal: AbortSignal,
): Promise<readonly PeriodCount[] | undefined> {
  try {
    return await catalog.timeline({ by: 'month', takenAfter: ANY_TIME }, { signal });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
