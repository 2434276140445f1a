import { expect } from 'chai';
import {
  IdempotencyKeyInUse,
  ImageNotFound,
  NameChanged,
  NameNotFound,
  PublishingRefused,
  QuotaExceeded,
} from '../../src/domain/errors.ts';
import { MAX_NAMES_OF_IMAGE, type Name } from '../../src/domain/name/name.ts';
import type { ChangeRecords } from '../../src/domain/ports/records/change-feed.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type { NameRecords, Names } from '../../src/domain/ports/records/names.ts';
import type { SpaceRecords } from '../../src/domain/ports/records/space-records.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import type { ManualClock } from '../support/time/manual-clock.ts';
import { madeForEach } from './made-for-each.ts';

export interface NamesUnderTest {
  readonly names: NameRecords;
  readonly spaces: SpaceRecords;
  readonly changes: ChangeRecords;
  /** In the same database, as several processes have it; empty before each test. */
  readonly processes: readonly [ImageRecords, ...ImageRecords[]];
  readonly clock: ManualClock;
  /** Breaks the rule that a name points to an image of its space. */
  mispoint(name: Name, imageId: number): Promise<void>;
  /** Gives an image of the common space so many names, `planted-<id>-1` to `planted-<id>-<count>`, whatever the limit. */
  plant(imageId: number, count: number): Promise<void>;
  tearDown(): Promise<void>;
}

const ALPHA = 'alpha' as Space;
const [HERO, LOGO] = ['hero', 'logo.png'] as [Name, Name];
const EVERYTHING = { prefix: '', limit: 100 };
const LOST_CLAIM = {
  space: COMMON_SPACE,
  scope: 's',
  key: 'k',
  token: 'ffffffff-ffff-4fff-bfff-ffffffffffff',
};

/** Of the running test: set before each. */
let made: NamesUnderTest;
let names: Names;
let images: ImageRecords;

/** Registers tests of all guarantees of `NameRecords`, and those of `ImageRepository` about names. */
export function keepsNames(title: string, setUp: () => Promise<NamesUnderTest>): void {
  describe(`${title} keeps names`, () => {
    madeForEach(setUp, (fresh) => {
      made = fresh;
      names = made.names.in(COMMON_SPACE);
      [images] = made.processes;
    });

    describe('set', setCases);
    describe('find and findByNumber', findCases);
    describe('conditions', conditionCases);
    describe('the number of names of an image', limitCases);
    describe('a public name', publicCases);
    describe('the end of a public name', endingCases);
    describe('remove', removeCases);
    describe('a name that was removed long ago', forgettingCases);
    describe('list', listCases);
    describe('spaces', spaceCases);
    describe('a new image with a name', uploadCases);
    describe('a removed image', imageCases);
    describe('a space that is renamed or ends', renameCases);
    describe('a copy', numberCases);
    describe('findDangling', danglingCases);
  });
}

async function add(space: Space = COMMON_SPACE): Promise<number> {
  return (await images.in(space).add(newImage())).id;
}

async function numberOf(name: Name): Promise<number> {
  return (await names.find(name))?.number ?? Number.NaN;
}

/** Types and names of all changes. */
async function feed(): Promise<ReadonlyArray<readonly unknown[]>> {
  const { changes } = (await made.changes.readPage(undefined, 1000)) ?? { changes: [] };
  return changes.map(({ type, imageId, name, nameNumber, by }) => [type, imageId, name, nameNumber, by]);
}

