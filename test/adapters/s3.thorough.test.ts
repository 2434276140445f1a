import { expect } from 'chai';
import { S3BlobStore } from '../../src/adapters/s3/s3-blob-store.ts';
import { S3Bucket } from '../../src/adapters/s3/s3-bucket.ts';
import type { S3Limits } from '../../src/adapters/s3/s3-connection.ts';
import { S3RenditionCache } from '../../src/adapters/s3/s3-rendition-cache.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { StoreEntry } from '../../src/domain/ports/bytes/blob-store.ts';
import type { StagedFile } from '../../src/domain/ports/bytes/staging-area.ts';
import { behavesLikeABlobStore } from '../contracts/blob-store.contract.ts';
import { behavesLikeARenditionCache } from '../contracts/rendition-cache.contract.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { collect, patternedBytes, streamBrokenAfter, streamOf } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { OpenRequests } from '../support/http/open-requests.ts';
import { Relay } from '../support/servers/relay.ts';
import { type S3Server, type S3TestBucket, s3ServerFor } from '../support/servers/s3-server.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';
import { HANG_GUARD_MS } from '../support/time/hang-guard.ts';

const KEY = 'ab12cd34-3c1b-4a53-9f0a-6d2f8c7b1e42';
const OTHER_KEY = 'ab12cd34-3c1b-4a53-9f0a-6d2f8c7b1e43';
const MIB = 1024 * 1024;
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

const PATIENT: S3Limits = {
  connect: HANG_GUARD_MS,
  response: HANG_GUARD_MS,
  stall: HANG_GUARD_MS,
  removal: HANG_GUARD_MS,
};
/** For a server that stops responding. */
const SHORT: S3Limits = { connect: 500, response: 500, stall: 500, removal: 500 };
const MARK = Buffer.from('this will be damaged');

let server: S3Server;
let made: S3TestBucket;
let relay: Relay;
/** Connects through the relay. */
let bucket: S3Bucket;
let blobs: S3BlobStore;
/** Connects without the relay. */
let direct: S3Bucket;
let stored: S3BlobStore;

function useBucket(): void {
  before(async function () {
    server = await s3ServerFor(this);
  });

  beforeEach(async () => {
    made = await server.makeBucket();
    relay = await Relay.to(server.endpoint);
    bucket = new S3Bucket({ ...made.location, endpoint: relay.endpoint }, PATIENT);
    blobs = new S3BlobStore(bucket);
    direct = new S3Bucket(made.location);
    stored = new S3BlobStore(direct);
  });

  afterEach(async () => {
    await bucket.close();
    await relay.close().catch(() => undefined);
    await direct.close();
    await made.remove();
  });
}

async function staged(bytes: Uint8Array = patternedBytes(100_000)): Promise<StagedFile> {
  return await new InMemoryStagingArea().receive(streamOf(bytes), NO_LIMITS);
}

async function keysOf(store: S3BlobStore): Promise<readonly StoreEntry[]> {
  const entries: StoreEntry[] = [];
  for await (const entry of store.list()) entries.push(entry);
  return entries;
}

/** Calls every method and returns the errors. */
async function failuresOf(store: S3BlobStore): Promise<ReadonlyArray<readonly [string, Error]>> {
  const file = await staged();
  const calls = {
    put: store.put(KEY, file),
    open: store.open(KEY),
    find: store.find(KEY),
    remove: store.remove(KEY),
    list: keysOf(store),
    ping: store.ping(),
    owner: store.owner(),
    claim: store.claim(KEY),
    release: store.release(),
  };
  return await Promise.all(
    Object.entries(calls).map(async ([name, call]) => [name, await rejection(call)] as const),
  );
}

function expectUnavailable(failures: ReadonlyArray<readonly [string, Error]>, because: RegExp): void {
  const seen = failures.map(([name, error]) => [name, error instanceof StorageUnavailable, causeOf(error)]);
  expect(
    seen.filter(([, unavailable, cause]) => unavailable !== true || !because.test(String(cause))),
  ).to.deep.equal([]);
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? cause.message : String(cause);
}

