import { S3BlobStore } from '../../src/adapters/s3/s3-blob-store.ts';
import { S3Bucket } from '../../src/adapters/s3/s3-bucket.ts';
import { S3RenditionCache } from '../../src/adapters/s3/s3-rendition-cache.ts';
import { behavesLikeABlobStore } from '../contracts/blob-store.contract.ts';
import { behavesLikeARenditionCache } from '../contracts/rendition-cache.contract.ts';
import { streamOf } from '../support/bytes.ts';
import { InMemoryStagingArea } from '../support/in-memory-staging-area.ts';
import { OpenRequests } from '../support/open-requests.ts';
import { type S3Server, s3ServerFor } from '../support/s3-server.ts';

const NO_LIMITS = { maxBytes: 100_000_000, checkHead: (): void => {} };

describe('S3', () => {
  let server: S3Server;

  before(async function () {
    server = await s3ServerFor(this);
  });

  behavesLikeABlobStore('S3BlobStore', async () => {
    const { name, location, remove } = await server.makeBucket();
    const requests = new OpenRequests();
    const bucket = new S3Bucket(location);
    const staging = new InMemoryStagingArea();
    return {
      blobs: new S3BlobStore(bucket),
      stage: (bytes) => staging.receive(streamOf(bytes), NO_LIMITS),
      countOpen: async () => requests.countOf(name),
      tearDown: async () => {
        requests.stop();
        await bucket.close();
        await remove();
      },
    };
  });

  behavesLikeARenditionCache('S3RenditionCache', async () => {
    const { location, remove } = await server.makeBucket();
    const bucket = new S3Bucket(location);
    return {
      cache: new S3RenditionCache(bucket),
      tearDown: async () => {
        await bucket.close();
        await remove();
      },
    };
  });
});
