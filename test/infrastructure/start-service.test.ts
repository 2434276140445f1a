import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Confinement } from '../../src/adapters/decoder/confinement.ts';
import { DecoderPool } from '../../src/adapters/decoder/decoder-pool.ts';
import { OWNER_NOTE } from '../../src/adapters/filesystem/owner-note.ts';
import { type Config, parseConfig } from '../../src/infrastructure/config/config.ts';
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

  describe('starts no decoder, leaves nothing behind, and refuses', () => {
    it('a port that is taken by a process that does not share it', async () => {
      const other = await listener();
      const { port } = other.address() as AddressInfo;
      const message = await refusal({ PORT: String(port) }, { reusePort: true });
      other.close();

      expect(message).to.match(/^PORT cannot be used: .*\(EADDRINUSE\)$/);
    });

    for (const [variable, url] of [
      ['DATABASE_URL', 'sqlite:'],
      ['BLOB_STORE_URL', 'file:'],
      ['RENDITION_CACHE_URL', 'file:'],
    ] as const) {
      it(`${variable} if a file has the place of what it names`, async () => {
        const message = await refusal({ [variable]: `${url}${await file()}` });

        expect(message).to.match(new RegExp(`^${variable} cannot be used`));
      });
    }

    it('the blobs of another catalog', async () => {
      await mkdir(join(folder.path, 'data/blobs', OWNER_NOTE, OTHER_CATALOG), { recursive: true });

      expect(await refusal()).to.match(/^BLOB_STORE_URL together with DATABASE_URL /);
    });

    for (const [variable, env] of [
      ['PORT', {}],
      ['MANAGEMENT_PORT', { MANAGEMENT_HOST: '127.0.0.1' }],
      ['WEB_PORT', { WEB_HOST: '127.0.0.1' }],
    ] as const) {
      it(`${variable} if it is taken`, async () => {
        const other = await listener();
        const { port } = other.address() as AddressInfo;
        const message = await refusal({ ...env, [variable]: String(port) });
        other.close();

        expect(message).to.equal(
          `${variable} cannot be used: port ${port} of 127.0.0.1 is taken by another process: end it, or set ${variable} to another port (EADDRINUSE)`,
        );
      });
    }

    it('a host that cannot be resolved, and names its variable', async () => {
      const message = await refusal({ MANAGEMENT_HOST: 'host.invalid', MANAGEMENT_PORT: '0' });

      expect(message).to.match(
        /name host\.invalid cannot be resolved: set MANAGEMENT_HOST to .*\((?:ENOTFOUND|EAI_AGAIN)\)$/,
      );
    });
  });

  it('says that it cannot go on if the first decoder does not start', async () => {
    decoders = () => Promise.reject(new Error('no library'));
    await start();

    expect((await services[0]?.failure)?.message).to.equal('The decoder cannot be used: no library');
  });

  it('listens before the first decoder has started, and is not ready until then', async () => {
    const management = await lastingPort();
    const ready = new Gate();
    decoders = async () => {
      await ready.opened;
      return CONFINEMENT;
    };
    await start({ MANAGEMENT_PORT: String(management) });
    const listening = log.entries.some(({ msg }) => msg === 'listening');
    const response = await fetch(`http://127.0.0.1:${management}/readyz`);
    const { checks } = (await response.json()) as { readonly checks: Readonly<Record<string, string>> };
    expect([listening, response.status, checks['decoder']]).to.deep.equal([true, 503, 'unavailable']);
    ready.open();
    await log.entry(({ msg }) => msg === 'decoders started');
  });
});

async function listener(): Promise<Server> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** The message of a start that changes nothing in the folder. */
async function refusal(
  env: Readonly<Record<string, string>> = {},
  others: Partial<Config> = {},
): Promise<string> {
  const before = await readdir(folder.path, { recursive: true });
  const { message } = await rejection(start(env, others));
  expect(await readdir(folder.path, { recursive: true })).to.deep.equal(before);
  expect(starts).to.equal(0);
  return message;
}

/** @param others settings whose variables not every version of Node.js accepts */
async function start(
  env: Readonly<Record<string, string>> = {},
  others: Partial<Config> = {},
): Promise<void> {
  const config = parseConfig({
    IDP_DOMAIN: 'http://127.0.0.1:9/',
    IDP_AUDIENCE: 'images',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder.path, 'data/catalog.sqlite')}`,
    BLOB_STORE_URL: `file:${join(folder.path, 'data/blobs')}`,
    RENDITION_CACHE_URL: `file:${join(folder.path, 'data/renditions')}`,
    SHUTDOWN_GRACE_SECONDS: '0',
    ...env,
  });
  services.push(await startService({ ...config, ...others }, log.logger));
}

/** A folder cannot be made in its place. */
async function file(): Promise<string> {
  const path = join(folder.path, 'file');
  await writeFile(path, 'no folder, and no database');
  return path;
}