function setCases(): void {
  it('points a new name to an image', async () => {
    const id = await add();

    const { named, isNew } = await names.set(HERO, id, { by: 'ann' });

    expect(isNew).to.equal(true);
    expect(named).to.deep.include({ name: HERO, imageId: id, version: 1, updatedAt: made.clock.now() });
    expect(await names.find(HERO)).to.deep.include(named);
    expect((await feed()).at(-1)).to.deep.equal(['name.set', id, HERO, named.number, 'ann']);
  });

  it('moves a name, which keeps its number and mark', async () => {
    const [one, other] = [await add(), await add()];
    const { named: first } = await names.set(HERO, one, {});
    made.clock.advance(5);

    const { named, isNew } = await names.set(HERO, other, {});

    expect(isNew).to.equal(false);
    expect(named).to.deep.equal({ ...first, imageId: other, version: 2, updatedAt: made.clock.now() });
  });

  it('changes nothing where the name points to the image already', async () => {
    const id = await add();
    const { named } = await names.set(HERO, id, {});
    const before = await feed();
    made.clock.advance(5);

    expect(await names.set(HERO, id, { by: 'bob' })).to.deep.equal({ named, isNew: false });
    expect(await feed()).to.deep.equal(before);
  });

  it('refuses an unknown image and a removed one, whatever the condition', async () => {
    const id = await add();
    await images.in(COMMON_SPACE).removeById(id);

    for (const none of [id, 77]) {
      expect(await rejection(names.set(HERO, none, { matches: () => false }))).to.be.instanceOf(
        ImageNotFound,
      );
    }
    expect(await names.find(HERO)).to.equal(undefined);
  });
}

function findCases(): void {
  it('finds names of several spaces at once, each with its image', async () => {
    const [here, logo, there] = [await add(), await add(), await add(ALPHA)];
    const alpha = made.names.in(ALPHA);
    const { named } = await names.set(HERO, here, {});
    await names.set(LOGO, logo, {});
    await alpha.set(HERO, there, {});

    const found = await Promise.all([
      names.find(LOGO),
      alpha.find(HERO),
      names.find(HERO),
      alpha.find(LOGO),
      names.find(HERO),
    ]);

    expect(found.map((one) => one?.imageId)).to.deep.equal([logo, there, here, undefined, here]);
    expect(found[2]).to.deep.equal({ ...named, image: await images.in(COMMON_SPACE).findById(here) });
  });

  it('finds names by number at once, those that are gone too', async () => {
    const { named } = await names.set(HERO, await add(), {});
    const { named: gone } = await names.set(LOGO, await add(), {});
    await names.remove(LOGO, {});

    const numbers = [gone.number, 2 ** 53 - 1, named.number, named.number];
    const found = await Promise.all(numbers.map((number) => made.names.findByNumber(number)));

    expect(found.map((one) => one && [one.name, one.imageId])).to.deep.equal([
      [LOGO, undefined],
      undefined,
      [HERO, named.imageId],
      [HERO, named.imageId],
    ]);
  });
}

function conditionCases(): void {
  it('are judged by the version, which a name that is gone has not', async () => {
    const seen: unknown[] = [];
    const matches = (version: number | undefined): boolean => seen.push(version) > 0;
    const id = await add();

    await names.set(HERO, id, { matches });
    await names.set(HERO, await add(), { matches });
    await names.remove(HERO, { matches });
    await names.set(HERO, id, { matches });

    expect(seen).to.deep.equal([undefined, 1, 2, undefined]);
  });

  it('keep the name as it is if they do not hold', async () => {
    const { named } = await names.set(HERO, await add(), {});
    const change = { matches: () => false };

    expect(await rejection(names.set(HERO, await add(), change))).to.be.instanceOf(NameChanged);
    expect(await rejection(names.remove(HERO, change))).to.be.instanceOf(NameChanged);
    expect(await names.find(HERO)).to.deep.include(named);
  });

  it('let one of two that move a name at once succeed', async () => {
    await names.set(HERO, await add(), {});
    const ids = [await add(), await add()];
    const change = { matches: (version: number | undefined) => version === 1 };

    const outcomes = await Promise.allSettled(ids.map(async (id) => await names.set(HERO, id, change)));

    expect(outcomes.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'rejected']);
  });
}

