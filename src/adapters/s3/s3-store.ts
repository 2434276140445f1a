import * as z from 'zod';
import type { OpenStore, StoreLocation } from '../../domain/ports/bytes/store-location.ts';
import { type BlobCopy, CopyUnsupported } from '../../domain/ports/commands/record-copy.ts';
import { parseS3Url, type S3Location } from './parse-s3-url.ts';
import { S3BlobStore } from './s3-blob-store.ts';
import { S3Bucket } from './s3-bucket.ts';
import { S3RenditionCache } from './s3-rendition-cache.ts';

class S3StoreLocation implements StoreLocation {
  readonly blobFolder = undefined;
  readonly stagingFolder = undefined;
  readonly hasLinks = true;
  readonly boundsCache = false;
  /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
  readonly maxBlobBytes = 5 * 1024 ** 3;

  constructor(readonly location: S3Location) {}

  renditionsBeside(): S3StoreLocation {
    return this;
  }

  async identity(): Promise<undefined> {
    return undefined;
  }

  open(): OpenStore {
    const bucket = new S3Bucket(this.location);
    const blobs = new S3BlobStore(bucket);
    return {
      blobs,
      links: blobs,
      renditionCache: () => new S3RenditionCache(bucket),
      prepareCache: async () => await bucket.ping(),
      close: async () => await bucket.close(),
    };
  }

  copyTo(folder: string): BlobCopy {
    const { bucket, prefix, endpoint, region } = this.location;
    const sync = ['aws', 's3', 'sync', `s3://${bucket}/${prefix}`, folder, '--exclude', 'renditions/*'];
    throw new CopyUnsupported([
      ...sync,
      ...(endpoint === undefined ? [] : ['--endpoint-url', endpoint]),
      ...(region === undefined ? [] : ['--region', region]),
    ]);
  }
}

export const S3_STORE = {
  schemes: ['s3'],
  shape: 's3://<bucket>/<prefix>?endpoint=…&region=…',
  url: z.string().transform((url, check): StoreLocation => {
    const location = parseS3Url(url, check);
    return location === undefined ? z.NEVER : new S3StoreLocation(location);
  }),
};
