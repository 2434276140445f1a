import { expect } from 'chai';
import { FILTER_ROWS } from '../../src/domain/image/fields.ts';
import type { Turns } from '../../src/domain/ports/process/turns.ts';
import type { ImageSearch } from '../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { eventually } from '../support/time/eventually.ts';
import { Gate } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

/** Under way, and waiting. */
const [PLACES_OF_ONE, WAITING_OF_ONE] = [3, 64];
const BLOCKED = '/api/images?limit=1&q=blocked';

let service: TestService;
let time: ManualTime;
let gate: Gate;
let turnsOfBlocked: Turns[];
let begun: number;
let blocked: Array<Promise<number>>;

async function start(): Promise<void> {
  [time, gate, turnsOfBlocked, begun, blocked] = [new ManualTime(), new Gate(), [], 0, []];
  service = await TestService.start({ modules: [wrapping(TOKENS.search, blocking)], timer: time.after });
  await service.upload(tinyPng(1));
}

async function stop(): Promise<void> {
  gate.open();
  await Promise.all(blocked);
  await service.stop();
}

/** Searches for `blocked` end when the gate opens. */
function blocking(search: InSpaces<ImageSearch>): InSpaces<ImageSearch> {
  return {
    in: (space) => {
      const inSpace = search.in(space);
      return Object.assign(Object.create(inSpace) as ImageSearch, {
        findPage: (async (query, turns) => {
          if (turns !== undefined && query.filter.words?.includes('blocked') === true) {
            turnsOfBlocked.push(turns);
            await turns.run(async () => {
              begun += 1;
              await gate.opened;
            });
          }
          return await inSpace.findPage(query, turns);
        }) satisfies ImageSearch['findPage'],
      });
    },
  };
}

async function get(path: string, sub = 'alice'): Promise<{ readonly status: number; readonly code: string }> {
  const response = await service.anonymous('get', path).set('Authorization', service.bearerWith({ sub }));
  return { status: response.status, code: (response.body as { readonly code?: string }).code ?? '' };
}

async function block(count: number): Promise<void> {
  blocked.push(...Array.from({ length: count }, async () => (await get(BLOCKED)).status));
  await eventually(
    () => turnsOfBlocked.length,
    (length) => length === count,
  );
  await eventually(
    () => begun,
    (some) => some === PLACES_OF_ONE,
  );
}

describe('Searches, while 64 of a subject wait', () => {
  before(async () => {
    await start();
    await block(PLACES_OF_ONE + WAITING_OF_ONE);
  });

  after(stop);

  for (const path of [
    '/api/images?limit=1&q=cat',
    '/api/images?limit=1&tags=cat',
    ...FILTER_ROWS.map(
      ([name, { by }]) =>
        `/api/images?limit=1&${name}=${{ words: 'canon', missing: 'false', atLeast: '3' }[by]}`,
    ),
    '/api/images',
    '/api/images/timeline?by=year',
    '/api/tags',
    '/api/image/1/similar',
    '/api/images/copies',
    '/api/names',
    '/api/trash',
  ]) {
    it(`refuses GET ${path} of the subject, and not of another`, async () => {
      expect(await get(path)).to.deep.equal({ status: 503, code: 'overloaded' });
      expect((await get(path, 'bob')).status).to.equal(200);
    });
  }

  it('shows a page without its total', async () => {
    const response = await service.get('/api/images?limit=1&count=true&mediaType=image/png').expect(200);

    expect(response.headers).not.to.have.property('x-total-count');
  });

  it('does not delay other requests of the subject', async () => {
    for (const path of ['/api/images?limit=1', '/api/names?limit=1', '/api/image/1', '/api/trash?limit=1']) {
      expect((await get(path)).status, path).to.equal(200);
    }
  });

  it('refuses an ill-formed one without a wait', async () => {
    expect((await get('/api/images?limit=1&q=-')).status).to.equal(400);
    expect((await get('/api/images/timeline?by=week')).status).to.equal(400);
  });
});

describe('Searches that wait', () => {
  beforeEach(start);

  afterEach(stop);

  it('give up their place when the client leaves', async () => {
    await block(PLACES_OF_ONE);
    const connection = await service.connect();
    connection.send(`GET ${BLOCKED} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${service.bearer}\r\n\r\n`);
    await eventually(
      () => turnsOfBlocked.length,
      (length) => length > PLACES_OF_ONE,
    );

    connection.close();

    expect(
      await eventually(
        () => service.runningRequests,
        (count) => count === PLACES_OF_ONE,
      ),
    ).to.equal(PLACES_OF_ONE);
    expect(turnsOfBlocked.at(-1)?.stopped.aborted).to.equal(true);
  });
});
