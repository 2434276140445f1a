import type { ImageCatalog, PeriodCount } from '@image-catalog/client';
import { ANY_TIME } from '../images/any-time.ts';
import { DateFinder } from './date-finder.ts';

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
    // No filter by date finds pictures without a capture time.
    return await catalog.timeline({ by: 'month', takenAfter: ANY_TIME }, { signal });
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
