import { join } from 'node:path';
import { expect } from 'chai';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { uploadSeveral } from '../support/servers/prepared-catalogs.ts';
import { type S3Server, type S3TestBucket, s3ServerFor } from '../support/servers/s3-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type Environment } from '../support/servers/service-process.ts';

describe('The service with its bytes on S3', () => {
  let server: S3Server;
  let bucket: S3TestBucket;
  let folder: ServiceFolder;
  let env: Environment;

  before(async function () {
    server = await s3ServerFor(this);
  });

  beforeEach(async () => {
    bucket = await server.makeBucket();
    folder = await ServiceFolder.open();
    env = {
      ...server.environment,
      BLOB_STORE_URL: bucket.url,
      RENDITION_CACHE_URL: bucket.url,
      STAGING_URL: `file:${folder.path}/staging`,
    };
  });

  afterEach(async () => {
    await folder.close();
    await bucket.remove();
  });

  it('keeps a catalog across restarts without findings for verify and without removals by sweep', async () => {
    const png = await pngPicture();
    const first = await folder.start(env);
    const { id } = await folder.images(first).upload(new File([new Uint8Array(png)], 'cat.png'));
    const stopped = await first.process.stop();
    const second = await folder.start(env);

    const file = await folder.images(second).file(id);
    const bytes = Buffer.from(await file.arrayBuffer());
    const verified = await folder.run(['verify'], env);
    const swept = await folder.run(['sweep'], env);

    expect(stopped.code).to.equal(0);
    expect(Buffer.compare(bytes, png)).to.equal(0);
    expect([verified.code, verified.stdout]).to.deep.equal([0, '']);
    expect(JSON.parse(swept.stdout)).to.include({ blobs: 0, blobsWatched: 0, stagedFiles: 0 });
  });

  it('does not start with a new database and the bucket of a catalog, and removes nothing', async () => {
    const service = await folder.start(env);
    await folder.images(service).upload(new File([new Uint8Array(await pngPicture())], 'cat.png'));
    await service.process.stop();
    const other = { ...folder.env, ...env, DATABASE_URL: `sqlite:${folder.path}/other.sqlite` };

    const refused = await folder.run([], { ...other, SWEEP_GRACE_SECONDS: '0' });

    expect([refused.code, refused.stdout]).to.deep.equal([78, '']);
    expect(refused.stderr).to.match(/^BLOB_STORE_URL together with DATABASE_URL cannot be used: /m);
    expect(await folder.run(['verify'], env)).to.include({ code: 0, stdout: '' });
  });

  it('does not start without its bucket and names the variable', async () => {
    const BLOB_STORE_URL = server.urlOf('no-such-bucket');
    const { code, stdout, stderr } = await folder.run([], { ...folder.env, ...env, BLOB_STORE_URL });

    expect(code).to.equal(78);
    expect(stderr).to.match(/^BLOB_STORE_URL cannot be used: .*s3:\/\/no-such-bucket\/.*NoSuchBucket/m);
    expect(stdout).to.equal('');
  });

  it('does not start without valid credentials and does not print them', async () => {
    const wrong = { AWS_ACCESS_KEY_ID: 'unknown', AWS_SECRET_ACCESS_KEY: 'hunter2' };
    const { code, stderr } = await folder.run([], { ...folder.env, ...env, ...wrong });

    expect(code).to.equal(78);
    expect(stderr)
      .to.match(/^BLOB_STORE_URL cannot be used: .*403/m)
      .and.not.to.include('hunter2');
  });

  it('takes over a catalog of files, and gives it back', async () => {
    const service = await folder.start();
    const images = await uploadSeveral(folder, service, 3);
    await service.process.stop();
    const back = join(folder.path, 'back');
    const places = [
      ['--to-blobs', bucket.url],
      ['--to-database', `sqlite:${databaseFile(back)}`, '--to-blobs', `file:${blobFolder(back)}`],
    ];
    for (const [way, place] of places.entries()) {
      const here = way === 0 ? { ...server.environment, STAGING_URL: `file:${folder.path}/staging` } : env;
      const { code, stdout } = await folder.run(['transfer', ...place, '--verify'], here);
      expect(code, stdout).to.equal(0);
      expect(JSON.parse(stdout)).to.include({ outcome: 'complete', images: 3, verifyFindings: 0 });
    }

    expect(await folder.records(await folder.start({}, { folder: back }))).to.deep.equal(images);
  });

  it('does not back up a bucket', async () => {
    const service = await folder.start(env);
    await service.process.stop();

    const { code, stderr } = await folder.run(['backup', `${folder.path}/backup`], env);

    expect(code).to.equal(78);
    expect(stderr).to.match(/^backup copies files, [^]*\n {2}aws s3 sync /);
  });
});
