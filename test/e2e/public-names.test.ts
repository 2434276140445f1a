import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { noisyPng, pngPicture } from '../support/fixtures/pictures.ts';
import { CatalogClient, uploadedId } from '../support/http/catalog-client.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, type Environment, type RunningService } from '../support/servers/service-process.ts';
import { WITH_WEB, webUrlOf } from '../support/servers/signed-links.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const ENV = { ...WITH_WEB, PUBLISH_NAMES: 'true', SPACE_CLAIM: 'org_id', TRASH_DAYS: '30' };

let folder: ServiceFolder;
let cat: Uint8Array<ArrayBuffer>;
let dog: Uint8Array<ArrayBuffer>;

function clientOf(service: RunningService, space = 'cats'): CatalogClient {
  return new CatalogClient(service.url, folder.tokenWith({ org_id: space }));
}

async function upload(client: CatalogClient, bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<number> {
  const response = await client.upload(bytes, 'picture.png', {}, name, name !== undefined);
  expect(response.status, await response.clone().text()).to.equal(201);
  return uploadedId(response);
}

/** The public address of a name, below the address of any web listener. */
async function pathOf(client: CatalogClient, name: string): Promise<string> {
  const named = (await client.listNames()).find((one) => one.name === name);
  return `p/${named?.number}/${name}`;
}

/** What the next request of each process gets: the bytes, or the status. */
async function shown(path: string, services: readonly RunningService[]): Promise<readonly unknown[]> {
  const requests = services.map(async (service) => {
    const response = await fetch((await webUrlOf(service)) + path);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 200) return response.status;
    return bytes.length === cat.length ? 'cat' : 'dog';
  });
  return await Promise.all(requests);
}

type End = (client: CatalogClient, id: number) => Promise<unknown>;

const ENDS: Readonly<Record<string, readonly [End, unknown]>> = {
  'the end of its publication': [(client, id) => client.setName('hero', id, false), 404],
  'the removal of the name': [(client) => client.removeName('hero'), 404],
  'the trash': [(client, id) => client.delete(id), 404],
  'the removal of its space': [() => folder.run(['spaces', 'remove', 'cats', '--yes']), 404],
  'a move': [async (client) => await client.setName('hero', await upload(client, dog)), 'dog'],
  'another name of its space': [() => folder.run(['spaces', 'assign', 'cats', 'dogs']), 'cat'],
};

describe('a public name of the built service', () => {
  before(async () => {
    cat = new Uint8Array(await noisyPng(40, 30));
    dog = new Uint8Array(await pngPicture());
  });

  beforeEach(async () => {
    folder = await ServiceFolder.open();
  });

  afterEach(() => folder.close());

  it('shows in each of two processes what is right after a change that one of them, or a command, has made', async () => {
    const services = [await folder.start(ENV), await folder.start(ENV)] as const;
    for (const [what, [end, expected]] of Object.entries(ENDS)) {
      for (const service of services) {
        const client = clientOf(service);
        const id = await upload(client, cat, 'hero');
        const path = await pathOf(client, 'hero');
        expect(await shown(path, services), `before ${what}`).to.deep.equal(['cat', 'cat']);

        await end(client, id);

        expect(await shown(path, services), what).to.deep.equal([expected, expected]);
        await folder.run(['spaces', 'remove', 'cats', '--yes']);
        await folder.run(['spaces', 'remove', 'dogs', '--yes']);
      }
    }
  });

  it('has its address after a backup was restored elsewhere, and a name that was hidden since is public again', async () => {
    const service = await folder.start(ENV);
    const client = clientOf(service);
    const id = await upload(client, cat, 'hero');
    const path = await pathOf(client, 'hero');
    const [copy, there] = [join(folder.path, 'copy'), join(folder.path, 'there')];
    expect((await folder.run(['backup', copy])).code).to.equal(0);
    await client.setName('hero', id, false);
    await mkdir(there);
    expect((await folder.run(['restore', copy], {}, there)).code).to.equal(0);

    const restored = await folder.start(ENV, { folder: there });
    expect(await shown(path, [service, restored])).to.deep.equal([404, 'cat']);
  });

  it('has its address after a restart, a revoked link key, and a transfer to Postgres', async function () {
    const server = await PostgresServer.startOwn();
    if (server === undefined) skipAloud(this, 'there is no Postgres server for this machine');
    try {
      const before = await folder.start(ENV);
      await upload(clientOf(before), cat, 'hero');
      const path = await pathOf(clientOf(before), 'hero');
      await folder.run(['rotate-link-key', '--revoke']);
      expect(await shown(path, [before])).to.deep.equal(['cat']);
      await before.process.stop();

      const there = await transferTo((await server.newDatabase()).url);

      const services = [await folder.start(ENV), await folder.start({ ...ENV, ...there })];
      expect(await shown(path, services)).to.deep.equal(['cat', 'cat']);
      await upload(clientOf(services[1] as RunningService), dog, 'hero');
      expect(await shown(path, services)).to.deep.equal(['cat', 'dog']);
    } finally {
      await folder.stopAll();
      server.remove();
    }
  });
});

async function transferTo(database: string): Promise<Environment> {
  const blobs = `file:${blobFolder(join(folder.path, 'there'))}`;
  const { code, stderr } = await folder.run(['transfer', '--to-database', database, '--to-blobs', blobs]);
  expect(code, stderr).to.equal(0);
  return { DATABASE_URL: database, BLOB_STORE_URL: blobs };
}
