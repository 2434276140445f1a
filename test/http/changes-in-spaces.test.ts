import { expect } from 'chai';
import type { Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { EventReader } from '../support/http/event-reader.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const BUSY = 'busy' as Space;
const QUIET = 'quiet' as Space;

interface Page {
  readonly changes: ReadonlyArray<{ readonly id: number }>;
  readonly next: string;
}

const time = new ManualTime();
const service = startFor('all', () => TestService.start({ timer: time.after, spaceClaim: 'tenant' }));

function bearer(space: Space): string {
  return service.bearerWith({ sub: `user of ${space}`, tenant: space });
}

async function page(space: Space, query: string): Promise<Page> {
  const request = service.anonymous('get', `/api/changes?${query}`).set('Authorization', bearer(space));
  return (await request.expect(200)).body as Page;
}

async function latest(space = QUIET): Promise<string> {
  return (await page(space, 'after=latest')).next;
}

/** Returns the ids. */
async function add(space: Space, count = 1): Promise<readonly number[]> {
  const images = service.storage.images.in(space);
  const added = await Promise.all(Array.from({ length: count }, () => images.add(newImage())));
  return added.map(({ id }) => id).toSorted((a, b) => a - b);
}

function idsOf({ changes }: Page): readonly number[] {
  return changes.map(({ id }) => id);
}

describe('GET /api/changes with SPACE_CLAIM', () => {
  it('has cursors that move on with the catalog, and are good in every space', async () => {
    const after = await latest();
    await add(QUIET);
    const [, second] = await add(BUSY, 2);
    const busy = await page(BUSY, `after=${after}&limit=1`);
    const quiet = await page(QUIET, `after=${after}`);

    expect(quiet.next).to.equal(await latest(BUSY));
    expect(idsOf(await page(BUSY, `after=${busy.next}`))).to.deep.equal([second]);
    expect(idsOf(await page(QUIET, `after=${busy.next}`))).to.deep.equal([]);
    expect(idsOf(await page(BUSY, `after=${quiet.next}`))).to.deep.equal([]);
    const { headers } = await service
      .anonymous('head', '/api/images')
      .set('Authorization', bearer(BUSY))
      .expect(200);
    expect(headers['changes-cursor']).to.equal(quiet.next);
  });

  async function open(space: Space): Promise<EventReader> {
    const url = `${service.url}/api/changes?after=latest`;
    const reader = await EventReader.open(url, { Authorization: bearer(space) });
    await reader.until(() => reader.retryMs !== undefined);
    return reader;
  }

  it('sends nothing but comments while others change, whose id moves on with the catalog', async () => {
    const [busy, quiet] = [await open(BUSY), await open(QUIET)];
    const begin = quiet.text;
    await add(BUSY, 120);
    await eventually(() => {
      time.pass(250);
      return busy.events.length === 120;
    }, Boolean);
    const before = quiet.text;
    time.pass(15_000);
    await quiet.until(() => quiet.comments.length === 1);

    const [current] = [await latest(), busy.leave(), quiet.leave()];

    expect(before).to.equal(begin);
    expect(quiet.text.slice(begin.length)).to.equal(`:\nid: ${current}\n\n`);
  });
});
