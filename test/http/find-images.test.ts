import { expect } from 'chai';
import type { Response } from 'supertest';
import { fieldPart, filePart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { TestService } from '../support/http/test-service.ts';

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly takenAt?: string;
}

interface Count {
  readonly period: string;
  readonly count: number;
  readonly after: string;
}

const CATS: readonly Described[] = [
  {
    name: 'IMG_2041.png',
    title: 'Black cat on the sofa',
    tags: ['Sofa', 'indoor'],
    takenAt: '2024-02-29T23:30:00Z',
  },
  { name: 'Łódź.png', title: 'Café cat', tags: ['indoor'], takenAt: '2023-12-31T23:59:59Z' },
  { name: 'blackbird.png', tags: ['outdoor'], takenAt: '2024-03-01T00:00:00Z' },
  { name: '猫の写真.png', title: 'without a time' },
];

let service: TestService;
let ids: readonly number[];

async function found(query: string): Promise<readonly number[]> {
  const response = await service.get(`/api/images?${query}`).expect(200);
  return (response.body as ImageRecord[]).map(({ id }) => ids.indexOf(id));
}

async function refusal(path: string): Promise<string> {
  const { body } = await service.get(path).expect(400);
  expect((body as { code: string }).code).to.equal('invalid_request');
  return (body as { message: string }).message;
}

function nextOf({ headers }: Response): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
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

describe('finding images', () => {
  before(async () => {
    service = await TestService.start();
    const uploaded: number[] = [];
    for (const [index, { name, ...metadata }] of CATS.entries()) {
      const file = filePart(await noisyPng(10 + index, 10), name);
      const { body } = await service
        .post([file, fieldPart('metadata', JSON.stringify(metadata))])
        .expect(201);
      uploaded.push((body as ImageRecord).id);
    }
    ids = uploaded;
  });

  after(() => service.stop());

  for (const [query, expected] of [
    ['q=caf%C3%89%20LODZ', [1]],
    ['q=black&tags=INDOOR,%20sofa&takenAfter=2023-12-31T23:59:59Z', [0]],
    ['sort=taken', [1, 0, 2, 3]],
    ['sort=taken&order=desc&takenBefore=2024-03-01T00:00:00%2B00:00', [0, 1]],
    ['sort=created&order=desc', [3, 2, 1, 0]],
    ['tags=indoor&q=cat&sort=taken', [1, 0]],
  ] as const) {
    it(`finds ${JSON.stringify(expected)} for ${query}, at once and in pages of one`, async () => {
      expect(await found(query)).to.deep.equal(expected);
      expect(await pages(`${query}&limit=1`)).to.deep.equal(expected);
    });
  }

  it('shuffles by the seed: every image once, the same order again, at once and in pages', async () => {
    const order = await found('sort=random&seed=a');

    expect(order).to.have.members([0, 1, 2, 3]);
    expect(await pages('sort=random&seed=a&limit=1')).to.deep.equal(order);
  });

  it('has another order for some other seed', async () => {
    const orders = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((seed) => found(`sort=random&seed=${seed}`)),
    );

    expect(new Set(orders.map((order) => order.join())).size).to.be.above(1);
  });

  it('counts what the filters leave', async () => {
    const response = await service.get('/api/images?q=cat&tags=indoor&limit=1&count=true').expect(200);

    expect(response.headers['x-total-count']).to.equal('2');
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
  before(async () => {
    service = await TestService.start();
    const uploaded: number[] = [];
    for (const [index, { name, ...metadata }] of CATS.slice(0, 3).entries()) {
      const file = filePart(await noisyPng(10 + index, 10), name);
      const { body } = await service
        .post([file, fieldPart('metadata', JSON.stringify(metadata))])
        .expect(201);
      uploaded.push((body as ImageRecord).id);
    }
    ids = uploaded;
  });

  after(() => service.stop());

  async function timeline(query: string): Promise<readonly Count[]> {
    const response = await service.get(`/api/images/timeline?${query}`).expect(200);
    return response.body as Count[];
  }

  const counts = (periods: readonly Count[]) => periods.map(({ period, count }) => [period, count]);

  for (const [query, expected] of [
    [
      'by=day',
      [
        ['2024-03-01', 1],
        ['2024-02-29', 1],
        ['2023-12-31', 1],
      ],
    ],
    [
      'by=month',
      [
        ['2024-03', 1],
        ['2024-02', 1],
        ['2023-12', 1],
      ],
    ],
    [
      'by=year',
      [
        ['2024', 2],
        ['2023', 1],
      ],
    ],
    [
      'by=year&tags=indoor',
      [
        ['2024', 1],
        ['2023', 1],
      ],
    ],
    ['by=month&q=bird', []],
  ] as const) {
    it(`counts ${query}, newest first`, async () => {
      expect(counts(await timeline(query))).to.deep.equal(expected);
    });
  }

  for (const filters of ['', '&tags=indoor']) {
    it(`has cursors with which a listing${filters} begins at each period`, async () => {
      for (const { after, period } of await timeline(`by=month${filters}`)) {
        const path = `/api/images?sort=taken&order=desc&limit=1&after=${after}${filters}`;
        const [first] = (await service.get(path).expect(200)).body as ImageRecord[];
        expect(first?.takenAt?.slice(0, 7)).to.equal(period);
      }
    });
  }

  it('follows edits and deletes', async () => {
    const path = `/api/image/${ids[0]}/metadata`;
    await service
      .patchJson(path, '{"takenAt":"2020-05-05T00:00:00Z"}', 'application/merge-patch+json')
      .expect(200);
    await service.delete(`/api/image/${ids[2]}`).expect(204);

    expect(counts(await timeline('by=year'))).to.deep.equal([
      ['2023', 1],
      ['2020', 1],
    ]);
  });

  it('refuses a request without a period', async () => {
    expect(await refusal('/api/images/timeline')).to.include('"by"');
  });

  it('responds to HEAD', async () => {
    await service.head('/api/images/timeline?by=day').expect(200);
  });
});
