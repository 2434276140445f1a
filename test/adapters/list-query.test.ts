import { expect } from 'chai';
import type * as z from 'zod';
import { RequestError } from '../../src/adapters/http/errors/request-error.ts';
import { numberCondition } from '../../src/adapters/http/listing/filters.ts';
import { cursorsOf, listingOf, listQuery } from '../../src/adapters/http/listing/list-query.ts';
import { timeline } from '../../src/adapters/http/listing/timeline.ts';
import { readQuery } from '../../src/adapters/http/request/read-query.ts';
import type { OperationSettings } from '../../src/adapters/http/route/operation.ts';
import type { SearchPlace } from '../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';

/** Its operation depends on no setting. */
const { query: timelineQuery } = timeline.operation({} as OperationSettings);

const DIGEST = 'b2'.repeat(32);

function listing(query: string): ReturnType<typeof listingOf> {
  return listingOf(COMMON_SPACE, readQuery(query, listQuery));
}

/** The conditions that are set. */
function filterOf(query: string): object {
  return Object.fromEntries(Object.entries(listing(query).filter).filter(([, value]) => value !== undefined));
}

function refusalOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof RequestError) return error.message;
    throw error;
  }
  return 'none';
}

describe('A listing', () => {
  const noon = { createdAfter: new Date('2026-01-31T12:00:03.000Z') };
  const FILTERS: ReadonlyArray<readonly [query: string, filter: object]> = [
    ['', {}],
    ['mediaType=image/png', { mediaType: 'image/png' }],
    ['mediaType=image%2Fjpeg', { mediaType: 'image/jpeg' }],
    [`sha256=${DIGEST.toUpperCase()}`, { sha256: DIGEST }],
    ['createdAfter=2026-01-31T12:00:03.000Z', noon],
    ['createdAfter=2026-01-31T13:00:03%2B01:00', noon],
    ['createdAfter=2026-01-31T13:00:03+01:00', noon],
    ['createdAfter=2026-01-31T06:30:03-05:30', noon],
    ['createdAfter=2026-01-31T12:00:03-00:00', noon],
    ['createdAfter=2026-01-31t12:00:03z', noon],
    ['createdAfter=2026-01-31T12:00:03.0000001Z', noon],
    ['createdBefore=2026-01-31T12:00:02.9999999Z', { createdBefore: new Date('2026-01-31T12:00:02.999Z') }],
    ['createdAfter=0000-01-01T00:00:00Z', { createdAfter: new Date('0000-01-01T00:00:00Z') }],
    ['takenBefore=9999-12-31T23:59:59Z', { takenBefore: new Date('9999-12-31T23:59:59Z') }],
    ['takenAfter=2024-02-29T00:00:00Z', { takenAfter: new Date('2024-02-29T00:00:00Z') }],
    ['q=BLACK%20%22cat%22*', { words: ['black', 'cat'] }],
    ['tags=INDOOR,%20sofa,indoor', { tags: ['indoor', 'sofa'] }],
    ['tags=%C2%85indoor%E3%80%80', { tags: ['indoor'] }],
    // No white space, so a part of the tag.
    ['tags=%EF%BB%BFindoor', { tags: ['\uFEFFindoor'] }],
    ['camera=nikon+d3500&lens=rf-50', { camera: ['nikon', 'd3500'], lens: ['rf', '50'] }],
    ['tagged=false&dated=false&alt=false', { tagged: false, dated: false, alt: false }],
    ['createdBy=+auth0%7Cann+', { createdBy: ' auth0|ann ' }],
  ];
  for (const [query, filter] of FILTERS) {
    it(`"${query.slice(0, 60)}" filters by ${Object.keys(filter).join(' and ') || 'nothing'}`, () => {
      expect(filterOf(query)).to.deep.equal(filter);
    });
  }

  it('takes words of as many characters as are allowed, whatever their bytes', () => {
    const cats = '\u{1f408}'.repeat(99);

    for (const query of [`camera=${cats}x`, `lens=${'x'.repeat(100)}`, `q=${cats}${cats}xx`]) {
      expect(
        refusalOf(() => listing(query)),
        query,
      ).to.equal('none');
    }
  });

  const SORTS: ReadonlyArray<readonly [query: string, sort: object]> = [
    ['', { by: 'created', order: 'asc' }],
    ['order=desc', { by: 'created', order: 'desc' }],
    ['sort=taken', { by: 'taken', order: 'asc' }],
    ['sort=random&seed=a', { by: 'random', seed: 'a' }],
  ];
  for (const [query, sort] of SORTS) {
    it(`"${query}" sorts by ${Object.values(sort).join(', ')}`, () => {
      expect(listing(query).sort).to.deep.equal(sort);
    });
  }
});

