import { expect } from 'chai';
import type { Test } from 'supertest';
import { sharp } from '../../src/decoder/decoder-options.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { jpegOf, scene } from '../support/fixtures/scenes.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { nextOf } from '../support/http/next-of.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { TestService } from '../support/http/test-service.ts';

interface CopyGroup {
  readonly images: readonly ImageRecord[];
}

const COPIES = '/api/images/copies';

let service: TestService;

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
    service = await TestService.start({ trashDays: 30 });
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

  after(() => service.stop());

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

  for (const [what, query] of [
    ['a limit of 0', '?limit=0'],
    ['a limit above 100', '?limit=101'],
    ['a cursor of no listing', '?after=abc'],
    ['an unknown parameter', '?q=cat'],
    ['a repeated one', '?limit=1&limit=1'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect(refusalOf(await service.get(`${COPIES}${query}`))).to.deep.equal([400, 'invalid_request']);
    });
  }

  it('refuses the cursor of another listing', async () => {
    const next = nextOf(await service.get('/api/images?limit=1&order=desc'));
    const cursor = new URLSearchParams(next?.split('?')[1]).get('after') ?? '';

    expect(refusalOf(await service.get(`${COPIES}?after=${cursor}`))).to.deep.equal([400, 'invalid_request']);
  });

  it('answers HEAD with the headers of GET', async () => {
    const { headers, text } = await service.head(`${COPIES}?limit=1`).expect(200);

    expect(headers).to.deep.include({ 'cache-control': 'no-store' });
    expect(headers['link']).to.include(`${COPIES}?limit=1&after=`);
    expect(text ?? '').to.equal('');
  });

  it('has no images of the trash', async () => {
    await service.delete(`/api/image/${smaller.id}`).expect(204);

    expect(await idsOf()).to.deep.equal([equal, flat]);

    await service.anonymous('post', `/api/trash/${smaller.id}/restore`).set('Authorization', service.bearer);

    expect(await idsOf()).to.deep.equal([equal, flat, [first.id, smaller.id]]);
  });
});

describe('GET /api/images/copies of a space', () => {
  before(async () => {
    service = await TestService.start({ spaceClaim: 'org' });
  });

  after(() => service.stop());

  const bearerOf = (org: string): string => service.bearerWith({ sub: org, org });

  it('has nothing of another space, and takes no cursor of it', async () => {
    const [picture, other] = [await jpegOf(await scene(4)), await jpegOf(await scene(5))];
    for (const org of ['one', 'one']) {
      await service
        .post([filePart(other, 'other.jpg')])
        .set('Authorization', bearerOf(org))
        .expect(201);
    }
    for (const org of ['one', 'two', 'one', 'two', 'one']) {
      await service
        .post([filePart(picture, 'same.jpg')])
        .set('Authorization', bearerOf(org))
        .expect(201);
    }
    const read = (org: string, query = ''): Test =>
      service.anonymous('get', `${COPIES}${query}`).set('Authorization', bearerOf(org));

    const counts = await Promise.all(
      ['one', 'two', 'three'].map(async (org) =>
        ((await read(org)).body as CopyGroup[]).map(({ images }) => images.length),
      ),
    );

    expect(counts).to.deep.equal([[3, 2], [2], []]);
    const next = nextOf(await read('one', '?limit=1')) ?? '';
    const query = next.slice(next.indexOf('?'));
    await read('one', query).expect(200);
    expect(refusalOf(await read('two', query))).to.deep.equal([400, 'invalid_request']);
  });
});
