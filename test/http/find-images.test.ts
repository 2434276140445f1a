import { expect } from 'chai';
import type { Response } from 'supertest';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { fieldPart, filePart } from '../support/fixtures/multipart.ts';
import { jpegPicture } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { nextOf } from '../support/http/next-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

interface Described {
  readonly name: string;
  readonly model?: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly takenAt?: string;
}

interface Count {
  readonly period: string;
  readonly count: number;
  readonly after: string;
}

const [MODEL, LENS] = [0x0110, 0xa434];

const CATS: readonly Described[] = [
  {
    name: 'IMG_2041.jpg',
    model: 'NIKON D3500',
    title: 'Black cat on the sofa',
    tags: ['Sofa', 'indoor'],
    takenAt: '2024-02-29T23:30:00Z',
  },
  { name: 'Łódź.jpg', title: 'Café cat', tags: ['indoor'], takenAt: '2023-12-31T23:59:59Z' },
  { name: 'blackbird.jpg', tags: ['outdoor'], takenAt: '2024-03-01T00:00:00Z' },
  { name: '猫の写真.jpg', model: 'Nikon Z 6', title: 'without a time' },
];

const service = startFor('all', () => TestService.start());
let ids: readonly number[];

async function found(query: string): Promise<readonly number[]> {
  const { body, headers } = await service.get(`/api/images?${query}&count=true`).expect(200);
  const images = body as ImageRecord[];
  expect(headers['x-total-count']).to.equal(String(images.length));
  return images.map(({ id }) => ids.indexOf(id));
}

async function refusal(path: string): Promise<string> {
  const { body } = await service.get(path).expect(400);
  expect((body as { code: string }).code).to.equal('invalid_request');
  return (body as { message: string }).message;
}

async function pages(query: string): Promise<readonly number[]> {
  const seen: number[] = [];
  let path: string | undefined = `/api/images?${query}`;
  while (path !== undefined) {
    const response: Response = await service.get(path).expect(200);
    seen.push(...(response.body as ImageRecord[]).map(({ id }) => ids.indexOf(id)));
    path = nextOf(response);
  }
  return seen;
}

async function upload(index: number, { name, model, ...metadata }: Described): Promise<number> {
  const picture = await jpegPicture(10 + index, 10);
  const exif = model && exifBlock({ image: { [MODEL]: model }, photo: { [LENS]: 'AF-S 50mm' } });
  const parts = [
    filePart(exif ? withExif(picture, exif) : picture, name),
    fieldPart('metadata', JSON.stringify(metadata)),
  ];
  return ((await service.post(parts).expect(201)).body as ImageRecord).id;
}

before(async () => {
  const uploaded: number[] = [];
  for (const [index, cat] of CATS.entries()) uploaded.push(await upload(index, cat));
  ids = uploaded;
});

describe('finding images', () => {
  for (const [query, expected] of [
    ['q=caf%C3%89%20LODZ', [1]],
    ['q=black&tags=INDOOR,%20sofa&takenAfter=2023-12-31T23:59:59Z', [0]],
    ['sort=taken', [1, 0, 2, 3]],
    ['sort=taken&order=desc&takenBefore=2024-03-01T00:00:00%2B00:00', [0, 1]],
    ['sort=created&order=desc', [3, 2, 1, 0]],
    ['tags=indoor&q=cat&sort=taken', [1, 0]],
    ['camera=nik&lens=50mm&dated=false', [3]],
    ['tagged=false', [3]],
  ] as const) {
    it(`finds and counts ${JSON.stringify(expected)} for ${query}, at once and in pages of one`, async () => {
      expect(await found(query)).to.deep.equal(expected);
      expect(await pages(`${query}&limit=1`)).to.deep.equal(expected);
    });
  }

  it('shuffles by the seed: every image once, the same order again, at once and in pages', async () => {
    const order = await found('sort=random&seed=a');

    expect(order).to.have.members([0, 1, 2, 3]);
    expect(await pages('sort=random&seed=a&limit=1')).to.deep.equal(order);
  });

  it('refuses a forged cursor of a larger catalog', async () => {
    const next = nextOf(await service.get('/api/images?sort=random&seed=a&limit=1')) ?? '';
    const after = new URLSearchParams(next.split('?')[1]).get('after') ?? '';
    const [, , digest] = Buffer.from(after, 'base64url').toString().split('.');
    const forged = Buffer.from(`r52.0.${digest}`).toString('base64url');

    expect(await refusal(`/api/images?sort=random&seed=a&limit=1&after=${forged}`)).to.include('"after"');
    expect(await refusal(`/api/images?sort=random&seed=a&after=${forged}`)).to.include('"after"');
  });
});

describe('GET /api/images/timeline', () => {
  async function timeline(query: string): Promise<readonly Count[]> {
    const response = await service.get(`/api/images/timeline?${query}`).expect(200);
    return response.body as Count[];
  }

  async function counts(query: string): Promise<string> {
    return (await timeline(query)).map(({ period, count }) => `${period} ${count}`).join(', ');
  }

  for (const [query, expected] of [
    ['by=day&q=black', '2024-03-01 1, 2024-02-29 1'],
    ['by=month&takenAfter=2000-01-01T00:00:00Z', '2024-03 1, 2024-02 1, 2023-12 1'],
    ['by=year&tags=indoor&camera=nikon', '2024 1'],
    ['by=month&q=bird', ''],
  ] as const) {
    it(`counts ${query}, newest first`, async () => {
      expect(await counts(query)).to.equal(expected);
    });
  }

  for (const filters of ['&takenAfter=2000-01-01T00:00:00Z', '&tags=indoor']) {
    it(`has cursors with which a listing${filters} begins at each period`, async () => {
      for (const { after, period } of await timeline(`by=month${filters}`)) {
        const path = `/api/images?sort=taken&order=desc&limit=1&after=${after}${filters}`;
        const [first] = (await service.get(path).expect(200)).body as ImageRecord[];
        expect(first?.takenAt?.slice(0, 7)).to.equal(period);
      }
    });
  }
});
