import { join } from 'node:path';
import { expect } from 'chai';
import { ImageCatalog } from '../../client/src/node.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type RunningService } from '../support/servers/service-process.ts';

type Storage = { readonly DATABASE_URL: string; readonly BLOB_STORE_URL: string };

const TRASH_DAYS = '30';

describe('the trash', () => {
  let folder: ServiceFolder;
  let here: Storage;
  let trashed: number;
  let bytes: Uint8Array;

  beforeEach(async () => {
    folder = await ServiceFolder.open();
    here = storageIn('here', `sqlite:${databaseFile(join(folder.path, 'here'))}`);
    bytes = new Uint8Array(tinyPng(2));
    await withService(here, async (catalog) => {
      await catalog.upload(new File([new Uint8Array(tinyPng(1))], 'kept.png'));
      ({ id: trashed } = await catalog.upload(new File([new Uint8Array(bytes)], 'deleted.png')));
      await catalog.delete(trashed);
    });
  });

  afterEach(() => folder.close());

  function storageIn(name: string, database: string): Storage {
    return { DATABASE_URL: database, BLOB_STORE_URL: `file:${blobFolder(join(folder.path, name))}` };
  }

  async function withService<T>(storage: Storage, work: (catalog: ImageCatalog) => Promise<T>): Promise<T> {
    const service: RunningService = await folder.start({ ...storage, TRASH_DAYS });
    const token = folder.tokenWith({});
    const result = await work(new ImageCatalog({ url: service.url, getToken: () => token, retries: 0 }));
    await service.process.stop();
    return result;
  }

  /** Restores the image, and reads it. */
  async function expectRestored(storage: Storage): Promise<void> {
    const file = await withService(storage, async (catalog) => {
      await catalog.restoreImage(trashed);
      return await (await catalog.file(trashed)).arrayBuffer();
    });
    expect(Buffer.from(file).equals(Buffer.from(bytes))).to.equal(true);
  }

  it('survives sweeps, also of a command that does not know TRASH_DAYS, and is verified', async () => {
    const sweep = await folder.run(['sweep'], { ...here, SWEEP_GRACE_SECONDS: '0' });
    const verify = await folder.run(['verify'], { ...here, SWEEP_GRACE_SECONDS: '0' });

    expect(sweep.code, sweep.stderr).to.equal(0);
    expect(sweep.stderr).to.include('TRASH_DAYS is not set: 1 image in the trash kept');
    expect(JSON.parse(sweep.stdout)).to.include({ blobs: 0, blobsWatched: 0, trashed: 0 });
    expect([verify.code, verify.stdout], verify.stderr).to.deep.equal([0, '']);
    await expectRestored(here);
  });

  it('is erased with its bytes by a sweep without a trash', async () => {
    const dryRun = await folder.run(['sweep', '--dry-run'], { ...here, TRASH_DAYS: '0' });
    const sweep = await folder.run(['sweep'], { ...here, TRASH_DAYS: '0', SWEEP_GRACE_SECONDS: '0' });

    expect(JSON.parse(dryRun.stdout)).to.include({ trashed: 1 });
    expect(JSON.parse(sweep.stdout)).to.include({ trashed: 1, blobs: 0 });
    const left = await withService(here, async (catalog) => await collectAll(catalog.listTrash()));
    expect(left).to.deep.equal([]);
    expect((await folder.run(['verify'], { ...here, SWEEP_GRACE_SECONDS: '0' })).code).to.equal(0);
  });
});
