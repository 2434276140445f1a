import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { S3Bucket } from '../../src/adapters/s3/s3-bucket.ts';
import type { S3Limits } from '../../src/adapters/s3/s3-connection.ts';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { StagedFile } from '../../src/domain/ports/bytes/staging-area.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { patternedBytes, streamOf } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { settled } from '../support/time/gate.ts';
import { HANG_GUARD_MS } from '../support/time/hang-guard.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const KEY = 'blobs/ab12cd34-3c1b-4a53-9f0a-6d2f8c7b1e42';
const LIMIT_MS = HANG_GUARD_MS;
const PATIENT: S3Limits = { connect: LIMIT_MS, response: LIMIT_MS, stall: LIMIT_MS, removal: LIMIT_MS };
/** For servers that do not respond. */
const SHORT: S3Limits = { connect: 500, response: 100, stall: 100, removal: 100 };
const XML = { 'Content-Type': 'application/xml' };

/** Tests against servers whose responses differ from those of the S3 server of the other tests. */
let before: NodeJS.ProcessEnv;
let respond: RequestListener;
let server: Server;
let endpoint: string;
let bucket: S3Bucket;

function useServer(limits = PATIENT): void {
  beforeEach(async () => {
    before = forgetAws();
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' });
    server = createServer((request, response) => {
      request.resume();
      respond(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const region = 'us-east-1';
    bucket = new S3Bucket(
      { bucket: 'images', prefix: 'catalog/', endpoint, region, forcePathStyle: true, checksums: 'required' },
      limits,
    );
  });

  afterEach(async () => {
    forgetAws();
    Object.assign(process.env, before);
    await bucket.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
}

describe('S3Bucket', () => {
  useServer();

  it('treats an object that the server does not have as removed', async () => {
    respond = (_request, response) =>
      response.writeHead(404, XML).end('<Error><Code>NoSuchKey</Code><Message>Gone.</Message></Error>');

    await bucket.remove(KEY);

    respond = (_request, response) =>
      response.writeHead(404, XML).end('<Error><Code>NoSuchBucket</Code><Message>Gone.</Message></Error>');
    expect(await rejection(bucket.remove(KEY))).to.be.instanceOf(StorageUnavailable);
  });

  describe('putNew', () => {
    /** Method and condition of each request to a server without the object. */
    let asked: Array<readonly [method: string | undefined, condition: string | undefined]>;

    /** Sets the response to the first PUT; every other one succeeds. */
    function respondToFirstPut(status: number, code: string): void {
      asked = [];
      respond = ({ method, headers, url = '' }, response) => {
        if (url.includes('list-type')) return response.writeHead(200, XML).end('<ListBucketResult/>');
        if (method === 'HEAD') return response.writeHead(404).end();
        asked.push([method, headers['if-none-match']]);
        if (asked.length > 1 || status === 200) return response.writeHead(200, { ETag: '"tag"' }).end();
        return response.writeHead(status, XML).end(`<Error><Code>${code}</Code></Error>`);
      };
    }

    for (const [status, code] of [
      [200, 'OK'],
      [412, 'PreconditionFailed'],
      [409, 'ConditionalRequestConflict'],
    ] as const) {
      it(`sends one conditional request, and accepts ${status}`, async () => {
        respondToFirstPut(status, code);

        await bucket.putNew(KEY, patternedBytes(10));

        expect(asked).to.deep.equal([['PUT', '*']]);
      });
    }

    it('repeats the request without the condition if the server does not support it', async () => {
      respondToFirstPut(400, 'NotImplemented');

      await bucket.putNew(KEY, patternedBytes(10));

      expect(asked).to.deep.equal([
        ['PUT', '*'],
        ['PUT', undefined],
      ]);
    });

    it('rejects with StorageUnavailable if the server rejects the request', async () => {
      respondToFirstPut(403, 'AccessDenied');

      expect(await rejection(bucket.putNew(KEY, patternedBytes(10)))).to.be.instanceOf(StorageUnavailable);
    });
  });

  it('does not decode names if the server does not encode them', async () => {
    const listed = '<Contents><Key>catalog/blobs/100%+.txt</Key></Contents>';
    respond = (_request, response) =>
      response.writeHead(200, XML).end(`<ListBucketResult>${listed}</ListBucketResult>`);

    const keys: string[] = [];
    for await (const page of bucket.list('blobs/')) keys.push(...page.map(({ key }) => key));

    expect(keys).to.deep.equal(['blobs/100%+.txt']);
  });
});

describe('S3Bucket with faulty responses', () => {
  useServer();

  describe('if another server responds with 200', () => {
    beforeEach(() => {
      respond = (_request, response) =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Please log in</html>');
    });

    const asking: ReadonlyArray<readonly [what: string, ask: () => Promise<unknown>]> = [
      ['rejects put', async () => await bucket.put(KEY, await staged())],
      ['rejects putBytes', async () => await bucket.putBytes(KEY, patternedBytes(1000))],
      ['rejects putNew', async () => await bucket.putNew(KEY, patternedBytes(10))],
      ['rejects find', async () => await bucket.find(KEY)],
      ['rejects open', async () => await bucket.open(KEY)],
    ];
    for (const [what, ask] of asking) {
      it(what, async () => {
        expect(await rejection(ask())).to.be.instanceOf(StorageUnavailable);
      });
    }
  });

  it('finds no object if the response does not give its size', async () => {
    respond = (_request, response) =>
      response.writeHead(200, { ETag: '"tag"', 'Transfer-Encoding': 'chunked' }).end();

    expect(await rejection(bucket.find(KEY))).to.be.instanceOf(StorageUnavailable);
  });

  it('opens no object if the response does not give its size', async () => {
    respond = (_request, response) =>
      response.writeHead(200, { ETag: '"tag"', 'Transfer-Encoding': 'chunked' }).end('a part of it');

    expect(await rejection(bucket.open(KEY))).to.be.instanceOf(StorageUnavailable);
  });

  it('opens no small object if the connection is lost in the middle of it', async () => {
    respond = (_request, response) => {
      response.writeHead(200, { ETag: '"tag"', 'Content-Length': 1000 });
      response.write(patternedBytes(500), () => response.destroy());
    };

    expect(await rejection(bucket.open(KEY))).to.be.instanceOf(StorageUnavailable);
  });
});

describe('S3Bucket with slow requests', () => {
  useServer();

  it('waits for the removal of an object for at most the given time', async () => {
    const asked: string[] = [];
    const time = new VirtualTimers();
    respond = ({ method = '' }) => {
      asked.push(method);
      void settled().then(() => time.pass(LIMIT_MS));
    };
    const file = await staged();

    expect(await rejection(time.use(() => bucket.put(KEY, file)))).to.be.instanceOf(StorageUnavailable);

    expect(asked).to.deep.equal(['PUT', 'DELETE']);
  });

  it('does not repeat a request that is interrupted by close', async () => {
    const asked: string[] = [];
    respond = ({ method = '' }) => {
      asked.push(method);
      void bucket.close();
    };

    expect(await rejection(bucket.put(KEY, await staged()))).to.be.instanceOf(StorageUnavailable);

    expect(asked).to.deep.equal(['PUT']);
  });
});

describe('S3Bucket with credentials', () => {
  useServer(SHORT);

  describe('from an external process', () => {
    let folder: TemporaryFolder;

    beforeEach(async () => {
      folder = await temporaryFolder();
    });

    afterEach(async () => {
      await folder.remove();
    });

    it('stops waiting for a process that hangs', async () => {
      const token = join(folder.path, 'token');
      await writeFile(token, 'a token');
      delete process.env.AWS_ACCESS_KEY_ID;
      Object.assign(process.env, {
        AWS_REGION: 'us-east-1',
        AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/images',
        AWS_WEB_IDENTITY_TOKEN_FILE: token,
        AWS_ENDPOINT_URL_STS: endpoint,
      });
      const asked: string[] = [];
      respond = ({ method = '', url = '' }) => asked.push(`${method} ${url}`);

      expect(await rejection(bucket.open(KEY))).to.be.instanceOf(StorageUnavailable);

      expect(new Set(asked)).to.deep.equal(new Set(['POST /']));
    });
  });
});

async function staged(): Promise<StagedFile> {
  const limits = { maxBytes: 1000, checkHead: (): void => {} };
  return await new InMemoryStagingArea().receive(streamOf(patternedBytes(1000)), limits);
}

/** Removes the variables of the SDK from the environment and returns them. */
function forgetAws(): NodeJS.ProcessEnv {
  const known = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
  for (const [name] of known) delete process.env[name];
  return Object.fromEntries(known);
}