const NOT_TIMES = [
  '',
  'yesterday',
  '1767225600',
  '2026-01-31',
  '2026-01-31T12:00Z',
  '2026-01-31T12:00:00',
  '2026-01-31%2012:00:00Z',
  '2026-01-31T12:00:00.Z',
  '2026-01-31T12:00:00,5Z',
  '2026-1-31T12:00:00Z',
  '2026-02-30T12:00:00Z',
  '2026-02-29T12:00:00Z',
  '2026-00-10T12:00:00Z',
  '2026-13-10T12:00:00Z',
  '2026-01-00T12:00:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T12:60:00Z',
  '2026-01-31T11:59:60Z',
  '2026-01-31T12:00:61Z',
  '2026-01-31T12:00:00%2B24:00',
  '2026-01-31T12:00:00%2B01:60',
  '2026-01-31T12:00:00%2B0100',
  '2026-01-31T12:00:00%2B01',
  '%2B02026-01-31T12:00:00Z',
  '20260131T120000Z',
];
const NO_WORDS = ['', '+-_', '%22--%22'];
const NOT_FALSE = ['', 'true', '0', 'False'];

/** Of the listing and of the timeline. */
const REFUSED_FILTERS: ReadonlyArray<readonly [name: string, values: readonly string[], message: string]> = [
  ['mediaType', ['', 'png', 'image/avif', 'image/*', 'IMAGE/PNG', 'image/jpg'], 'image/jpeg'],
  [
    'sha256',
    ['', 'abc', 'g'.repeat(64), 'a'.repeat(63), 'a'.repeat(65), `0x${'a'.repeat(62)}`],
    '64 hexadecimal digits',
  ],
  ['createdBy', ['', 'a'.repeat(256), 'a%00'], '1 to 255 characters, without NUL'],
  ...['createdAfter', 'createdBefore', 'takenAfter', 'takenBefore'].map(
    (name) => [name, NOT_TIMES, 'an RFC 3339 time'] as const,
  ),
  ['q', NO_WORDS, 'at least one word'],
  ['q', ['a'.repeat(201)], 'at most 200 characters'],
  ...['camera', 'lens'].flatMap((name) => [
    [name, NO_WORDS, 'at least one word'] as const,
    [name, ['x'.repeat(101)], 'at most 100 characters'] as const,
  ]),
  [
    'tags',
    ['', 'a,,b', Array.from({ length: 101 }, (_, index) => index).join()],
    'at most 100 tags, separated by commas',
  ],
  ...['tagged', 'dated', 'alt'].map((name) => [name, NOT_FALSE, 'false'] as const),
];

const REFUSED_IN_LISTINGS: typeof REFUSED_FILTERS = [
  [
    'limit',
    ['0', '-1', '1001', '10000', '1.5', '1e2', '0x10', '01', '', '%201', 'all', '99999999999999999999'],
    'a whole number from 1 to 1000',
  ],
  ['order', ['', 'ASC', 'up', 'id', 'asc,desc', 'desc;drop'], 'asc or desc'],
  ['count', ['', '1', 'yes', 'TRUE'], 'true or false'],
  ['sort', ['size'], 'created, taken or random'],
  ['seed', ['', 'a%20b', 'x'.repeat(65)], '1 to 64 visible ASCII characters'],
];

