import { expect } from 'chai';
import type { Knex } from 'knex';
import { MetadataChanged, TooManyChanges } from '../../src/domain/errors.ts';
import { checkPatch } from '../../src/domain/image/check-patch.ts';
import { checkEdit } from '../../src/domain/image/metadata-edit.ts';
import type { Name } from '../../src/domain/name/name.ts';
import type { Author } from '../../src/domain/ports/records/author.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type SqlPorts, sqlPorts } from '../support/fixtures/sql-ports.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

interface Opened {
  readonly knex: Knex;
  readonly other: Knex;
  readonly tearDown: () => Promise<void>;
}

const MAX = 3;
const MAX_WORDS = 100_000;
const HOUR_MS = 60 * 60_000;
const ALICE: Author = { by: 'alice', subject: 'alice' };
const BOB: Author = { by: 'bob', subject: 'bob' };
const CATS = 'cats' as Space;

let opened: Opened;
let ports: SqlPorts;
let clock: ManualClock;

export function boundsChanges(open: () => Promise<Opened>): void {
  beforeEach(async () => {
    opened = await open();
    clock = new ManualClock();
    ports = sqlPorts(opened.knex, { clock, changesPerDay: MAX });
  });

  afterEach(() => opened.tearDown());

  describe('patches', patchCases);
  describe('edits of many images', bulkCases);
  describe('names and restores', nameCases);
  describe('the time', timeCases);
  describe('the counts', countCases);
}

async function addImages(count: number, space: Space = COMMON_SPACE): Promise<readonly number[]> {
  const added = Array.from({ length: count }, () => ports.images.in(space).add(newImage()));
  return (await Promise.all(added)).map(({ id }) => id);
}

async function patch(id: number, title: string, author = ALICE, space: Space = COMMON_SPACE): Promise<void> {
  await ports.metadata.in(space).patch(id, checkPatch({ title }), undefined, author);
}

async function useUp(author = ALICE): Promise<number> {
  const [id = 0] = await addImages(1);
  for (let change = 1; change <= MAX; change += 1) await patch(id, `title ${change}`, author);
  return id;
}

async function refusal(change: Promise<unknown>): Promise<TooManyChanges> {
  const error = await rejection(change);
  expect(error).to.be.instanceOf(TooManyChanges);
  return error as TooManyChanges;
}

async function newestChange(): Promise<number> {
  return (await ports.changes.latest()).number;
}

function patchCases(): void {
  it('are refused beyond the limit, without a change of the catalog', async () => {
    const id = await useUp();
    const before = await newestChange();

    await refusal(patch(id, 'one more'));

    expect(await ports.metadata.in(COMMON_SPACE).find(id)).to.include({
      title: `title ${MAX}`,
      version: MAX + 1,
    });
    expect(await newestChange()).to.equal(before);
  });

  it('that change nothing, of others or in another space are not refused', async () => {
    const id = await useUp();
    const [other = 0] = await addImages(1, CATS);

    await patch(id, `title ${MAX}`);
    await patch(id, 'of bob', BOB);
    await patch(id, 'of the service', {});
    await patch(other, 'cat', ALICE, CATS);
  });

  it('are refused by the limit after the version and the image', async () => {
    const id = await useUp();
    const metadata = ports.metadata.in(COMMON_SPACE);

    const stale = metadata.patch(id, checkPatch({ title: 'stale' }), () => new MetadataChanged(), ALICE);

    expect(await rejection(stale)).to.have.property('code', 'metadata_changed');
    expect(await metadata.patch(id + 1, checkPatch({ title: 'x' }), undefined, ALICE)).to.equal(undefined);
  });

  it('that arrive together in two processes are counted together', async () => {
    const ids = await addImages(6);
    const other = sqlPorts(opened.other, { clock, changesPerDay: MAX });
    const changes = ids.map((id, at) => {
      const { metadata } = at < 3 ? ports : other;
      return metadata.in(COMMON_SPACE).patch(id, checkPatch({ title: 'cat' }), undefined, ALICE);
    });

    const outcomes = await Promise.allSettled(changes);

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(MAX);
  });

  it('that another process has not seen yet count, and a patch beyond the limit leaves nothing', async () => {
    const [id = 0, second = 0] = await addImages(2);
    await patch(id, 'first');
    await patch(second, 'first of bob', BOB);
    const other = sqlPorts(opened.other, { clock, changesPerDay: MAX });
    for (const title of ['second', 'third']) {
      await other.metadata.in(COMMON_SPACE).patch(id, checkPatch({ title }), undefined, ALICE);
    }
    const before = await newestChange();

    const [refused, ofBob] = await Promise.allSettled([patch(id, 'fourth'), patch(second, 'of bob', BOB)]);

    expect(refused).to.have.nested.property('reason.code', 'too_many_changes');
    expect(ofBob).to.have.property('status', 'fulfilled');
    expect(await newestChange()).to.equal(before + 1);
    expect(await ports.metadata.in(COMMON_SPACE).find(id)).to.include({ title: 'third' });
  });

  it('far from the limit are counted in one statement', async () => {
    const [id = 0] = await addImages(1);
    await patch(id, 'first');
    const statements: string[] = [];
    opened.knex.on('query', ({ sql }: { readonly sql: string }) => statements.push(sql));

    await patch(id, 'second');

    expect(statements.filter((sql) => sql.includes('change_counts'))).to.have.lengthOf(1);
  });

  it('are not counted without a limit', async () => {
    ports = sqlPorts(opened.knex, { clock, changesPerDay: 0 });
    await patch(await useUp(), 'one more');

    expect(await opened.knex('change_counts').first()).to.equal(undefined);
  });
}

