/** What the store says of a blob that it sends to a client itself. */
export interface LinkedHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}

/** A store that clients can read from directly. */
export interface StoreLinks {
  /** A URL that lets its bearer read the blob for some minutes. Does not check that there is such a blob. */
  linkTo(key: string, headers: LinkedHeaders): Promise<string>;
}