function refuses(
  what: string,
  schema: z.ZodObject,
  before: string,
  refused: typeof REFUSED_FILTERS,
  unknown: readonly string[] = [],
): void {
  describe(`The query of ${what}`, () => {
    for (const [name, values, message] of refused) {
      it(`is refused if ${name} is not ${message}, and says so`, () => {
        for (const value of values) {
          const refusal = refusalOf(() => readQuery(`${before}${name}=${value}`, schema));
          expect(refusal, value).to.include(`"${name}" must be `).and.to.include(message);
        }
      });
    }

    const OTHERS = ['offset', 'Limit', 'page', '__proto__', 'constructor', 'limit[]', ...unknown];
    it('is refused with another parameter, which it names', () => {
      for (const name of OTHERS) {
        const refusal = refusalOf(() => readQuery(`${before}${name}=1`, schema));
        expect(refusal).to.equal(`Query parameter "${name}" is not known`);
      }
    });

    it('is refused with tags as an array, and says how to write them', () => {
      for (const name of ['tags[]', 'tags[0]', 'tags[a]']) {
        const refusal = refusalOf(() => readQuery(`${before}${name}=a&${name}=b`, schema));
        expect(refusal).to.equal(`Query parameter "${name}" is not known; write tags=a,b`);
      }
      expect(refusalOf(() => readQuery(`${before}tags=a&tags=b`, schema))).to.equal(
        'Query parameter "tags" is given more than once; write tags=a,b',
      );
    });

    it('is refused with an unknown parameter that is given twice', () => {
      for (const name of ['q[]', 'ids[]', '__proto__[]', 'limit[]', 'tags]', 'toString', '__proto__', '[]']) {
        expect(refusalOf(() => readQuery(`${before}${name}=a&${name}=b`, schema))).to.equal(
          `Query parameter "${name}" is not known`,
        );
      }
    });

    it('is refused if a parameter is given twice', () => {
      for (const name of ['mediaType', 'camera']) {
        const refusal = refusalOf(() => readQuery(`${before}${name}=a&${name}=a`, schema));
        expect(refusal).to.equal(`Query parameter "${name}" is given more than once`);
      }
    });
  });
}

refuses('a listing', listQuery, '', [...REFUSED_FILTERS, ...REFUSED_IN_LISTINGS]);

describe('The seed of a listing', () => {
  for (const [query, message] of [
    ['sort=random', '"seed" must be given with sort=random'],
    ['seed=a', '"seed" must be left out'],
    ['sort=random&seed=a&order=asc', '"order" must be left out'],
  ] as const) {
    it(`makes "${query}" refused`, () => {
      expect(refusalOf(() => listing(query))).to.include(message);
    });
  }
});

refuses('the timeline', timelineQuery, 'by=day&', REFUSED_FILTERS, [
  'limit',
  'sort',
  'order',
  'seed',
  'count',
  'after',
]);

describe('The query of the timeline', () => {
  it('is refused without a period, and with an unknown one', () => {
    for (const query of ['', 'by=', 'by=week']) {
      const refusal = refusalOf(() => readQuery(query, timelineQuery));
      expect(refusal).to.include('"by" must be day, month or year');
    }
  });
});