async function edit(ids: readonly number[], title: string, author = ALICE): Promise<void> {
  await ports.metadata.in(COMMON_SPACE).editMany(ids, checkEdit({ title }), MAX_WORDS, author);
}

function bulkCases(): void {
  it('are refused as a whole, and say so if they alone are above the limit', async () => {
    const ids = await addImages(MAX + 1);
    const before = await newestChange();

    const { message, retryAfterSeconds } = await refusal(edit(ids, 'cat'));

    expect(message).to.include('change fewer images at a time');
    expect(retryAfterSeconds).to.be.at.least(1);
    expect(await newestChange()).to.equal(before);
    await edit(ids.slice(1), 'cat');
    // Those that say it already are no changes.
    await edit(ids.slice(1), 'cat');
    await refusal(edit(ids, 'cat'));
  });

  it('store the actor once, and the feed shows it for each image', async () => {
    ports = sqlPorts(opened.knex, { clock });
    const [first = 0, ...ids] = await addImages(60);
    await patch(first, 'before', BOB);
    await edit(ids, 'cat');
    await patch(first, 'after', BOB);

    const page = await ports.changes.readPage(undefined, 1_000);
    const shown = page?.changes.filter(({ type }) => type === 'image.updated').map(({ by }) => by);
    expect(shown).to.deep.equal(['bob', ...ids.map(() => 'alice'), 'bob']);
    expect(await opened.knex('changes').where({ actor: 'alice' }).first()).to.equal(undefined);
    expect(await opened.knex('change_actors').pluck<string[]>('actor')).to.deep.equal(['alice']);
  });

  it('leave no actor when their changes have left the feed', async () => {
    const ids = await addImages(MAX);
    await edit(ids, 'cat');
    clock.advance(HOUR_MS);
    await patch(ids[0] as number, 'kept', BOB);
    clock.advance(1);

    while ((await ports.changes.removeOlder(clock.now())) > 0);

    expect(await opened.knex('change_actors').first()).to.equal(undefined);
  });
}

const [ONE, TWO] = ['one', 'two'] as [Name, Name];