function limitCases(): void {
  it('has a limit for new names and for those that move', async () => {
    const [full, other] = [await add(), await add()];
    await made.plant(full, MAX_NAMES_OF_IMAGE - 1);
    await names.set(LOGO, full, {});
    await names.set(HERO, other, {});

    expect(await rejection(names.set('new' as Name, full, {}))).to.be.instanceOf(QuotaExceeded);
    expect(await rejection(names.set(HERO, full, {}))).to.be.instanceOf(QuotaExceeded);
    expect((await names.find(HERO))?.imageId).to.equal(other);
    await names.remove(LOGO, {});
    expect((await names.set(HERO, full, {})).named.imageId).to.equal(full);
  });

  it('is judged behind the condition', async () => {
    const id = await add();
    await made.plant(id, MAX_NAMES_OF_IMAGE);
    const set = names.set(HERO, id, { matches: () => false });

    expect(await rejection(set)).to.be.instanceOf(NameChanged);
  });

  it('stays above the limit until names go', async () => {
    const [full, other] = [await add(), await add()];
    await made.plant(full, MAX_NAMES_OF_IMAGE + 3);
    const first = `planted-${full}-1` as Name;

    expect(await names.set(first, full, {})).to.deep.include({ isNew: false });
    expect(await rejection(names.set(HERO, full, {}))).to.be.instanceOf(QuotaExceeded);
    expect((await names.set(first, other, {})).named.imageId).to.equal(other);
    await images.in(COMMON_SPACE).removeById(full);
    expect((await names.list(EVERYTHING)).map(({ name }) => name)).to.deep.equal([first]);
  });

  it('lets one of two that get the last name at once succeed', async () => {
    const id = await add();
    await made.plant(id, MAX_NAMES_OF_IMAGE - 1);
    const outcomes = await Promise.allSettled(
      [HERO, LOGO].map(async (name) => await names.set(name, id, {})),
    );

    expect(outcomes.map(({ status }) => status).toSorted()).to.deep.equal(['fulfilled', 'rejected']);
  });
}

const PUBLISH = { isPublic: true, mayPublish: true };

/** What the feed tells of changes of names. */
async function publications(): Promise<ReadonlyArray<readonly unknown[]>> {
  const { changes } = (await made.changes.readPage(undefined, 1000)) ?? { changes: [] };
  return changes.flatMap(({ type, isPublic }) => (type.startsWith('name.') ? [[type, isPublic]] : []));
}

function publicCases(): void {
  it('is found by its number with its image, in any space', async () => {
    const [id, there] = [await add(), await add(ALPHA)];
    const { named } = await names.set(HERO, id, PUBLISH);
    const { named: other } = await made.names.in(ALPHA).set(HERO, there, PUBLISH);
    const { named: hidden } = await names.set(LOGO, id, {});

    const numbers = [other.number, hidden.number, named.number, 2 ** 53 - 1];
    const found = await Promise.all(numbers.map((number) => made.names.findPublic(number)));

    expect(found.map((one) => one?.imageId)).to.deep.equal([there, undefined, id, undefined]);
    expect(named).to.include({ isPublic: true, version: 1 });
    expect(found[2]).to.deep.include(named);
    expect(found[2]?.image).to.deep.include(await images.in(COMMON_SPACE).findById(id));
    expect(await made.names.findByNumber(named.number)).to.deep.equal(named);
  });

  it('becomes one, and ends to be one, in a new version; what is so already changes nothing', async () => {
    const id = await add();
    const wanted = [undefined, false, true, true, undefined, false, false];

    const versions = [];
    for (const isPublic of wanted) {
      const { named } = await names.set(HERO, id, { isPublic, mayPublish: true });
      versions.push([named.isPublic, named.version]);
    }

    expect(versions).to.deep.equal([
      [false, 1],
      [false, 1],
      [true, 2],
      [true, 2],
      [true, 2],
      [false, 3],
      [false, 3],
    ]);
    expect(await publications()).to.deep.equal([
      ['name.set', false],
      ['name.set', true],
      ['name.set', false],
    ]);
  });

  it('stays public when it moves', async () => {
    const { number } = (await names.set(HERO, await add(), PUBLISH)).named;
    const other = await add();
    await names.set(HERO, other, { mayPublish: true });

    expect(await made.names.findPublic(number)).to.include({ imageId: other, version: 2 });
  });

  it('needs a client that may publish, whatever changes, behind the condition and before the number of names', async () => {
    const [id, full] = [await add(), await add()];
    await made.plant(full, MAX_NAMES_OF_IMAGE);
    await names.set(HERO, id, PUBLISH);
    const before = await feed();
    const refused = [
      await rejection(names.set(LOGO, id, { isPublic: true })),
      await rejection(names.set(HERO, id, {})),
      await rejection(names.set(HERO, id, { isPublic: true, mayPublish: false })),
      await rejection(names.set(HERO, full, {})),
      await rejection(
        images.in(COMMON_SPACE).add(newImage(), undefined, undefined, undefined, { name: HERO }),
      ),
    ];

    for (const error of refused) expect(error).to.be.instanceOf(PublishingRefused);
    expect(await rejection(names.set(HERO, id, { matches: () => false }))).to.be.instanceOf(NameChanged);
    expect(await feed()).to.deep.equal(before);
    expect(await images.count()).to.equal(2);
  });

  it('comes with a new image, or not', async () => {
    for (const isPublic of [true, false]) {
      const name = { name: HERO, isPublic, mayPublish: true };
      const { id } = await images.in(COMMON_SPACE).add(newImage(), undefined, undefined, undefined, name);

      const found = await made.names.findPublic((await names.find(HERO))?.number ?? 0);
      expect(found?.imageId).to.equal(isPublic ? id : undefined);
    }
  });
}