describe('S3BlobStore', () => {
  useBucket();

  it('does not store bytes that were damaged in transit', async () => {
    relay.there = (bytes) => {
      const at = bytes.indexOf(MARK);
      if (at >= 0) bytes[at] = 0;
      return bytes;
    };

    const error = await rejection(blobs.put(KEY, await staged(Buffer.concat([patternedBytes(1000), MARK]))));

    expect(error).to.be.instanceOf(StorageUnavailable);
    expect(causeOf(error)).to.match(/XAmzContentSHA256Mismatch/);
    expect(await stored.find(KEY)).to.equal(undefined);
  });

  it('puts a blob again if the response was lost', async () => {
    let responses = 0;
    relay.back = (bytes) => {
      responses += 1;
      return responses === 1 ? 'cut' : bytes;
    };

    await blobs.put(KEY, await staged());

    const blob = await stored.open(KEY);
    expect(await collect(blob?.read() ?? streamOf(new Uint8Array()))).to.deep.equal(patternedBytes(100_000));
    expect(responses).to.equal(2);
  });

  it('removes a blob if no response arrived', async () => {
    relay.back = () => 'cut';

    const error = await rejection(blobs.put(KEY, await staged()));

    expect(error).to.be.instanceOf(StorageUnavailable);
    expect(
      await eventually(
        () => stored.find(KEY),
        (found) => found === undefined,
      ),
    ).to.equal(undefined);
  });

  it('rejects and stores nothing if the staged file cannot be read', async () => {
    const file: StagedFile = {
      ...(await staged()),
      read: () => streamBrokenAfter(patternedBytes(70_000), new Error('cut')),
    };

    const error = await rejection(blobs.put(KEY, file));

    expect(error).to.be.instanceOf(StorageUnavailable);
    expect(causeOf(error)).to.equal('cut');
    expect(await stored.find(KEY)).to.equal(undefined);
  });
});

describe('S3BlobStore when reading', () => {
  useBucket();

  it('fails if the server breaks off, instead of ending early', async () => {
    await stored.put(KEY, await staged(patternedBytes(3 * MIB)));
    let passed = 0;
    relay.back = (bytes) => {
      passed += bytes.length;
      return passed > MIB ? 'cut' : bytes;
    };

    const blob = await blobs.open(KEY);

    expect(await rejection(collect(blob?.read() ?? streamOf(new Uint8Array())))).to.be.instanceOf(
      StorageUnavailable,
    );
  });

  it('fails if the server stalls in the middle', async () => {
    await stored.put(KEY, await staged(patternedBytes(3 * MIB)));
    let passed = 0;
    relay.back = (bytes) => {
      passed += bytes.length;
      return passed > MIB ? 'stop' : bytes;
    };

    const impatient = new S3Bucket(
      { ...made.location, endpoint: relay.endpoint },
      { ...PATIENT, stall: SHORT.stall },
    );
    const blob = await new S3BlobStore(impatient).open(KEY);

    const error = await rejection(collect(blob?.read() ?? streamOf(new Uint8Array())));
    await impatient.close();
    expect(causeOf(error)).to.match(/has sent nothing for 500 ms/);
  });
});

