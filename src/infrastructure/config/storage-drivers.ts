import * as z from 'zod';
import { FILE_STORE } from '../../adapters/filesystem/file-store.ts';
import { S3_STORE } from '../../adapters/s3/s3-store.ts';
import type { DatabaseLocation } from '../../adapters/sql/database/database-location.ts';
import { POSTGRES } from '../../adapters/sql/postgres/postgres-location.ts';
import { SQLITE } from '../../adapters/sql/sqlite/sqlite-location.ts';
import type { StoreLocation } from '../../domain/ports/bytes/store-location.ts';

export interface StorageDriver<Location> {
  /** Without the colon. */
  readonly schemes: readonly string[];
  /** An example of its URLs, for messages. */
  readonly shape: string;
  /** Messages must not repeat the URL, which may hold a password. */
  readonly url: z.ZodType<Location, string>;
}

/** A new kind is a row here. */
export const STORAGE_DRIVERS = {
  databases: [SQLITE, POSTGRES] as ReadonlyArray<StorageDriver<DatabaseLocation>>,
  stores: [FILE_STORE, S3_STORE] as ReadonlyArray<StorageDriver<StoreLocation>>,
};

export function urlOf<Location>(
  drivers: ReadonlyArray<StorageDriver<Location>>,
): z.ZodType<Location, string> {
  return z.string().transform((url, check): Location => {
    const driver = drivers.find(({ schemes }) => schemes.some((scheme) => url.startsWith(`${scheme}:`)));
    const unknown = z.never(`must be ${drivers.map(({ shape }) => shape).join(', or ')}`);
    const { success, data, error } = (driver?.url ?? unknown).safeParse(url);
    if (success) return data;
    for (const { message } of error.issues) check.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}
