import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { shardedPath } from '../../src/adapters/filesystem/walk-shards.ts';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { jpegPicture } from '../support/fixtures/pictures.ts';
import { uploadedId } from '../support/http/catalog-client.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type RunningService } from '../support/servers/service-process.ts';

describe('image-catalog reindex', () => {
  let folder: ServiceFolder;
  let service: RunningService;
  let ids: readonly number[];

  before(async () => {
    folder = await ServiceFolder.open();
    service = await folder.start();
    const exif = exifBlock({
      image: { 0x010f: 'NIKON', 0x8298: 'Ann' },
      photo: { 0x9003: '2020:02:29 10:00:00' },
    });
    const picture = new Uint8Array(withExif(await jpegPicture(64, 48), exif));
    const catalog = folder.client(service);
    ids = [
      uploadedId(await catalog.upload(picture, 'a.jpg')),
      uploadedId(await catalog.upload(picture, 'b.jpg')),
    ];
  });

  beforeEach(forgetFiles);

  after(() => folder?.close());

  /** As a catalog from before the service read camera data and hashes. */
  async function forgetFiles(): Promise<void> {
    const knex = openSqliteDatabase(databaseFile(folder.path));
    await knex('image_metadata').update({ capture: null, taken_at: null });
    await knex('image_appearances').delete();
    await knex.destroy();
  }

  async function read(path: string): Promise<unknown> {
    const response = await fetch(new URL(path, service.url), {
      headers: { Authorization: `Bearer ${folder.token}` },
    });
    expect(response.status).to.equal(200);
    return await response.json();
  }

  it('reads camera data and hashes again, while the service runs', async () => {
    expect(await read(`api/image/${ids[0]}/metadata`)).to.deep.include({ takenAt: null });

    const { code, stdout, stderr } = await folder.run(['reindex']);

    expect([code, stdout], stderr).to.deep.equal([0, '']);
    const metadata = (await read(`api/image/${ids[0]}/metadata`)) as { readonly capture: object };
    expect(metadata).to.include({ takenAt: '2020-02-29T10:00:00.000' });
    expect(metadata.capture).to.include({ make: 'NIKON', copyright: 'Ann' });
    const similar = (await read(`api/image/${ids[0]}/similar`)) as ReadonlyArray<{ image: { id: number } }>;
    expect(similar.map(({ image }) => image.id)).to.deep.equal([ids[1]]);
    expect(await read('api/images?q=nikon')).to.have.length(2);
  });

  it('names a file that cannot be read, and reads the others', async () => {
    const { filename } = (await read(`api/image/${ids[0]}`)) as { readonly filename: string };
    const blobKey = parseBlobKey(filename.slice(0, 36));
    await rm(shardedPath(blobFolder(folder.path), blobKey));

    const { code, stdout } = await folder.run(['reindex']);

    expect(code).to.equal(1);
    expect(JSON.parse(stdout)).to.include({ imageId: ids[0], blobKey });
    expect((await folder.run(['reindex', '--format', 'table'])).stdout).to.match(
      new RegExp(`^ +${ids[0]} ${blobKey} \\S`),
    );
    expect(await read(`api/image/${ids[1]}/metadata`)).to.include({ takenAt: '2020-02-29T10:00:00.000' });
  });
});