function endingCases(): void {
  it('needs no client that may publish, also when it moves', async () => {
    const other = await add();
    const { number } = (await names.set(HERO, await add(), PUBLISH)).named;

    expect((await names.set(HERO, other, { isPublic: false })).named).to.include({ isPublic: false });
    expect(await made.names.findPublic(number)).to.equal(undefined);
    await names.set(HERO, other, PUBLISH);
    await names.remove(HERO, {});
    expect(await made.names.findPublic(number)).to.equal(undefined);
  });

  it('lasts when the name is set again', async () => {
    const id = await add();
    const { number } = (await names.set(HERO, id, PUBLISH)).named;
    await names.remove(HERO, {});

    expect(await made.names.findByNumber(number)).to.include({ isPublic: false });
    const { named } = await names.set(HERO, id, {});
    expect(named).to.include({ number, isPublic: false });
    expect(await made.names.findPublic(number)).to.equal(undefined);
  });

  it('comes with the end of its image, deleted or trashed', async () => {
    for (const to of [undefined, 'trash'] as const) {
      const id = await add();
      const { number } = (await names.set(HERO, id, PUBLISH)).named;
      await images.in(COMMON_SPACE).removeById(id, undefined, to);

      expect(await made.names.findPublic(number)).to.equal(undefined);
      expect((await names.set(HERO, await add(), {})).named.isPublic).to.equal(false);
      await names.remove(HERO, {});
    }
  });

  it('does not come with another name of its space', async () => {
    const id = await add(ALPHA);
    const { number } = (await made.names.in(ALPHA).set(HERO, id, PUBLISH)).named;
    await made.spaces.rename(ALPHA, BETA);

    expect(await made.names.findPublic(number)).to.include({ imageId: id });
  });
}

/** Removes all changes but the last one from the feed. */
async function clearFeed(): Promise<void> {
  made.clock.advance(1);
  await add();
  made.clock.advance(1);
  while ((await made.changes.removeOlder(made.clock.now())) > 0);
}

