import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/fixtures/eventually.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { PostgresServer, type TestDatabase } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import {
  blobFolder,
  databaseFile,
  type Environment,
  type RunningService,
} from '../support/servers/service-process.ts';

const WITH_WEB: Environment = { WEB_HOST: '127.0.0.1', WEB_PORT: '0' };
/** That of the contract. */
const ROTATION_DEADLINE_MS = 10_000;

let folder: ServiceFolder;

describe('signed links of the built service', function () {
  this.timeout(120_000);

  beforeEach(async () => {
    folder = await ServiceFolder.open();
  });

  afterEach(async () => {
    await folder.close();
  });

  async function uploadTo(service: RunningService): Promise<number> {
    const picture = new File([await pngPicture()], 'cat.png');
    return (await folder.images(service).upload(picture)).id;
  }

  it('are good in every process, whichever made the first key', async () => {
    const services = [await folder.start(WITH_WEB), await folder.start(WITH_WEB)];
    const id = await uploadTo(services[0] ?? never());

    const links = await Promise.all(services.map((service) => linkOf(service, id)));

    expect(pathOf(links[0])).to.equal(pathOf(links[1]));
    expect(await statusesOf(services, links)).to.deep.equal([200, 200, 200, 200]);
  });

  it('can be made by a process that serves none', async () => {
    const serving = await folder.start(WITH_WEB);
    const signing = await folder.start({ WEB_URL: await webUrlOf(serving) });
    const id = await uploadTo(signing);

    expect((await fetch(await linkOf(signing, id))).status).to.equal(200);
  });

  it('stay good when the key is rotated; all processes sign with the new one', async () => {
    const services = [await folder.start(WITH_WEB), await folder.start(WITH_WEB)];
    const id = await uploadTo(services[0] ?? never());
    const old = await linkOf(services[0] ?? never(), id);

    const result = await folder.run(['rotate-link-key']);

    expect(result).to.deep.equal({
      code: 0,
      stdout: '{"revoked":false,"formerKeys":1}',
      stderr: '',
    });
    for (const service of services) {
      const link = await eventually(
        () => linkOf(service, id),
        (made) => pathOf(made) !== pathOf(old),
        ROTATION_DEADLINE_MS,
      );
      expect(pathOf(link)).not.to.equal(pathOf(old));
      expect(await statusesOf(services, [old, link])).to.deep.equal([200, 200, 200, 200]);
    }
  });

  it('end in every process when the key is revoked', async () => {
    const services = [await folder.start(WITH_WEB), await folder.start(WITH_WEB)];
    const id = await uploadTo(services[0] ?? never());
    const old = await linkOf(services[0] ?? never(), id);
    expect(await statusesOf(services, [old])).to.deep.equal([200, 200]);

    const result = await folder.run(['rotate-link-key', '--revoke']);

    expect(result).to.deep.equal({ code: 0, stdout: '{"revoked":true,"formerKeys":0}', stderr: '' });
    const statuses = await eventually(
      () => statusesOf(services, [old]),
      (seen) => seen.every((status) => status === 403),
    );
    expect(statuses).to.deep.equal([403, 403]);
    const link = await linkOf(services[1] ?? never(), id);
    expect(await statusesOf(services, [link])).to.deep.equal([200, 200]);
  });

  it('can be rotated before the first one was made, but not without a catalog', async () => {
    const missing = await folder.run(['rotate-link-key']);
    expect([missing.code, missing.stdout]).to.deep.equal([78, '']);
    expect(missing.stderr).to.match(/^DATABASE_URL/);

    await folder.start();
    const made = await folder.run(['rotate-link-key']);
    expect(made).to.include({ code: 0, stdout: '{"revoked":false,"formerKeys":0}' });
  });

  it('are good at a service that was restored from a backup', async () => {
    const service = await folder.start(WITH_WEB);
    const link = await linkOf(service, await uploadTo(service));
    const target = join(folder.path, 'backup');

    expect((await folder.run(['backup', target])).code).to.equal(0);

    const restored = await folder.start(WITH_WEB, { folder: target });
    expect(await statusesOf([restored], [link])).to.deep.equal([200]);
  });

  describe('on Postgres', () => {
    let database: TestDatabase;

    before(async function () {
      const server = await PostgresServer.shared();
      if (server === undefined) return this.skip();
      database = await server.newDatabase();
    });

    after(async () => {
      await database?.drop();
    });

    it('are good after a transfer from SQLite, and after one back', async () => {
      const service = await folder.start(WITH_WEB);
      const id = await uploadTo(service);
      const link = await linkOf(service, id);
      const onPostgres = { DATABASE_URL: database.url };
      const back = join(folder.path, 'back');
      const onSqlite = { DATABASE_URL: `sqlite:${databaseFile(back)}`, BLOB_STORE_URL: blobStoreUrl() };

      expect((await folder.run(['transfer', '--to-database', database.url])).code).to.equal(0);
      const there = await folder.start({ ...WITH_WEB, ...onPostgres });
      expect(await statusesOf([there], [link])).to.deep.equal([200]);
      expect((await folder.run(['rotate-link-key'], onPostgres)).code).to.equal(0);
      const newer = await eventually(
        () => linkOf(there, id),
        (made) => pathOf(made) !== pathOf(link),
      );

      const copied = await folder.run(['transfer', '--to-database', onSqlite.DATABASE_URL], onPostgres);

      expect(copied.code).to.equal(0);
      const here = await folder.start({ ...WITH_WEB, ...onSqlite });
      expect(await statusesOf([here], [link, newer])).to.deep.equal([200, 200]);
    });
  });
});

function blobStoreUrl(): string {
  return `file:${blobFolder(folder.path)}`;
}

/** With a slash at its end. */
async function webUrlOf({ process }: RunningService): Promise<string> {
  const port = await process.line((line) => {
    const { msg, port: listening } = JSON.parse(line) as { readonly msg: string; readonly port?: number };
    return msg === 'web listening' ? listening : undefined;
  });
  return `http://127.0.0.1:${port}/`;
}

async function linkOf(service: RunningService, id: number): Promise<string> {
  const { images } = await folder.images(service).links([id]);
  return images[id]?.[0] ?? never();
}

function pathOf(link: string | undefined): string {
  return new URL(link ?? never()).pathname;
}

/** Of each link at each service. */
async function statusesOf(
  services: readonly RunningService[],
  links: readonly string[],
): Promise<readonly number[]> {
  const requests = services.flatMap((service) =>
    links.map(async (link) => {
      const response = await fetch(new URL(pathOf(link), await webUrlOf(service)));
      await response.arrayBuffer();
      return response.status;
    }),
  );
  return await Promise.all(requests);
}

function never(): never {
  throw new Error('There is no such element');
}
