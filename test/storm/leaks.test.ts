import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { FORM_TYPE, filePart, openMultipart } from '../support/fixtures/multipart.ts';
import { jpegOfSize, noisyPng } from '../support/fixtures/pictures.ts';
import { type RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { stagingFolder } from '../support/servers/service-process.ts';
import { eventually } from '../support/time/eventually.ts';

const CLIENTS = 300;
const MIB = 1024 * 1024;
/** Larger than the buffers of a connection. */
const LARGE = 12 * MIB;
/** The files, apart from sockets, of a service under the same number of requests. */
const HALF = CLIENTS / 2;

describe('the built service, with clients that disconnect during requests,', () => {
  let catalog: RunningCatalog;
  let idle: number;

  before(async () => {
    catalog = await RunningCatalog.start({
      // All clients are one subject, which has half of the places.
      env: { UPLOAD_CONCURRENCY: String(2 * CLIENTS), RENDITION_CONCURRENCY: '1' },
    });
    for (const picture of [await jpegOfSize(LARGE), await noisyPng(1600, 1200)]) {
      const form = new FormData();
      form.append('file', new Blob([new Uint8Array(picture)]), 'photo');
      await (await catalog.request('api/upload', { method: 'POST', body: form })).text();
    }
    idle = await catalog.quietOpenFiles();
  });

  after(() => catalog?.stop());

  afterEach(async () => {
    expect(catalog.errors()).to.deep.equal([]);
    expect((await catalog.request('api/images')).status).to.equal(200);
  });

  const leavings: ReadonlyArray<readonly [how: string, leave: (connection: RawConnection) => void]> = [
    ['resetting their connections', (connection) => connection.abandon()],
    ['closing their connections', (connection) => connection.close()],
  ];

  for (const [how, leave] of leavings) {
    it(`keeps no file and no descriptor of ${CLIENTS} uploads, ${how}`, async () => {
      const start = openMultipart([filePart(await noisyPng(100, 100))]);
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, async (_, index) => {
          const connection = await ask('POST', '/api/upload', {
            'Content-Type': FORM_TYPE,
            'Content-Length': MIB,
          });
          // From the first bytes of the picture to all of them.
          connection.send(start.subarray(0, 200 + Math.floor((index / CLIENTS) * (start.length - 200))));
          return connection;
        }),
      );
      const staged = await eventually(stagedFiles, (count) => count === CLIENTS);
      const open = catalog.openFiles();
      for (const connection of clients) leave(connection);
      expect(staged).to.equal(CLIENTS);
      expect(open).to.be.at.least(idle + 2 * CLIENTS);
      expect(await catalog.leftovers()).to.deep.equal([]);
      expect(await catalog.idleOpenFiles(idle)).to.be.at.most(idle);
    });

    it(`keeps no descriptor of ${CLIENTS} downloads, ${how}`, async () => {
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, async () => {
          const connection = await ask('GET', '/api/image/1/file');
          await connection.begun();
          return connection;
        }),
      );
      const open = catalog.openFiles();
      for (const connection of clients) leave(connection);
      expect(open).to.be.at.least(idle + CLIENTS + HALF);
      expect(await catalog.idleOpenFiles(idle)).to.be.at.most(idle);
    });

    it(`keeps no file and no descriptor of ${CLIENTS} abandoned renditions, ${how}`, async () => {
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, async (_, index) => {
          const width = [640, 750, 828, 1080, 1200][index % 5];
          return await ask(
            'GET',
            `/api/image/2/file?width=${width}&format=avif&quality=${(1 + (index % 20)) * 5}`,
          );
        }),
      );
      const open = await eventually(
        () => catalog.openFiles(),
        (count) => count >= idle + CLIENTS,
      );
      for (const connection of clients) leave(connection);
      expect(open).to.be.at.least(idle + CLIENTS);
      expect(await catalog.idleOpenFiles(idle)).to.be.at.most(idle);
      expect(await catalog.leftovers()).to.deep.equal([]);
      expect(catalog.logged(({ msg }) => msg === 'client left')).not.to.deep.equal([]);
      expect((await catalog.request('api/image/2/file?width=16')).status).to.equal(200);
    });
  }

  async function ask(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | number>> = {},
  ): Promise<RawConnection> {
    const connection = await catalog.connect();
    connection.send(requestHead(method, path, { Authorization: catalog.bearer, ...headers }));
    return connection;
  }

  async function stagedFiles(): Promise<number> {
    return (await readdir(stagingFolder(catalog.folder))).length;
  }
});