function forgettingCases(): void {
  it('is forgotten when the feed has no change of it', async () => {
    const { named } = await names.set(HERO, await add(), {});
    await names.remove(HERO, {});
    await clearFeed();

    expect(await made.names.forgetRemoved(made.clock.now())).to.equal(1);
    expect(await made.names.forgetRemoved(made.clock.now())).to.equal(0);
    expect(await made.names.findByNumber(named.number)).to.equal(undefined);
    expect(await made.names.highestNumber()).to.equal(named.number);
  });

  it('stays as long as the feed has a change of it', async () => {
    const { named } = await names.set(HERO, await add(), {});
    await names.remove(HERO, {});
    made.clock.advance(1);

    expect(await made.names.forgetRemoved(made.clock.now())).to.equal(0);
    expect(await made.names.findByNumber(named.number)).to.include({ name: HERO });
  });

  it('is not one that was removed later, that is there, or that was set again', async () => {
    const id = await add();
    for (const name of [HERO, LOGO, 'late' as Name]) await names.set(name, id, {});
    await names.remove(HERO, {});
    await names.set(HERO, id, {});
    made.clock.advance(10);
    const time = made.clock.now();
    made.clock.advance(1);
    await names.remove('late' as Name, {});
    await clearFeed();

    expect(await made.names.forgetRemoved(time)).to.equal(0);
  });

  it('leaves its number and all versions up to its own to no other name', async () => {
    const [id, there] = [await add(), await add(ALPHA)];
    for (const of of [id, await add(), id]) await names.set(HERO, of, {});
    const { number, version } = (await names.find(HERO)) ?? expect.fail();
    await names.remove(HERO, {});
    await clearFeed();
    await made.names.forgetRemoved(made.clock.now());

    const { named: again } = await names.set(HERO, id, {});
    const { named: other } = await made.names.in(ALPHA).set(LOGO, there, {});
    const { named: moved } = await made.names.in(ALPHA).set(LOGO, await add(ALPHA), {});

    expect([again.version, other.version, moved.version]).to.deep.equal([
      version + 1,
      version + 1,
      version + 2,
    ]);
    expect([again.number, other.number]).to.deep.equal([number + 1, number + 2]);
  });

  it('lowers no version when one of a lower version is forgotten later', async () => {
    const id = await add();
    for (const of of [id, await add(), id]) await names.set(HERO, of, {});
    await names.set(LOGO, id, {});
    for (const name of [HERO, LOGO]) {
      await names.remove(name, {});
      await clearFeed();
      await made.names.forgetRemoved(made.clock.now());
    }

    const { named } = await names.set('later' as Name, id, {});
    expect(named.version).to.equal(4);
  });
}

function removeCases(): void {
  it('ends a name, which is told with its image', async () => {
    const id = await add();
    const { named } = await names.set(HERO, id, {});

    await names.remove(HERO, { by: 'ann' });

    expect(await names.find(HERO)).to.equal(undefined);
    expect((await feed()).at(-1)).to.deep.equal(['name.removed', id, HERO, named.number, 'ann']);
    expect(await made.names.findByNumber(named.number)).to.deep.include({ name: HERO, imageId: undefined });
  });

  it('refuses a name that is not there', async () => {
    expect(await rejection(names.remove(HERO, {}))).to.be.instanceOf(NameNotFound);
    await names.set(HERO, await add(), {});
    await names.remove(HERO, {});
    expect(await rejection(names.remove(HERO, { matches: () => false }))).to.be.instanceOf(NameNotFound);
  });

  it('keeps number and mark for a name that is set again, whose version rises', async () => {
    const id = await add();
    const { named } = await names.set(HERO, id, {});
    await names.remove(HERO, {});

    const again = await names.set(HERO, id, {});

    expect(again.isNew).to.equal(true);
    expect(again.named).to.deep.include({ number: named.number, mark: named.mark, version: 2 });
  });
}

