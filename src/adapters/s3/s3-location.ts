/** The SDK finds credentials itself: environment, profile, web identity, instance. */
export interface S3Location {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Default: AWS in the region. */
  readonly endpoint?: string | undefined;
  /** Default: environment or profile. */
  readonly region?: string | undefined;
  /** `https://server/bucket/key` instead of `https://bucket.server/key`. */
  readonly forcePathStyle: boolean;
  /** `always` also sends a checksum, which some servers refuse or ignore. */
  readonly checksums: 'required' | 'always';
}
