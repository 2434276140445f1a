import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Confinement } from '../../src/adapters/decoder/confinement.ts';
import { DecoderPool } from '../../src/adapters/decoder/decoder-pool.ts';
import { OWNER_NOTE } from '../../src/adapters/filesystem/owner-note.ts';
import { parseConfig } from '../../src/infrastructure/config/config.ts';
import { type RunningService, startService } from '../../src/infrastructure/start/start-service.ts';
import { CapturedLog } from '../support/doubles/captured-log.ts';
import { replaceStart } from '../support/doubles/replaced-start.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { Gate } from '../support/time/gate.ts';

const OTHER_CATALOG = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const CONFINEMENT: Confinement = { isFrozen: true, hasOwnUser: true };

let folder: TemporaryFolder;
let log: CapturedLog;
let services: RunningService[];
let restore: () => void;
/** Calls that start decoders. */
let starts: number;
let decoders: () => Promise<Confinement>;

describe('startService', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
    log = new CapturedLog();
    [services, starts] = [[], 0];
    decoders = async () => CONFINEMENT;
    restore = replaceStart(DecoderPool, () => {
      starts += 1;
      return decoders();
    });
  });

  afterEach(async () => {
    restore();
    for (const service of services) await service.stop();
    await folder.remove();
  });

  describe('starts no decoder, and refuses', () => {
    for (const [variable, url] of [
      ['DATABASE_URL', 'sqlite:'],
      ['BLOB_STORE_URL', 'file:'],
      ['RENDITION_CACHE_URL', 'file:'],
    ] as const) {
      it(`${variable} if a file has the place of what it names`, async () => {
        const refused = await rejection(start({ [variable]: `${url}${await file()}` }));

        expect(refused.message).to.match(new RegExp(`^${variable} cannot be used`));
        expect(starts).to.equal(0);
      });
    }

    it('the blobs of another catalog', async () => {
      await noteOtherOwner();

      expect((await rejection(start())).message).to.match(/^BLOB_STORE_URL together with DATABASE_URL /);
      expect(starts).to.equal(0);
    });

    for (const [variable, env] of [
      ['PORT', {}],
      ['MANAGEMENT_PORT', { MANAGEMENT_HOST: '127.0.0.1' }],
      ['WEB_PORT', { WEB_HOST: '127.0.0.1' }],
    ] as const) {
      it(`${variable} if it is taken`, async () => {
        const other = await listener();
        const { port } = other.address() as AddressInfo;
        const refused = await rejection(start({ ...env, [variable]: String(port) }));
        other.close();

        expect(refused.message).to.match(new RegExp(`^${variable} cannot be used: .*EADDRINUSE`));
        expect(starts).to.equal(0);
      });
    }
  });

  it('leaves its port if no decoder starts, and never says that it listens', async () => {
    const port = await lastingPort();
    decoders = () => Promise.reject(new Error('no library'));

    const refused = await rejection(start({ PORT: String(port) }));

    expect(refused.message).to.equal('The decoder cannot be used: no library');
    expect(log.entries.filter(({ msg }) => msg === 'listening')).to.deep.equal([]);
    const next = createServer();
    await once(next.listen(port, '127.0.0.1'), 'listening');
    next.close();
  });

  it('responds to a request that arrives before its decoders have started when they have', async () => {
    const port = await lastingPort();
    const [called, ready] = [new Gate(), new Gate()];
    decoders = async () => {
      called.open();
      await ready.opened;
      return CONFINEMENT;
    };
    const starting = start({ PORT: String(port) });
    await called.opened;
    let hasResponded = false;
    const response = fetch(`http://127.0.0.1:${port}/`).then(({ status }) => {
      hasResponded = true;
      return status;
    });
    // The application does not see these.
    for (let time = 0; time < 5; time += 1) await refused(port);
    expect([hasResponded, log.entries.some(({ msg }) => msg === 'listening')]).to.deep.equal([false, false]);
    ready.open();
    await starting;

    expect([await response, log.entries.some(({ msg }) => msg === 'listening')]).to.deep.equal([200, true]);
  });
});

/** Sends what is not HTTP. Resolves when it is refused. */
async function refused(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.end('hello\r\n\r\n');
  expect(await text(socket)).to.match(/^HTTP\/1.1 400 /);
}

async function listener(): Promise<Server> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const config = parseConfig({
    IDP_DOMAIN: 'http://127.0.0.1:9/',
    IDP_AUDIENCE: 'images',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder.path, 'catalog.sqlite')}`,
    BLOB_STORE_URL: `file:${join(folder.path, 'blobs')}`,
    RENDITION_CACHE_URL: `file:${join(folder.path, 'renditions')}`,
    SHUTDOWN_GRACE_SECONDS: '0',
    ...env,
  });
  services.push(await startService(config, log.logger));
}

/** A folder cannot be made in its place. */
async function file(): Promise<string> {
  const path = join(folder.path, 'file');
  await writeFile(path, 'no folder, and no database');
  return path;
}

async function noteOtherOwner(): Promise<void> {
  await mkdir(join(folder.path, 'blobs', OWNER_NOTE, OTHER_CATALOG), { recursive: true });
}
