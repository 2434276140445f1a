/**
 * Which catalog the records are: a UUID that is kept with them and goes wherever they go, into dumps and copies, too.
 * Every method throws `StorageUnavailable` where the database cannot be used.
 */
export interface CatalogIdentity {
  /** `undefined` where the catalog was not given one yet. */
  find(): Promise<string | undefined>;

  /**
   * The identity, which is made where there is none: once, however many callers and processes ask at the same time. When it
   * resolves, it survives a power cut.
   */
  establish(): Promise<string>;

  /** Takes that of the catalog whose records these are to become, in place of any other. Survives a power cut, too. */
  adopt(id: string): Promise<void>;
}
