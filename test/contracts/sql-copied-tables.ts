import { expect } from 'chai';
import type { Knex } from 'knex';
import { checkEdit } from '../../src/domain/image/metadata-edit.ts';
import type { Name } from '../../src/domain/name/name.ts';
import { COPIED_TABLES, type CopiedRow } from '../../src/domain/ports/records/copied-tables.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { type SqlPorts, sqlPorts } from '../support/fixtures/sql-ports.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

export interface CopiedTablesUnderTest {
  /** Two empty catalogs. */
  readonly knexes: readonly [source: Knex, target: Knex];
  tearDown(): Promise<void>;
}

const [ALICE, BOB] = ['alice' as Space, 'bob' as Space];
const [HERO, LOGO] = ['hero' as Name, 'logo' as Name];
const REQUEST = { space: ALICE, scope: 's', key: 'k', sha256: 'a'.repeat(64) };
const URL = 'https://receiver.example.com/';

type Catalog = SqlPorts & { readonly clock: ManualClock };

function catalogOn(knex: Knex): Catalog {
  const clock = new ManualClock();
  return { ...sqlPorts(knex, { clock }), clock };
}

let source: Catalog;
let target: Catalog;

/** All tables, as a transfer copies them. */
async function copy(limit = 2): Promise<void> {
  for (const table of COPIED_TABLES) {
    let last: CopiedRow | undefined;
    for (let isEnd = false; !isEnd; ) {
      const rows = await source.tables.readRows(table, last, limit);
      await target.tables.writeRows(table, rows, last === undefined);
      isEnd = rows.length < limit;
      last = rows.at(-1);
    }
  }
}

/** An image of the source with its record in the target, under the same id. */
async function addImage(space: Space): Promise<number> {
  const image = await source.images.in(space).add(newImage(), undefined, undefined, 'ann');
  await target.images.restore([{ ...image, space }]);
  return image.id;
}

async function claim({ keys }: Catalog, key: string): Promise<unknown> {
  return await keys.claim({ ...REQUEST, key });
}

export function copiesTables(name: string, setUp: () => Promise<CopiedTablesUnderTest>): void {
  describe(`SqlCopiedTables ${name}`, () => {
    let made: CopiedTablesUnderTest;

    beforeEach(async () => {
      made = await setUp();
      [source, target] = [catalogOn(made.knexes[0]), catalogOn(made.knexes[1])];
      // The numbers of the spaces differ.
      await target.spaces.setLimits(BOB, { images: 1 });
    });

    afterEach(async () => {
      await made.tearDown();
    });

    describe('copies', copyCases);
    describe('with a source that goes on', changedCases);
  });
}

