import type { MAINTENANCE } from './maintenance.ts';
import type { StorageParts } from './storage-parts.ts';

type Maintenance = { readonly [Name in keyof typeof MAINTENANCE]: ReturnType<(typeof MAINTENANCE)[Name]> };

/** What commands and the start of the service use. Each part is opened when it is first used. */
export interface CatalogStorage extends StorageParts, Maintenance {}