function listCases(): void {
  it('has all names, only public ones, or only the others', async () => {
    const id = await add();
    for (const name of ['a', 'b', 'c', 'd'] as Name[]) await names.set(name, id, {});
    for (const name of ['b', 'd'] as Name[]) await names.set(name, id, PUBLISH);
    const list = async (query: object): Promise<string> =>
      (await names.list({ ...EVERYTHING, ...query })).map(({ name }) => name).join('');

    expect(await list({})).to.equal('abcd');
    expect(await list({ isPublic: true })).to.equal('bd');
    expect(await list({ isPublic: false })).to.equal('ac');
    expect(await list({ isPublic: true, after: 'b' })).to.equal('d');
    expect(await list({ isPublic: false, prefix: 'c' })).to.equal('c');
  });

  it('is sorted by code point, and leaves out names that are gone', async () => {
    const id = await add();
    for (const name of ['b', 'a', 'B', '_', '-', '0', 'a.b', 'a-b', 'gone'] as Name[]) {
      await names.set(name, id, {});
    }
    await names.remove('gone' as Name, {});

    const listed = await names.list(EVERYTHING);

    expect(listed.map(({ name }) => name)).to.deep.equal(['-', '0', 'B', '_', 'a', 'a-b', 'a.b', 'b']);
    expect(await names.find('-' as Name)).to.deep.include(listed[0]);
  });

  it('takes a prefix literally, a limit, and a name to go on behind', async () => {
    const id = await add();
    for (const name of ['cat_1', 'cat_2', 'cat_3', 'cats', 'ca'] as Name[]) await names.set(name, id, {});
    const list = async (query: object): Promise<readonly string[]> =>
      (await names.list({ ...EVERYTHING, ...query })).map(({ name }) => name);

    expect(await list({ prefix: 'cat_' })).to.deep.equal(['cat_1', 'cat_2', 'cat_3']);
    expect(await list({ prefix: 'cat', limit: 2 })).to.deep.equal(['cat_1', 'cat_2']);
    expect(await list({ prefix: 'cat', after: 'cat_2' as Name })).to.deep.equal(['cat_3', 'cats']);
  });
}

function spaceCases(): void {
  it('have names of their own with numbers of the catalog', async () => {
    const [here, there] = [await add(), await add(ALPHA)];
    const { named } = await names.set(HERO, here, {});
    const other = await made.names.in(ALPHA).set(HERO, there, {});

    expect(other.isNew).to.equal(true);
    expect(other.named.number).not.to.equal(named.number);
    expect(await made.names.in('unknown' as Space).find(HERO)).to.equal(undefined);
    expect(await made.names.in(ALPHA).list(EVERYTHING)).to.deep.equal([other.named]);
    expect(await made.names.findByNumber(other.named.number)).to.deep.equal(other.named);
  });

  it('do not share images', async () => {
    const id = await add(ALPHA);

    expect(await rejection(names.set(HERO, id, {}))).to.be.instanceOf(ImageNotFound);
    expect(await rejection(made.names.in(ALPHA).remove(HERO, {}))).to.be.instanceOf(NameNotFound);
  });
}

function uploadCases(): void {
  it('has the name from its record on', async () => {
    const { id } = await images.in(COMMON_SPACE).add(newImage(), undefined, undefined, 'ann', { name: HERO });

    expect(await names.find(HERO)).to.deep.include({ imageId: id, version: 1 });
    expect(await feed()).to.deep.equal([
      ['image.created', id, undefined, undefined, 'ann'],
      ['name.set', id, HERO, await numberOf(HERO), 'ann'],
    ]);
  });

  it('moves the name', async () => {
    await names.set(HERO, await add(), {});
    const matches = (version: number | undefined): boolean => version === 1;

    const { id } = await images
      .in(COMMON_SPACE)
      .add(newImage(), undefined, undefined, undefined, { name: HERO, matches });

    expect(await names.find(HERO)).to.deep.include({ imageId: id, version: 2 });
  });

  it('is not recorded if the condition does not hold', async () => {
    const add = images
      .in(COMMON_SPACE)
      .add(newImage(), undefined, undefined, undefined, { name: HERO, matches: () => false });

    expect(await rejection(add)).to.be.instanceOf(NameChanged);
    expect(await images.count()).to.equal(0);
    expect(await feed()).to.deep.equal([]);
    expect(await images.highestId()).to.equal(0);
  });

  it('leaves the name alone if its claim is lost', async () => {
    const add = images.in(COMMON_SPACE).add(newImage(), LOST_CLAIM, undefined, undefined, { name: HERO });

    expect(await rejection(add)).to.be.instanceOf(IdempotencyKeyInUse);
    expect(await names.find(HERO)).to.equal(undefined);
  });

  it('gets a name that is free once, among many at once', async () => {
    const name = { name: HERO, matches: (version: number | undefined) => version === undefined };
    const adds = made.processes.flatMap((process) =>
      Array.from({ length: 5 }, async () =>
        process.in(COMMON_SPACE).add(newImage(), undefined, undefined, undefined, name),
      ),
    );

    const outcomes = await Promise.allSettled([...adds, add(), add()]);

    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).to.have.length(adds.length - 1);
    for (const error of refused) expect(error).to.be.instanceOf(NameChanged);
    expect(await images.count()).to.equal(3);
    expect((await names.find(HERO))?.version).to.equal(1);
  });
}

