import { S3Bucket } from './s3-bucket.ts';
import type { S3Location } from './s3-location.ts';

/** The buckets in use. Users of the same bucket share its connections. */
export class S3Buckets {
  private readonly opened = new Map<string, S3Bucket>();

  at(location: S3Location): S3Bucket {
    const { bucket, prefix, endpoint, region, forcePathStyle, checksums } = location;
    const name = JSON.stringify([bucket, prefix, endpoint, region, forcePathStyle, checksums]);
    const found = this.opened.get(name) ?? new S3Bucket(location);
    this.opened.set(name, found);
    return found;
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened.values()].map((bucket) => bucket.close()));
  }
}
