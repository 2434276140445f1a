import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DEMO_CLIENT } from '../../demo/demo-client.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import {
  CatalogClient,
  type ImageRecord,
  requestToken,
  sha256Of,
  uploadedId,
} from '../support/http/catalog-client.ts';
import {
  PROJECT_FOLDER,
  type RunningIdentityProvider,
  type RunningService,
  spawnService,
  stagingFolder,
  startIdentityProviderProcess,
  startService,
} from '../support/servers/service-process.ts';

const PICTURE = join(PROJECT_FOLDER, 'demo/cat-chelsea.png');

describe('the built service, with the demo identity provider', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let identityProvider: RunningIdentityProvider;
  let service: RunningService;
  let picture: Uint8Array<ArrayBuffer>;
  let sha256: string;

  before(async () => {
    folder = await temporaryFolder();
    identityProvider = await startIdentityProviderProcess(folder.path);
    service = await start();
    picture = new Uint8Array(await readFile(PICTURE));
    sha256 = createHash('sha256').update(picture).digest('hex');
  });

  async function start(): Promise<RunningService> {
    const { issuer } = identityProvider;
    const env = { IDP_DOMAIN: issuer, IDP_AUDIENCE: DEMO_CLIENT.audience, DECODERS: '2' };
    return await startService({ folder: folder.path, env });
  }

  after(async () => {
    await service?.process.stop('SIGKILL');
    await identityProvider?.process.stop();
    await folder.remove();
  });

  it('greets without a token', async () => {
    const response = await fetch(service.url);

    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
  });

  it('returns no listing without a token', async () => {
    const response = await fetch(new URL('api/images', service.url));

    expect(response.status).to.equal(401);
    expect(await response.json()).to.deep.equal({
      code: 'credentials_required',
      message: 'No authorization token was found',
    });
  });

  it('uploads, lists, shows, downloads and deletes a picture, and has it after a restart', async () => {
    const token = await requestToken(identityProvider.issuer, DEMO_CLIENT);
    let catalog = new CatalogClient(service.url, token);

    const uploaded = await catalog.upload(picture, 'cat-chelsea.png');
    expect(uploaded.status).to.equal(201);
    const record = (await uploaded.json()) as ImageRecord;
    expect(record.id).to.equal(uploadedId(uploaded));
    expectChelsea(record, { size: picture.length, sha256 });

    expect(await catalog.list()).to.deep.equal([record]);
    const fetched = await catalog.get(record.id);
    expect(fetched.status).to.equal(200);
    expect(await fetched.json()).to.deep.equal(record);

    const view = await catalog.file(record.id, '?width=320&format=webp');
    expect(view.status).to.equal(200);
    expect(view.headers.get('content-type')).to.equal('image/webp');

    expect(await service.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });
    service = await start();
    catalog = new CatalogClient(service.url, token);

    const file = await catalog.file(record.id);
    expect(file.status).to.equal(200);
    expect(file.headers.get('content-type')).to.equal('image/png');
    expect(await sha256Of(file)).to.equal(sha256);

    expect((await catalog.delete(record.id)).status).to.equal(204);
    const gone = await catalog.get(record.id);
    expect(gone.status).to.equal(404);
    expect(await gone.json()).to.include({ code: 'image_not_found' });
    expect((await catalog.delete(record.id)).status).to.equal(404);
    expect(await catalog.list()).to.deep.equal([]);
  });

  it('ends with exit code 0 on SIGTERM and leaves no staged files', async () => {
    expect(await service.process.stop('SIGTERM')).to.deep.equal({ code: 0, signal: null });

    expect(service.process.stderr).to.equal('');
    expect(await readdir(stagingFolder(folder.path))).to.deep.equal([]);
  });
});

function expectChelsea(record: ImageRecord, { size, sha256 }: Pick<ImageRecord, 'size' | 'sha256'>): void {
  expect(record).to.include({
    originalName: 'cat-chelsea.png',
    mediaType: 'image/png',
    size,
    width: 451,
    height: 300,
    sha256,
  });
  expect(record.filename).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-cat-chelsea\.png$/);
  expect(record.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(Buffer.from(record.thumbhash, 'base64').length).to.be.within(5, 40);
}

describe('the built service, without configuration', () => {
  it('names every missing variable and exits with 78', async () => {
    const folder = await temporaryFolder();
    try {
      const service = spawnService({ folder: folder.path, env: {} });

      expect(await service.exited).to.deep.equal({ code: 78, signal: null });
      expect(service.output).to.include('IDP_DOMAIN').and.to.include('IDP_AUDIENCE');
    } finally {
      await folder.remove();
    }
  });
});
