import { expect } from 'chai';
import { CatalogClient } from '../../client/src/catalog-client.ts';
import { ImageCatalog } from '../../client/src/node.ts';
import { nodePlatform } from '../../client/src/platform/node-platform.ts';
import type { UploadSource } from '../../client/src/platform/platform.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { hangUp, json, refusal, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';

const RECORD = { id: 7 };

const isUnknown = refusal(404, 'image_not_found');

let server: ScriptedServer;

async function clientOf(...steps: readonly Step[]): Promise<CatalogClient<UploadSource>> {
  server = await ScriptedServer.start(...steps);
  const wait = async (): Promise<void> => undefined;
  return new CatalogClient({ url: server.url, getToken: () => 'token' }, { ...nodePlatform, wait });
}

function requests(): readonly string[] {
  return server.seen.map(({ method, url }) => `${method} ${url}`);
}

describe('the trash of the client', () => {
  afterEach(() => server.stop());

  it('rejects with image_not_found for an image that is not there', async () => {
    const client = await clientOf(isUnknown);

    expect(await rejection(client.restoreImage(7))).to.include({ code: 'image_not_found', kind: 'refused' });
    expect(await rejection(client.eraseImage(7))).to.include({ code: 'image_not_found', kind: 'refused' });
    expect(requests()).to.have.lengthOf(2);
  });

  it('gives back an image whose first response was lost', async () => {
    const client = await clientOf(hangUp, isUnknown, json(200, RECORD));

    expect(await client.restoreImage(7)).to.deep.equal(RECORD);
    expect(requests().at(-1)).to.equal('GET /api/image/7');
  });

  it('rejects if the image is nowhere after a response was lost', async () => {
    const client = await clientOf(hangUp, isUnknown);

    expect(await rejection(client.restoreImage(7))).to.include({ code: 'image_not_found' });
  });

  it('erases by a request whose response was lost', async () => {
    const client = await clientOf(hangUp, isUnknown);

    await client.eraseImage(7);

    expect(requests()).to.have.lengthOf(2);
  });
});

describe('the trash of the client, at the service,', () => {
  const service = startFor('each', () => TestService.start({ trashDays: 30 }));
  let images: ImageCatalog;

  beforeEach(async () => {
    images = new ImageCatalog({ url: service.url, getToken: () => service.token() });
  });

  it('has what was deleted, newest first, until it is restored or erased', async () => {
    const uploaded = [];
    for (const width of [1, 2]) {
      const bytes = new Uint8Array(await pngPicture(width, 8));
      uploaded.push(await images.upload(new File([bytes], `${width}.png`)));
    }
    for (const { id } of uploaded) await images.delete(id);
    const listed = await collectAll(images.listTrash({ limit: 1 }));
    expect(listed.map(({ image }) => image)).to.deep.equal(uploaded.toReversed());
    const [newest] = listed;
    expect(Date.parse(newest?.erasedAt ?? '') - Date.parse(newest?.trashedAt ?? '')).to.equal(
      30 * 86_400_000,
    );

    expect(await images.restoreImage(1)).to.deep.equal(uploaded[0]);
    await images.eraseImage(2);
    expect(await collectAll(images.listTrash())).to.deep.equal([]);
    expect(await rejection(images.eraseImage(2))).to.include({ code: 'image_not_found', status: 404 });
    const changes: string[] = [];
    for await (const { type } of images.changes()) if (changes.push(type) === 6) break;
    expect(changes.slice(2)).to.deep.equal([
      'image.trashed',
      'image.trashed',
      'image.restored',
      'image.deleted',
    ]);
  });
});
