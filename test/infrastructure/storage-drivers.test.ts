import { expect } from 'chai';
import * as z from 'zod';
import type { OpenStore, StoreLocation } from '../../src/domain/ports/bytes/store-location.ts';
import { type BlobCopy, CopyUnsupported } from '../../src/domain/ports/commands/record-copy.ts';
import {
  STORAGE_DRIVERS,
  type StorageDriver,
  urlOf,
} from '../../src/infrastructure/config/storage-drivers.ts';
import { behavesLikeABlobStore } from '../contracts/blob-store.contract.ts';
import { behavesLikeARenditionCache } from '../contracts/rendition-cache.contract.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryRenditionCache } from '../support/doubles/in-memory-rendition-cache.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { streamOf } from '../support/fixtures/bytes.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { TestService } from '../support/http/test-service.ts';
import { openSqlite, storageOf } from '../support/http/test-storage.ts';

/** A store in the memory of this process: all that a new kind of storage has to bring. */
class MemoryLocation implements StoreLocation {
  readonly blobFolder = undefined;
  readonly stagingFolder = undefined;
  readonly hasLinks = false;
  readonly boundsCache = false;
  readonly maxBlobBytes = Number.POSITIVE_INFINITY;

  constructor(readonly name: string) {}

  renditionsBeside(): MemoryLocation {
    return this;
  }

  async identity(): Promise<undefined> {
    return undefined;
  }

  open(): OpenStore {
    const renditions = new InMemoryRenditionCache();
    return {
      blobs: storeNamed(this.name),
      links: undefined,
      renditionCache: () => renditions,
      prepareCache: async () => {},
      close: async () => {},
    };
  }

  copyTo(): BlobCopy {
    throw new CopyUnsupported(['true']);
  }
}

const MEMORY = {
  schemes: ['memory'],
  shape: 'memory:<name>',
  url: z
    .string()
    .regex(/^memory:./, 'must have a name')
    .transform((url): StoreLocation => new MemoryLocation(url.slice('memory:'.length))),
};

/** The service reads it for each URL. */
const table = STORAGE_DRIVERS.stores as StorageDriver<StoreLocation>[];

const stores = new Map<string, InMemoryBlobStore>();

function storeNamed(name: string): InMemoryBlobStore {
  const store = stores.get(name) ?? new InMemoryBlobStore();
  stores.set(name, store);
  return store;
}

behavesLikeABlobStore('A store of a driver that joins the table', async () => {
  const { blobs } = MEMORY.url.parse('memory:contract').open();
  const staging = new InMemoryStagingArea();
  return {
    blobs,
    stage: (bytes) => staging.receive(streamOf(bytes), { maxBytes: bytes.byteLength, checkHead: () => {} }),
    tearDown: async () => void stores.delete('contract'),
  };
});

behavesLikeARenditionCache('The cache of a driver that joins the table', async () => {
  const store = MEMORY.url.parse('memory:cache').open();
  return {
    cache: store.renditionCache(0, { now: () => new Date() }),
    tearDown: async () => void stores.delete('cache'),
  };
});

describe('A storage driver that joins the table', () => {
  let service: TestService;

  before(async () => {
    table.push(MEMORY);
    service = await TestService.start({
      openStorage: storageOf(openSqlite, async () => {
        const staging = await temporaryFolder();
        const blobs = storeNamed('service');
        return {
          environment: { BLOB_STORE_URL: 'memory:service', STAGING_URL: `file:${staging.path}` },
          blobs,
          names: async () => blobs.keys,
          tearDown: () => staging.remove(),
        };
      }),
    });
  });

  after(async () => {
    table.pop();
    await service.stop();
  });

  it('keeps the bytes of uploads, and serves them', async () => {
    const png = await pngPicture();
    const { id } = await service.upload(png);

    const response = await service.get(`/api/image/${id}/file`);

    expect(storeNamed('service').keys).to.have.length(1);
    expect(response.status).to.equal(200);
    expect(Buffer.compare(response.body as Buffer, png)).to.equal(0);
  });

  it('keeps the renditions, too, if no other cache is configured', async () => {
    const { id } = await service.upload(await pngPicture());

    expect((await service.get(`/api/image/${id}/file?width=16`)).status).to.equal(200);
  });
});

describe('A store that backup does not copy', () => {
  it('names the command that does', () => {
    const url = 's3://images/cats?endpoint=https://s3.example.com&region=eu-central-1';
    const store = urlOf(STORAGE_DRIVERS.stores).parse(url);

    const command =
      'aws s3 sync s3://images/cats/ /there/blobs --exclude renditions/* --endpoint-url https://s3.example.com --region eu-central-1';

    expect(() => store.copyTo('/there/blobs'))
      .to.throw(CopyUnsupported)
      .with.deep.property('command', command.split(' '));
  });
});
