/** What the load generator is told to do. Every answer is checked for its status; a wrong one spoils the run. */
export type Job = GetJob | UploadJob | EachJob | DrainJob;

type Headers = Readonly<Record<string, string>>;

export interface GetRequest {
  readonly url: string;
  readonly headers: Headers;
}

/** Some GETs of one server again and again. */
export interface GetJob {
  readonly kind: 'get';
  /** In turn; each connection begins at a place of its own. One at least. */
  readonly requests: readonly GetRequest[];
  readonly connections: number;
  readonly seconds: number;
  readonly status: number;
  /** Bytes that each answer has at least, headers included. */
  readonly atLeastBytes: number;
}

/** A photo again and again, each time with another serial number. */
export interface UploadJob {
  readonly kind: 'upload';
  readonly url: string;
  readonly headers: Headers;
  readonly connections: number;
  /** Path of the JPEG. */
  readonly photo: string;
  readonly serialAt: number;
  /** No upload is begun after so long, or after so many, whichever comes first. */
  readonly seconds: number;
  readonly atMost?: number;
}

/** Each of some addresses once. */
export interface EachJob {
  readonly kind: 'each';
  readonly method: 'GET' | 'DELETE';
  readonly urls: readonly string[];
  readonly headers: Headers;
  readonly connections: number;
  readonly status: number;
  /** No request is begun after so long. */
  readonly seconds?: number;
}

/** One long answer, read to its end as fast as it comes. */
export interface DrainJob {
  readonly kind: 'drain';
  readonly url: string;
  readonly headers: Headers;
  /** Counted in the answer. */
  readonly needle: string;
}

/** What came of it. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number };
  /** Bytes received. */
  readonly bytes: number;
  /** Distinct entity tags among the answers of an `each` job. */
  readonly etags: readonly string[];
  /** How often the needle was found. */
  readonly found: number;
  /** What went wrong; a run with any of these is invalid. */
  readonly errors: readonly string[];
}
