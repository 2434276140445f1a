import { expect } from 'chai';
import type { Response } from 'supertest';
import { type ExifValues, exifBlock, withExif } from '../support/fixtures/exif.ts';
import { jpegPicture } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { TestService } from '../support/http/test-service.ts';

const MERGE_PATCH = 'application/merge-patch+json';
const [MAKE, MODEL, LENS, DATE] = [0x010f, 0x0110, 0xa434, 0x9003];

/** An image without EXIF is the third one. */
const FILES: ReadonlyArray<ExifValues | undefined> = [
  {
    image: { [MAKE]: 'NIKON CORPORATION', [MODEL]: 'NIKON D3500' },
    photo: { [LENS]: 'AF-S 50mm f/1.8G', [DATE]: '2024:05:01 10:00:00' },
  },
  {
    image: { [MAKE]: 'Canon', [MODEL]: 'EOS R5' },
    photo: { [LENS]: 'RF 50mm F1.2 L USM', [DATE]: '2023:05:01 10:00:00' },
  },
  undefined,
  { image: { [MAKE]: 'Nikon', [MODEL]: 'Z 6' }, photo: { [DATE]: '2022:05:01 10:00:00' } },
];

let service: TestService;
let ids: readonly number[];

function indexesOf({ body }: Response): readonly number[] {
  return (body as readonly ImageRecord[]).map(({ id }) => ids.indexOf(id));
}

function nextOf({ headers }: Response): string | undefined {
  return /^<([^>]+)>; rel="next"$/.exec(String(headers['link']))?.[1];
}

async function pages(query: string): Promise<readonly number[]> {
  const seen: number[] = [];
  let path: string | undefined = `/api/images?limit=1&${query}`;
  while (path !== undefined) {
    const response: Response = await service.get(path).expect(200);
    seen.push(...indexesOf(response));
    path = nextOf(response);
  }
  return seen;
}

async function patch(index: number, metadata: object): Promise<void> {
  const path = `/api/image/${ids[index]}/metadata`;
  await service.patchJson(path, JSON.stringify(metadata), MERGE_PATCH).expect(200);
}

describe('The filters camera, lens, tagged and dated', () => {
  before(async () => {
    service = await TestService.start();
    const made: number[] = [];
    for (const values of FILES) {
      const plain = await jpegPicture();
      const file = values === undefined ? plain : withExif(plain, exifBlock(values));
      made.push((await service.upload(file, 'picture.jpg')).id);
    }
    ids = made;
    await patch(0, { tags: ['Nikon fans'] });
  });

  after(async () => {
    await service.stop();
  });

  const CASES: ReadonlyArray<readonly [query: string, expected: readonly number[]]> = [
    ['camera=NIK&q=fans', [0]],
    ['camera=canon&lens=rf-50', [1]],
    ['q=50mm', []],
    ['camera=nikon&tagged=false', [3]],
    ['tagged=false&dated=false', [2]],
  ];
  for (const [query, expected] of CASES) {
    it(`leave ${JSON.stringify(expected)} for ${query}, at once, in pages of one, and counted`, async () => {
      const all = await service.get(`/api/images?count=true&${query}`).expect(200);
      expect([indexesOf(all), all.headers['x-total-count']]).to.deep.equal([expected, `${expected.length}`]);
      expect(await pages(`sort=taken&${query}`)).to.deep.equal(expected);
    });
  }

  it('filter the timeline, whose cursors begin such listings', async () => {
    const query = 'camera=nikon&lens=50mm';
    const { body } = await service.get(`/api/images/timeline?by=year&${query}`).expect(200);
    const [period] = body as ReadonlyArray<{ period: string; count: number; after: string }>;
    expect(body).to.have.length(1);
    expect(period).to.include({ period: '2024', count: 1 });
    const path = `/api/images?sort=taken&order=desc&after=${period?.after}`;
    expect(indexesOf(await service.get(`${path}&${query}`).expect(200))).to.deep.equal([0]);
    await service.get(path).expect(400);
    const undated = await service.get('/api/images/timeline?by=year&dated=false').expect(200);
    expect(undated.body).to.have.length(1);
  });

  it('follow edits', async () => {
    await patch(2, { tags: ['new'], takenAt: '2020-01-01T00:00:00Z' });
    const edited = [await pages('tagged=false'), await pages('dated=false')];
    await patch(2, { tags: null, takenAt: null });

    expect(edited).to.deep.equal([[1, 3], []]);
    expect([await pages('tagged=false'), await pages('dated=false')]).to.deep.equal([[1, 2, 3], [2]]);
  });
});
