import type { ImageCatalog, PeriodCount } from '@image-catalog/client';
import { loadTimeZone } from '../catalog/time-zone.ts';
import { DateFinder } from './date-finder.ts';

/** Months are counted without pictures that have no capture time, which no filter by date finds. */
const ANY_TIME = '0001-01-01T00:00:00Z';

export async function loadDateFinder(catalog: ImageCatalog, signal: AbortSignal): Promise<DateFinder> {
  const [timeZone, months] = await Promise.all([loadTimeZone(signal), monthsOf(catalog, signal)]);
  return new DateFinder(timeZone, months);
}

/** Counting takes the service too long if the catalog has many millions of pictures. */
async function monthsOf(
  catalog: ImageCatalog,
  signal: AbortSignal,
): Promise<readonly PeriodCount[] | undefined> {
  try {
    return await catalog.timeline({ by: 'month', takenAfter: ANY_TIME }, { signal });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
