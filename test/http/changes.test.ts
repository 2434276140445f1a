import { expect } from 'chai';
import type { Test } from 'supertest';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { eventually } from '../support/time/eventually.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const PATCH = 'application/merge-patch+json';

interface ListedChange {
  readonly cursor: string;
  readonly type: string;
  readonly id: number;
  readonly by: string | null;
  readonly version?: number;
  readonly image?: ImageRecord | null;
}

interface Page {
  readonly changes: readonly ListedChange[];
  readonly next: string;
  readonly more: boolean;
}

const time = new ManualTime();
let picture: Buffer;

before(async () => {
  picture = await noisyPng(20, 10);
});

const service = startFor('all', () => TestService.start({ timer: time.after, changesStreams: 3 }));

async function page(query = '', of = service): Promise<Page> {
  return (await of.get(`/api/changes${query}`).expect(200)).body as Page;
}

async function upload(): Promise<ImageRecord> {
  return await service.upload(picture);
}

function rename(id: number, title: string | null): Test {
  return service.patchJson(`/api/image/${id}/metadata`, JSON.stringify({ title }), PATCH).expect(200);
}

describe('GET /api/changes', () => {
  it('begins with no change and a cursor that stays good', async () => {
    const response = await service.get('/api/changes').expect(200);
    expect(response.body).to.deep.include({ changes: [], more: false });
    expect(response.headers).to.include({ 'cache-control': 'no-store' });
    expect(response.headers['vary']).to.match(/\bAccept\b/);
    const { next } = response.body as Page;
    const { id } = await upload();

    expect((await page(`?after=${next}`)).changes).to.have.length(1);
    expect((await page(`?after=${next}`)).changes[0]).to.include({ type: 'image.created', id, by: 'alice' });
  });

  it('has uploads, edits and deletes, with who has made them', async () => {
    const { next } = await page('?after=latest');
    const { id } = await upload();
    await rename(id, 'cat');
    await rename(id, 'cat');
    await service
      .anonymous('delete', `/api/image/${id}`)
      .set('Authorization', `Bearer ${service.token({ sub: undefined, client_id: 'cleaner' })}`)
      .expect(204);

    const { changes } = await page(`?after=${next}`);
    expect(changes.map(({ type, version, by }) => [type, version, by])).to.deep.equal([
      ['image.created', undefined, 'alice'],
      ['image.updated', 2, 'alice'],
      ['image.deleted', undefined, 'cleaner'],
    ]);
  });

  it('adds the record as it is now, null if it is gone', async () => {
    const { next } = await page('?after=latest');
    const [{ id: kept }, { id: gone }] = [await upload(), await upload()];
    await service.delete(`/api/image/${gone}`).expect(204);
    await rename(kept, 'kept');

    const { changes } = await page(`?after=${next}&include=image`);
    const shown = changes.map(({ id, image }) => [id, image?.title ?? null, image === null]);
    expect(shown).to.deep.equal([
      [kept, 'kept', false],
      [gone, null, true],
      [gone, null, true],
      [kept, 'kept', false],
    ]);
    expect(changes[0]?.image).to.deep.equal((await service.get(`/api/image/${kept}`)).body);
  });
});

describe('GET /api/changes refuses', () => {
  it('returns 410 for an altered cursor, and for one of another catalog', async () => {
    await upload();
    const { next } = await page('?after=latest');
    const other = await TestService.start();
    await other.upload(picture);
    const foreign = (await page('', other)).next;
    await other.stop();
    const altered = next
      .split('')
      .map((letter, at) => `${next.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${next.slice(at + 1)}`);

    for (const cursor of [foreign, 'x', `${next}A`, next.slice(1), ...altered.slice(0, 6), altered.at(-1)]) {
      const { body } = await service.get(`/api/changes?after=${cursor}`).expect(410);
      expect(body).to.include({ code: 'cursor_expired' });
    }
  });

  it('returns 406 if neither JSON nor events are acceptable', async () => {
    await service.get('/api/changes').set('Accept', 'image/png').expect(406);
  });
});

describe('GET /api/images', () => {
  it('has the cursor with which the feed continues the listing', async () => {
    await upload();
    const { headers } = await service.get('/api/images').expect(200);
    const head = await service.head('/api/images?limit=1').expect(200);
    const { id } = await upload();

    expect(head.headers['changes-cursor']).to.equal(headers['changes-cursor']);
    const { changes } = await page(`?after=${headers['changes-cursor']}`);
    expect(changes.map((change) => change.id)).to.deep.equal([id]);
  });
});

describe('GET /api/changes with wait', () => {
  function taken(): number {
    return service.container.get(TOKENS.changeSlots).running('all');
  }

  /** Returns when the request waits. */
  async function wait(query: string, claims: Record<string, unknown> = {}): Promise<Waiting> {
    const before = taken();
    const leaving = new AbortController();
    const headers = { Authorization: `Bearer ${service.token(claims)}` };
    const request = { headers, signal: leaving.signal };
    const response = fetch(`${service.url}/api/changes?${query}`, request).then(
      async (sent) => (await sent.json()) as Page,
    );
    response.catch(() => undefined);
    await eventually(taken, (count) => count > before);
    return { response, leave: () => leaving.abort() };
  }

  /** Lets time pass until the poller has seen it. */
  async function polled({ response }: Waiting): Promise<Page> {
    let page: Page | undefined;
    void response.then((read) => {
      page = read;
    });
    await eventually(
      () => {
        time.pass(250);
        return page;
      },
      (read) => read !== undefined,
    );
    return await response;
  }

  it('returns with the next change, to each request', async () => {
    const [one, other] = [await wait('after=latest&wait=30'), await wait('after=latest&wait=30&limit=1')];
    const { id } = await upload();

    for (const page of [await polled(one), await polled(other)]) {
      expect(page.changes.map((change) => change.id)).to.deep.equal([id]);
      expect(page.next).to.equal(page.changes[0]?.cursor);
    }
    await eventually(taken, (count) => count === 0);
  });

  it('returns an empty page when the token expires', async () => {
    const { response } = await wait('after=latest&wait=30', { exp: Math.floor(Date.now() / 1000) + 20 });
    time.pass(20_000);

    expect((await response).changes).to.deep.equal([]);
  });

  it('takes no place if there is something to report, nor for HEAD', async () => {
    await upload();
    const held = [await wait('after=latest&wait=30'), await wait('after=latest&wait=30')];
    await service.get('/api/changes?wait=30').expect(200);
    await service.head('/api/changes?after=latest&wait=30').expect(200);
    for (const { leave } of held) leave();
    await eventually(taken, (count) => count === 0);
  });

  it('returns 503 beyond the places of a subject, half of all and rounded up, and beyond all', async () => {
    const held = [await wait('after=latest&wait=30'), await wait('after=latest&wait=30')];
    await service.get('/api/changes?after=latest&wait=1').expect(503);
    held.push(await wait('after=latest&wait=30', { sub: 'bob' }));
    const { body } = await service
      .anonymous('get', '/api/changes?after=latest&wait=1')
      .set('Authorization', `Bearer ${service.token({ sub: 'carol' })}`)
      .expect(503);
    expect(body).to.include({ code: 'overloaded' });
    for (const { leave } of held) leave();
    await eventually(taken, (count) => count === 0);
  });
});

interface Waiting {
  readonly response: Promise<Page>;
  readonly leave: () => void;
}