describe('S3BlobStore when the storage is unavailable', () => {
  useBucket();

  it('rejects with StorageUnavailable if no server listens', async () => {
    await relay.close();

    expectUnavailable(await failuresOf(blobs), /s3:\/\/.*ECONNREFUSED/);
  });

  it('rejects with StorageUnavailable if the server does not respond in time', async () => {
    relay.there = () => 'stop';
    const impatient = new S3Bucket({ ...made.location, endpoint: relay.endpoint }, SHORT);

    const failures = await failuresOf(new S3BlobStore(impatient));
    await impatient.close();

    expectUnavailable(failures, /TimeoutError|ETIMEDOUT|has taken nothing/);
  });

  it('rejects with StorageUnavailable if the bucket does not exist, unlike for a missing blob', async () => {
    const nowhere = new S3Bucket({ ...made.location, bucket: `${made.name}x` }, PATIENT);

    const failures = await failuresOf(new S3BlobStore(nowhere));
    await nowhere.close();

    expectUnavailable(failures, /s3:\/\/image-catalog-.*NoSuchBucket/);
  });

  it('rejects with StorageUnavailable if the server does not know the access key', async () => {
    const { AWS_SECRET_ACCESS_KEY } = process.env;
    process.env.AWS_SECRET_ACCESS_KEY = 'wrong';

    const failures = await failuresOf(blobs);
    process.env.AWS_SECRET_ACCESS_KEY = AWS_SECRET_ACCESS_KEY;

    expectUnavailable(failures, /403/);
  });
});

describe('S3BlobStore with particular requests', () => {
  useBucket();

  it('returns the size of a blob that is shorter than the requested range', async () => {
    await blobs.put(KEY, await staged(patternedBytes(10)));

    const blob = await blobs.open(KEY, { start: 20, end: 29 });
    await blob?.close();

    expect(blob?.size).to.equal(10);
  });

  it('sends a checksum to be stored with the blob if configured', async () => {
    let sent = '';
    relay.there = (bytes) => {
      sent += bytes.toString('latin1');
      return bytes;
    };
    const checking = new S3Bucket({ ...made.location, endpoint: relay.endpoint, checksums: 'always' });
    const file = await staged(patternedBytes(10));

    await new S3BlobStore(checking).put(KEY, file);
    await checking.close();

    expect(sent).to.include(`x-amz-checksum-sha256: ${Buffer.from(file.sha256, 'hex').toString('base64')}`);
  });

  describe('list', () => {
    it('returns the keys of blobs page by page, with their creation times', async () => {
      const uuids = new SequentialUuids();
      const keys = Array.from({ length: 1001 }, () => uuids.next());
      await Promise.all(keys.map(async (key) => await stored.put(key, await staged(patternedBytes(1)))));

      const entries = await keysOf(blobs);

      expect(entries.map((entry) => (entry.kind === 'blob' ? entry.key : entry.name))).to.have.members(keys);
      const [first] = entries;
      expect(first?.kind === 'blob' && Math.abs(first.modified.getTime() - Date.now())).to.be.below(60_000);
    });

    it('returns the names of foreign objects', async () => {
      await blobs.put(KEY, await staged());
      for (const name of ['', 'a b+c%&ü\u0001.txt', `${KEY}/x`]) await direct.putBytes(`blobs/${name}`, MARK);
      await direct.putBytes('elsewhere', MARK);

      const entries = await keysOf(blobs);

      expect(entries.filter(({ kind }) => kind === 'foreign')).to.have.deep.members([
        { kind: 'foreign', name: 'blobs/' },
        { kind: 'foreign', name: 'blobs/a b+c%&ü\u0001.txt' },
        { kind: 'foreign', name: `blobs/${KEY}/x` },
      ]);
    });
  });

  it('stops waiting for a server whose disk hangs, and works again when the disk does', async function () {
    const { cluster } = server;
    if (cluster === undefined) return skipAloud(this, 'the S3 server is not ours to harm');
    await cluster.kill('osd');

    const impatient = new S3Bucket(made.location, SHORT);
    const hanging = new S3BlobStore(impatient);
    const [put, open] = [await staged(), await rejection(hanging.open(KEY))];
    const error = await rejection(hanging.put(KEY, put));
    await impatient.close();
    await cluster.restart();

    expect([open, error].every((failure) => failure instanceof StorageUnavailable)).to.equal(true);
    await stored.put(OTHER_KEY, await staged());
    expect(await stored.find(OTHER_KEY)).not.to.equal(undefined);
  });
});
