/** A UUID that dumps and backups of the records include. Every method throws `StorageUnavailable`. */
export interface CatalogIdentity {
  find(): Promise<string | undefined>;

  /** Creates the identity once, even with concurrent processes. When it resolves, the identity survives a power cut. */
  establish(): Promise<string>;

  /** Replaces the identity. When it resolves, it survives a power cut. */
  adopt(id: string): Promise<void>;
}
