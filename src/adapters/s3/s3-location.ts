/** A place in a bucket. The SDK finds credentials itself: environment, profile, web identity, instance. */
export interface S3Location {
  readonly bucket: string;
  /** Precedes every key; empty, or ends with a slash. */
  readonly prefix: string;
  /** Address of the server; by default that of AWS in the region. */
  readonly endpoint?: string | undefined;
  /** By default from the environment or the profile. */
  readonly region?: string | undefined;
  /** `https://server/bucket/key` instead of `https://bucket.server/key`. */
  readonly forcePathStyle: boolean;
  /** `always` also sends a checksum that the server stores. Servers without support refuse or ignore it. */
  readonly checksums: 'required' | 'always';
}