function nameCases(): void {
  it('are refused after the image and the condition, and a name that points there already is not', async () => {
    const [id = 0] = await addImages(1);
    const names = ports.names.in(COMMON_SPACE);
    await names.set(ONE, id, ALICE);
    for (const title of ['first', 'second']) await patch(id, title);

    await refusal(names.set(TWO, id, ALICE));

    expect(await names.find(TWO)).to.equal(undefined);
    const missing = names.set(TWO, id + 1, ALICE);
    expect(await rejection(missing)).to.have.property('code', 'image_not_found');
    const stale = names.set(ONE, id, { ...ALICE, matches: () => false });
    expect(await rejection(stale)).to.have.property('code', 'name_changed');
    expect(await names.set(ONE, id, ALICE)).to.include({ isNew: false });
  });

  it('that are removed count, and are never refused', async () => {
    const id = await useUp();
    const names = ports.names.in(COMMON_SPACE);
    await names.set(ONE, id, BOB);

    await names.remove(ONE, ALICE);
    await names.set(ONE, id, {});
    await names.remove(ONE, BOB);

    await patch(id, 'third of bob', BOB);
    await refusal(patch(id, 'fourth of bob', BOB));
  });

  it('that are published are refused, and those whose publication ends never', async () => {
    const id = await useUp();
    const names = ports.names.in(COMMON_SPACE);
    const publish = { isPublic: true, mayPublish: true };
    await names.set(ONE, id, { ...BOB, ...publish });
    await names.set(TWO, id, BOB);

    await refusal(names.set(TWO, id, { ...ALICE, ...publish }));
    expect((await names.set(ONE, id, { ...ALICE, isPublic: false })).named.isPublic).to.equal(false);
    await patch(id, 'third of bob', BOB);
    await refusal(patch(id, 'fourth of bob', BOB));
  });

  it('leave a refused image in the trash', async () => {
    const id = await useUp();
    const trash = ports.trash.in(COMMON_SPACE);
    await ports.images.in(COMMON_SPACE).removeById(id, 'alice', 'trash');

    await refusal(trash.restore(id, ALICE));

    expect(await trash.findPage({ limit: 10 })).to.have.lengthOf(1);
    expect(await trash.restore(id, BOB)).to.include({ id });
  });
}

function timeCases(): void {
  it('of a change is counted until the 25th hour after its own begins', async () => {
    clock.advance(HOUR_MS - 1 - (clock.now().getTime() % HOUR_MS));
    const end = clock.now().getTime();
    const id = await useUp();
    const until = new Date(end + 1 + 24 * HOUR_MS);

    const { message, retryAfterSeconds } = await refusal(patch(id, 'at once'));
    expect(message).to.include(until.toISOString());
    expect(retryAfterSeconds).to.equal(24 * 60 * 60 + 1);
    clock.advance(24 * HOUR_MS);
    await refusal(patch(id, 'a day later'));

    clock.advance(1);
    await patch(id, 'in the next hour');
  });

  it('of a refusal ends when enough of the changes have left it', async () => {
    const ids = await addImages(2);
    for (const id of ids) {
      await patch(id, 'cat');
      clock.advance(HOUR_MS);
    }
    await patch(ids[0] as number, 'dog');

    const one = await refusal(patch(ids[1] as number, 'dog'));
    const both = await refusal(edit(ids, 'mouse'));

    expect(both.retryAfterSeconds - one.retryAfterSeconds).to.equal(HOUR_MS / 1000);
    clock.advance(one.retryAfterSeconds * 1000);
    await patch(ids[1] as number, 'dog');
  });
}

function countCases(): void {
  it('have no subject, and are removed when they no longer count', async () => {
    await useUp();
    const rows: ReadonlyArray<{ readonly subject: string }> = await opened.knex('change_counts');
    expect(rows).to.have.lengthOf(1);
    expect(JSON.stringify(rows)).to.not.include('alice');

    clock.advance(24 * HOUR_MS - (clock.now().getTime() % HOUR_MS));
    expect(await ports.changes.removeOldCounts(clock.now())).to.equal(0);
    clock.advance(HOUR_MS);

    expect(await ports.changes.removeOldCounts(clock.now())).to.equal(1);
    expect(await ports.changes.removeOldCounts(clock.now())).to.equal(0);
  });

  it('are removed in portions of 1,000', async () => {
    const rows = Array.from({ length: 1_200 }, (_, at) => ({
      space: 0,
      hour: 1,
      changes: 1,
      subject: `s${at}`,
    }));
    await opened.knex.batchInsert('change_counts', rows, 200);

    expect(await ports.changes.removeOldCounts(clock.now())).to.equal(1_000);
    expect(await ports.changes.removeOldCounts(clock.now())).to.equal(200);
  });

  it('stay with a space that gets another name, and go with one that is removed', async () => {
    const dogs = 'dogs' as Space;
    const [id = 0] = await addImages(1, CATS);
    for (const title of ['1', '2', '3']) await patch(id, title, ALICE, CATS);

    await ports.spaces.rename(CATS, dogs);
    await refusal(patch(id, '4', ALICE, dogs));
    await ports.spaces.rename(dogs, COMMON_SPACE);
    await refusal(patch(id, '4'));
    await ports.spaces.rename(COMMON_SPACE, CATS);
    await refusal(patch(id, '4', ALICE, CATS));

    await ports.images.in(CATS).removeById(id);
    expect(await ports.spaces.forget(CATS)).to.equal(true);
    expect(await opened.knex('change_counts').first()).to.equal(undefined);
  });
}
