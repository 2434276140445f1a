import { join } from 'node:path';
import { expect } from 'chai';
import { ImageCatalog } from '../../client/src/node.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type RunningService } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const SPACES = ['alice', 'bob'];

type Storage = { readonly DATABASE_URL: string; readonly BLOB_STORE_URL: string };

describe('the transfer of a catalog with spaces', function () {
  let server: PostgresServer;
  let folder: ServiceFolder;
  let sqlite: Storage;
  let postgres: Storage;

  before(async function () {
    server =
      (await PostgresServer.startOwn()) ?? skipAloud(this, 'there is no Postgres server for this machine');
    folder = await ServiceFolder.open();
    sqlite = storageIn('here', `sqlite:${databaseFile(join(folder.path, 'here'))}`);
    postgres = storageIn('there', (await server.newDatabase()).url);
  });

  after(async () => {
    await folder?.close();
    server?.remove();
  });

  function storageIn(name: string, database: string): Storage {
    return { DATABASE_URL: database, BLOB_STORE_URL: `file:${blobFolder(join(folder.path, name))}` };
  }

  function imagesOf(service: RunningService, space: string): ImageCatalog {
    const token = folder.tokenWith({ org_id: space });
    return new ImageCatalog({ url: service.url, getToken: () => token, retries: 0 });
  }

  async function uploadUnderKey(service: RunningService, space: string): Promise<number> {
    const file = new File([new Uint8Array(tinyPng(1))], 'cat.png');
    return (await imagesOf(service, space).upload(file, { idempotencyKey: 'one-key' })).id;
  }

  async function copy(from: Storage, to: Storage): Promise<void> {
    const target = ['--to-database', to.DATABASE_URL, '--to-blobs', to.BLOB_STORE_URL];
    const { code, stderr, stdout } = await folder.run(['transfer', ...target, '--verify', '--resume'], from);
    expect(code, `${stderr}${stdout}`).to.equal(0);
  }

  /** What clients see of each space, and operators of all. */
  async function contentOf(storage: Storage): Promise<object> {
    const service = await folder.start({ ...storage, SPACE_CLAIM: 'org_id' });
    const records = await Promise.all(
      SPACES.map(async (space) => await collectAll(imagesOf(service, space).list())),
    );
    const replays = await Promise.all(SPACES.map((space) => uploadUnderKey(service, space)));
    await service.process.stop();
    const { stdout } = await folder.run(['spaces'], storage);
    return { records, replays, spaces: stdout, feed: (await folder.run(['changes'], storage)).stdout };
  }

  it('carries spaces, limits, keys and who has uploaded, to Postgres and back', async () => {
    const service = await folder.start({ ...sqlite, SPACE_CLAIM: 'org_id' });
    for (const space of SPACES) await uploadUnderKey(service, space);
    await service.process.stop();
    await folder.run(['spaces', 'set', 'bob', '--max-images', '1', '--max-bytes', '5000'], sqlite);
    await folder.run(['spaces', 'set', 'carol', '--max-images', '0'], sqlite);
    const before = await contentOf(sqlite);

    await copy(sqlite, postgres);
    const there = await contentOf(postgres);
    const again = storageIn('again', `sqlite:${databaseFile(join(folder.path, 'again'))}`);
    await copy(postgres, again);

    expect(before).to.have.nested.property('records[1][0].createdBy', 'alice');
    expect(there).to.deep.equal(before);
    expect(await contentOf(again)).to.deep.equal(before);
  });
});
