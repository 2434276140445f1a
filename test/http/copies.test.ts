import { expect } from 'chai';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { jpegOf, scene } from '../support/fixtures/scenes.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { nextOf } from '../support/http/next-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

interface CopyGroup {
  readonly images: readonly ImageRecord[];
}

const COPIES = '/api/images/copies';

const service = startFor('all', () => TestService.start({ trashDays: 30 }));

async function groupsOf(query = ''): Promise<readonly CopyGroup[]> {
  return (await service.get(`${COPIES}${query}`).expect(200)).body as CopyGroup[];
}

async function idsOf(query = ''): Promise<ReadonlyArray<readonly number[]>> {
  return (await groupsOf(query)).map(({ images }) => images.map(({ id }) => id));
}

describe('GET /api/images/copies', () => {
  let first: ImageRecord;
  let smaller: ImageRecord;
  let flat: readonly number[];
  let equal: readonly number[];

  before(async () => {
    const original = await jpegOf(await scene(1));
    first = await service.upload(original, 'first.jpg');
    const other = await jpegOf(await scene(2));
    equal = [(await service.upload(other, 'equal.jpg')).id];
    smaller = await service.upload(await sharp(original).resize(240).png().toBuffer(), 'smaller.png');
    await service.upload(await jpegOf(await scene(3)), 'alone.jpg');
    const grey = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#888' } })
      .png()
      .toBuffer();
    flat = [(await service.upload(grey)).id, (await service.upload(grey)).id];
    await service.upload(await sharp(grey).resize(20).png().toBuffer(), 'smaller-grey.png');
    equal = [...equal, (await service.upload(other, 'again.jpg')).id];
  });

  it('has records in groups, by equal bytes and by looks, newest group first, oldest image first', async () => {
    expect(await idsOf()).to.deep.equal([equal, flat, [first.id, smaller.id]]);
    const [, , { images } = { images: [] }] = await groupsOf();
    const records = await Promise.all(images.map(async ({ links }) => (await service.get(links.self)).body));
    expect(images).to.deep.equal(records);
  });

  it('goes on behind a page, to the last one', async () => {
    const pages: unknown[] = [];
    let path: string | undefined = `${COPIES}?limit=1`;
    while (path !== undefined) {
      const response = await service.get(path).expect(200);
      pages.push(...(response.body as readonly CopyGroup[]).map(({ images }) => images.map(({ id }) => id)));
      path = nextOf(response);
    }

    expect(pages).to.deep.equal(await idsOf());
  });

  it('has no images of the trash', async () => {
    await service.delete(`/api/image/${smaller.id}`).expect(204);

    expect(await idsOf()).to.deep.equal([equal, flat]);

    await service.anonymous('post', `/api/trash/${smaller.id}/restore`).set('Authorization', service.bearer);

    expect(await idsOf()).to.deep.equal([equal, flat, [first.id, smaller.id]]);
  });
});
