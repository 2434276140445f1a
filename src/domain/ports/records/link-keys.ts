/** A key that signs links. It is a secret: its holder can make links to every image. */
export interface NewLinkKey {
  readonly secret: Uint8Array;
  readonly createdAt: Date;
}

export interface LinkKey extends NewLinkKey {
  /** 1 or more; newer keys have higher ones. */
  readonly generation: number;
}

/** Every method throws `StorageUnavailable`. */
export interface LinkKeys {
  /** Newest first; empty before the first link of the catalog. */
  findAll(): Promise<readonly LinkKey[]>;

  /** Does nothing if there is a key, also one that another process adds at the same time. When it resolves, a key survives a power cut. */
  addFirst(key: NewLinkKey): Promise<void>;
}

/** Every method throws `StorageUnavailable`. */
export interface LinkKeyRotation extends Pick<LinkKeys, 'findAll'> {
  /**
   * Adds a key that is newer than all others, and removes these generations in the same transaction. When it resolves, the
   * change survives a power cut.
   */
  rotate(key: NewLinkKey, removed: 'all others' | readonly number[]): Promise<void>;
}

export interface LinkKeyRecords extends LinkKeys, LinkKeyRotation {}