function copyCases(): void {
  it('limits of spaces, and ends others of the target', async () => {
    await source.spaces.setLimits(ALICE, { images: 7 });
    await source.spaces.setLimits(COMMON_SPACE, { bytes: 2 ** 50 });
    await copy();

    expect(await target.spaces.findAll()).to.deep.equal(await source.spaces.findAll());
  });

  it('completed keys in their space, and no others', async () => {
    await addImage(BOB);
    const claims = [];
    for (const key of ['k1', 'k2', 'k3']) {
      const result = await source.keys.claim({ ...REQUEST, key });
      if (result.state === 'claimed') claims.push(result.claim);
    }
    const added = await source.images.in(ALICE).add(newImage(), claims[0]);
    await source.images.in(ALICE).add(newImage(), claims[2]);
    await claim(target, 'held');
    await copy();

    const { sha256 } = REQUEST;
    expect(await claim(target, 'k1')).to.deep.equal({ state: 'completed', imageId: added.id, sha256 });
    for (const [key, state] of [
      ['k2', 'claimed'],
      ['k3', 'completed'],
      ['held', 'claimed'],
    ] as const) {
      expect(await claim(target, key)).to.include({ state });
    }
    expect(await target.keys.find({ ...REQUEST, key: 'k1', space: BOB })).to.equal(undefined);
    expect(await target.keys.removeClaimedBefore(new Date(source.clock.now().getTime()))).to.equal(0);
  });

  it('names with numbers and versions, also those that are gone', async () => {
    const [one, other] = [await addImage(ALICE), await addImage(COMMON_SPACE)];
    await target.names.in(COMMON_SPACE).set(LOGO, other, {});
    await source.names.in(ALICE).set(HERO, one, {});
    const { named } = await source.names.in(COMMON_SPACE).set(HERO, other, {});
    await source.names.in(COMMON_SPACE).remove(HERO, {});
    await copy();

    for (const number of [1, 2, 3]) {
      expect(await target.names.findByNumber(number)).to.deep.equal(await source.names.findByNumber(number));
    }
    expect(await target.names.in(ALICE).find(HERO)).to.deep.equal(await source.names.in(ALICE).find(HERO));
    expect(await target.names.findByNumber(named.number)).to.deep.include({ imageId: undefined, version: 1 });
  });

  it('no name of an image that is not in its space', async () => {
    const { id } = await source.images.in(ALICE).add(newImage());
    await target.images.restore([{ ...(await source.images.findById(id)), space: BOB } as never]);
    await source.names.in(ALICE).set(HERO, id, {});
    await copy();

    expect(await target.names.findByNumber(1)).to.deep.include({ name: HERO, imageId: undefined });
  });

  it('the highest version of forgotten names', async () => {
    const id = await addImage(COMMON_SPACE);
    const names = source.names.in(ALICE);
    const image = await source.images.in(ALICE).add(newImage());
    await names.set(HERO, image.id, {});
    await source.images.in(ALICE).removeById(image.id);
    await source.spaces.forget(ALICE);
    await copy();

    expect((await target.names.in(COMMON_SPACE).set(LOGO, id, {})).named.version).to.equal(2);
  });

  it('keys of links, also that there are none', async () => {
    const key = { secret: Buffer.from([0, 1, 255]), createdAt: new Date(7) };
    await target.linkKeys.addFirst({ ...key, secret: Buffer.from('theirs') });
    await copy();
    expect(await target.linkKeys.findAll()).to.deep.equal([]);
    for (const _ of [1, 2, 3]) await source.linkKeys.rotate(key, []);
    await copy();

    expect(await target.linkKeys.findAll()).to.deep.equal(await source.linkKeys.findAll());
  });

  it('the feed, whose positions stay good, and goes on behind it', async () => {
    const ids = [await addImage(ALICE), await addImage(BOB), await addImage(COMMON_SPACE)];
    await source.names.in(ALICE).set(HERO, ids[0] ?? 0, { by: 'bob' });
    await target.images.in(BOB).removeById(ids[1] ?? 0);
    await copy();

    for (const feed of ['all', ALICE, BOB, COMMON_SPACE] as const) {
      const read = async ({ changes }: Catalog) =>
        await (feed === 'all' ? changes : changes.in(feed)).readPage(undefined, 100);
      expect(await read(target)).to.deep.equal(await read(source));
    }
    const { number } = await source.changes.latest();
    await target.images.in(COMMON_SPACE).removeById(ids[2] ?? 0);
    expect((await target.changes.latest()).number).to.equal(number + 1);
  });

  it('endpoints of webhooks with their numbers and positions', async () => {
    await source.webhookEndpoints.register([URL, `${URL}2`, `${URL}3`]);
    await source.webhookEndpoints.move(2, { number: 7, mark: 2 ** 48 - 1 });
    await target.webhookEndpoints.register([`${URL}3`]);
    await target.webhookEndpoints.hold(`${URL}3`, 'me', 60_000);
    await copy();

    expect(await target.webhookEndpoints.findAll()).to.deep.equal(await source.webhookEndpoints.findAll());
    expect(await target.webhookEndpoints.hold(URL, 'other', 60_000)).to.include({ number: 1 });
  });
}

function changedCases(): void {
  it('begins the feed where its sweeper begins it meanwhile', async () => {
    const { changes, clock, tables } = source;
    for (let at = 0; at < 5; at += 1) await addImage(COMMON_SPACE);
    const first = await tables.readRows('changes', undefined, 2);
    await target.tables.writeRows('changes', first, true);
    clock.advance(1_000);
    await changes.removeOlder(clock.now());
    await target.tables.writeRows('changes', await tables.readRows('changes', first.at(-1), 10), false);

    expect(await target.changes.readPage(undefined, 10)).to.deep.equal(await changes.readPage(undefined, 10));
  });

  it('has the actors of edits of many images, except of those that its source makes meanwhile', async () => {
    const ids = [await addImage(COMMON_SPACE), await addImage(COMMON_SPACE)];
    const { changes, metadata, tables } = source;
    const edit = (title: string) =>
      metadata.in(COMMON_SPACE).editMany(ids, checkEdit({ title }), 1_000, { by: 'alice' });
    await edit('cat');
    const feed = await changes.readPage(undefined, 100);
    await target.tables.writeRows('changes', await tables.readRows('changes', undefined, 100), true);
    await edit('dog');

    await target.tables.writeRows(
      'change_actors',
      await tables.readRows('change_actors', undefined, 100),
      true,
    );

    expect(feed?.changes.at(-1)).to.include({ by: 'alice' });
    expect(await target.changes.readPage(undefined, 100)).to.deep.equal(feed);
    expect(await target.tables.readRows('change_actors', undefined, 100)).to.have.lengthOf(1);
  });

  it('has the last number of a name that gets another one meanwhile', async () => {
    const id = await addImage(COMMON_SPACE);
    const names = source.names.in(COMMON_SPACE);
    await names.set(HERO, id, {});
    const first = await source.tables.readRows('names', undefined, 10);
    await target.tables.writeRows('names', first, true);
    await target.tables.writeRows('names', [{ ...first[0], number: 9 }], false);

    expect(await target.names.in(COMMON_SPACE).find(HERO)).to.include({ number: 9 });
  });
}