describe('A cursor of a listing', () => {
  const PLACES = {
    created: { by: 'created', id: 7 },
    taken: { by: 'taken', time: -1, id: 7 },
    random: { by: 'random', power: 3, position: 2 },
  } as const;

  function cursorOf(query: string, space: Space = COMMON_SPACE): string {
    const read = readQuery(query, listQuery);
    return cursorsOf(space, read).encode(PLACES[read.sort ?? 'created']);
  }

  function placeOf(query: string, cursor: string): SearchPlace | undefined {
    return listing(`${query}&after=${cursor}`).after;
  }

  for (const [of, other] of [
    ['createdAfter=2026-01-31T12:00:00Z', 'createdAfter=2026-01-31T13:00:00.000%2B01:00'],
    ['q=CAT&tags=Indoor,sofa', 'q=cat&tags=SOFA,indoor'],
    ['camera=nikon', 'camera=+NIKON'],
    ['limit=10&count=true', 'limit=3'],
    ['sort=taken&order=asc', 'sort=taken'],
    ['sort=random&seed=a', 'sort=random&seed=a&limit=1'],
  ] as const) {
    it(`of "${of}" is accepted for "${other}"`, () => {
      const { sort = 'created' } = readQuery(of, listQuery);
      expect(placeOf(other, cursorOf(of))).to.deep.equal(PLACES[sort]);
    });
  }

  const EARLIER: ReadonlyArray<readonly [query: string, cursor: string]> = [
    ['', 'Ny5jOGU1YzU5NQ'],
    ['order=desc', 'Ny5jMmMyYmUxYg'],
    ['sort=random&seed=a', 'cjMuMi5kMmEzYzc5OQ'],
    ['q=black+cat&tags=sofa&camera=nikon&dated=false', 'Ny5jZDJmNzRmZQ'],
    ['sort=taken&mediaType=image/png&takenAfter=2020-01-01T00:00:00Z', 'dC0xLjcuNjBjZDlhNmU'],
  ];

  const CONDITIONS = [
    'order=desc',
    'sort=taken',
    'sort=random&seed=a',
    'sort=random&seed=b',
    'mediaType=image/png',
    `sha256=${DIGEST}`,
    'createdAfter=2020-01-01T00:00:00Z',
    'createdBefore=2030-01-01T00:00:00Z',
    'takenAfter=2020-01-01T00:00:00Z',
    'takenBefore=2030-01-01T00:00:00Z',
    'q=cat',
    'q=nikon',
    'tags=cat',
    'tags=cat,dog',
    'camera=nikon',
    'lens=nikon',
    'tagged=false',
    'dated=false',
    'alt=false',
    'createdBy=cat',
    'createdBy=Cat',
    '',
  ];
  it('that an earlier version of the service has made is accepted', () => {
    for (const [query, cursor] of EARLIER) expect(placeOf(query, cursor), query).to.be.an('object');
  });

  it('is refused with other conditions, orders and seeds than its own', () => {
    for (const of of CONDITIONS) {
      for (const other of CONDITIONS.filter((condition) => condition !== of)) {
        const refusal = refusalOf(() => placeOf(other, cursorOf(of)));
        expect(refusal, `${of} for ${other}`).to.include('"after" must be a cursor');
      }
    }
  });

  it('is refused in another space', () => {
    const cursor = cursorOf('limit=1', 'another' as Space);

    expect(refusalOf(() => placeOf('limit=1', cursor))).to.include('"after"');
  });

  it('is refused if it is none', () => {
    for (const text of ['', 'x', '1', 'MQ', '%00', '../..', "'--", 'x'.repeat(5000)]) {
      expect(
        refusalOf(() => placeOf('', text)),
        text.slice(0, 20),
      ).to.include('"after" must be a cursor');
    }
  });
});

describe('A condition on a number', () => {
  const { schema, wire } = numberCondition({
    kind: 'number',
    range: { min: 1, max: 5, isWhole: true },
    example: 4,
  });

  it('takes numbers of the range of its field, and says so in the document', () => {
    expect(['1', '5'].map((text) => schema.parse(text))).to.deep.equal([1, 5]);
    expect(wire).to.deep.equal({ type: 'integer', minimum: 1, maximum: 5 });
  });

  for (const text of ['', '0', '6', '1.5', '1e0', ' 1', '+1', '0x1', 'NaN', '9'.repeat(400)]) {
    it(`refuses "${text.slice(0, 9)}"`, () => {
      expect(schema.safeParse(text).error?.issues[0]?.message).to.equal('a whole number from 1 to 5');
    });
  }
});

describe('An unknown parameter', () => {
  it('of many brackets is refused in time that grows linearly with them', () => {
    const name = '['.repeat(200_000);
    const before = process.cpuUsage();

    expect(refusalOf(() => readQuery(name, listQuery))).to.include('is not known');

    const { user, system } = process.cpuUsage(before);
    // Quadratic time is more than ten seconds.
    expect((user + system) / 1_000_000).to.be.below(1);
  });
});
