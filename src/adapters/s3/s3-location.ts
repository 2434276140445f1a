/** Where objects are kept. Credentials come from where the SDK looks for them: environment, profile, web identity, instance. */
export interface S3Location {
  readonly bucket: string;
  /** Stands before every key; empty, or with a slash at its end. */
  readonly prefix: string;
  /** Address of the server; that of AWS in the region where undefined. */
  readonly endpoint?: string | undefined;
  /** From the environment or the profile where undefined. */
  readonly region?: string | undefined;
  /** `https://server/bucket/key` in place of `https://bucket.server/key`. */
  readonly forcePathStyle: boolean;
  /** `always` sends a checksum for the server to keep, too; servers that know none refuse or ignore it. */
  readonly checksums: 'required' | 'always';
}
