export interface LinkedHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}

export interface StoreLinks {
  /** Valid for some minutes. Does not check that there is such a blob. */
  linkTo(key: string, headers: LinkedHeaders): Promise<string>;
}
