/** Work for the load generator. It checks the status of every response; a wrong one makes the run invalid. */
export type Job = GetJob | UploadJob | EachJob | DrainJob;

type Headers = Readonly<Record<string, string>>;

export interface GetRequest {
  readonly url: string;
  readonly headers: Headers;
}

/** GETs of one server, repeated. */
export interface GetJob {
  readonly kind: 'get';
  /** Sent in turn; each connection begins at another one. At least one. */
  readonly requests: readonly GetRequest[];
  readonly connections: number;
  readonly seconds: number;
  readonly status: number;
  /** Smallest size of a response, headers included. */
  readonly atLeastBytes: number;
}

/** Uploads of a photo, each with another serial number. */
export interface UploadJob {
  readonly kind: 'upload';
  readonly url: string;
  readonly headers: Headers;
  readonly connections: number;
  /** Path of the JPEG. */
  readonly photo: string;
  /** Offset of the serial number. */
  readonly serialAt: number;
  /** The last upload begins within this time. */
  readonly seconds: number;
  /** Number of uploads. */
  readonly atMost?: number;
  /** Each client gets this rendition of its upload at once, such as `?width=320`. Both count as one request. */
  readonly view?: string;
}

/** One request to each URL. */
export interface EachJob {
  readonly kind: 'each';
  readonly method: 'GET' | 'PATCH' | 'DELETE';
  /** Of a `PATCH`. */
  readonly body?: string;
  readonly urls: readonly string[];
  readonly headers: Headers;
  readonly connections: number;
  readonly status: number;
  /** The last request begins within this time. */
  readonly seconds?: number;
}

/** One long response, read to its end without pauses. */
export interface DrainJob {
  readonly kind: 'drain';
  readonly url: string;
  readonly headers: Headers;
  /** Text whose occurrences in the response are counted. */
  readonly needle: string;
}

export interface Latency {
  readonly p50: number;
  /** Missing if the client does not tell. */
  readonly p95?: number;
  readonly p99: number;
}

export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds. */
  readonly latency: Latency;
  /** Bytes received. */
  readonly bytes: number;
  /** Distinct entity tags of the responses to an `each` job. */
  readonly etags: readonly string[];
  /** Occurrences of the needle. */
  readonly found: number;
  /** A run with errors is invalid. */
  readonly errors: readonly string[];
}
