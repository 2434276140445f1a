/**
 * The identity of the catalog: a UUID that is kept with its records, and copied with them into dumps and backups.
 * Every method throws `StorageUnavailable` if the database is unavailable.
 */
export interface CatalogIdentity {
  /** `undefined` if the catalog has none yet. */
  find(): Promise<string | undefined>;

  /**
   * Resolves to the identity, and creates it if there is none: once, even with concurrent callers and processes. When it
   * resolves, the identity survives a power cut.
   */
  establish(): Promise<string>;

  /** Replaces the identity with that of another copy of the catalog. When it resolves, it survives a power cut. */
  adopt(id: string): Promise<void>;
}