function imageCases(): void {
  it('takes its names with it, which is told before', async () => {
    const [id, other] = [await add(), await add()];
    const { named } = await names.set(LOGO, id, {});
    const { named: hero } = await names.set(HERO, id, {});
    await names.set('kept' as Name, other, {});
    const before = await feed();

    await images.in(COMMON_SPACE).removeById(id, 'ann');

    expect((await feed()).slice(before.length)).to.deep.equal([
      ['name.removed', id, HERO, hero.number, 'ann'],
      ['name.removed', id, LOGO, named.number, 'ann'],
      ['image.deleted', id, undefined, undefined, 'ann'],
    ]);
    expect((await names.list(EVERYTHING)).map(({ name }) => name)).to.deep.equal(['kept']);
  });
}

const BETA = 'beta' as Space;
const RENAMED = [
  [ALPHA, BETA],
  [ALPHA, COMMON_SPACE],
  [COMMON_SPACE, BETA],
] as const;

function renameCases(): void {
  for (const [from, to] of RENAMED) {
    it(`takes its names along, from '${from}' to '${to}'`, async () => {
      const { named } = await made.names.in(from).set(HERO, await add(from), {});
      const gone = await add(to);
      await made.names.in(to).set(HERO, gone, {});
      await images.in(to).removeById(gone);

      const highest = await made.names.highestNumber();

      await made.spaces.rename(from, to);

      expect(await made.names.highestNumber()).to.equal(highest);
      expect(await made.names.in(to).list(EVERYTHING)).to.deep.equal([named]);
      expect(await made.names.in(from).list(EVERYTHING)).to.deep.equal([]);
    });
  }

  it('forgets its names', async () => {
    const id = await add(ALPHA);
    const { named } = await made.names.in(ALPHA).set(HERO, id, {});
    await images.in(ALPHA).removeById(id);

    await made.spaces.forget(ALPHA);

    expect(await made.names.findByNumber(named.number)).to.equal(undefined);
    expect(await made.names.highestNumber()).to.equal(named.number);
    const { named: again } = await made.names.in(ALPHA).set(HERO, await add(ALPHA), {});
    expect(again.number).to.be.above(named.number);
    expect(again.version).to.be.above(named.version);
  });
}

function numberCases(): void {
  it('gives higher numbers than those that are reserved, and lowers none', async () => {
    const id = await add();
    expect(await made.names.highestNumber()).to.equal(0);
    await made.names.reserveNumbers(12);
    const { named } = await names.set(HERO, id, {});
    await made.names.reserveNumbers(1);
    const { named: next } = await names.set(LOGO, id, {});

    expect([named.number, next.number]).to.deep.equal([13, 14]);
  });
}

function danglingCases(): void {
  it('finds names that point to no image of their space', async () => {
    const [here, there] = [await add(), await add(ALPHA)];
    const [gone, moved, right] = ['gone', 'moved', 'right'] as [Name, Name, Name];
    for (const name of [gone, HERO, moved, right]) await names.set(name, here, {});
    await names.remove(gone, {});
    await made.names.in(ALPHA).set(right, there, {});
    expect(await made.names.findDangling()).to.deep.equal([]);

    await made.mispoint(HERO, 77);
    await made.mispoint(moved, there);

    expect(await made.names.findDangling()).to.deep.equal([
      { space: COMMON_SPACE, name: HERO, imageId: 77, isElsewhere: false },
      { space: COMMON_SPACE, name: moved, imageId: there, isElsewhere: true },
    ]);
  });
}
