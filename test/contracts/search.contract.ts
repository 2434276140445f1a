import { expect } from 'chai';
import { InvalidMetadata, InvalidPlace, MetadataChanged, TooMuchMetadata } from '../../src/domain/errors.ts';
import type { CatalogImage, NewImage } from '../../src/domain/image/image.ts';
import {
  type ImageMetadata,
  type NewMetadata,
  NO_CAPTURE,
  NO_METADATA,
} from '../../src/domain/image/image-metadata.ts';
import { checkEdit, type EditRequest } from '../../src/domain/image/metadata-edit.ts';
import type { Period } from '../../src/domain/image/time/calendar.ts';
import { searchWords } from '../../src/domain/image/words/words.ts';
import type {
  EditedImages,
  ImageMetadataStore,
  MetadataRecords,
  PatchRefusal,
} from '../../src/domain/ports/records/image-metadata-store.ts';
import type { ImageRecords } from '../../src/domain/ports/records/image-repository.ts';
import type {
  ImageSearch,
  PeriodCount,
  SearchFilter,
  SearchPlace,
  SearchSort,
  Timeline,
} from '../../src/domain/ports/records/image-search.ts';
import type { InSpaces } from '../../src/domain/ports/records/in-spaces.ts';
import type { TagCount, TagIndex } from '../../src/domain/ports/records/tag-index.ts';
import { COMMON_SPACE, type Space } from '../../src/domain/space/space.ts';
import { AT_ONCE } from '../support/doubles/staying.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { itemsOf } from '../support/fixtures/items-of.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import type { ManualClock } from '../support/time/manual-clock.ts';
import { madeForEach } from './made-for-each.ts';

/** Images of a page at most, whether they match or not. */
export const CANDIDATES = 4;

/** The ports of one catalog, in the time zone Europe/Berlin. */
export interface FindingUnderTest {
  /** Empty before each test. */
  readonly images: ImageRecords;
  readonly metadata: MetadataRecords;
  readonly tags: InSpaces<TagIndex>;
  readonly search: InSpaces<ImageSearch>;
  /** Its pages end when they have looked at `CANDIDATES`. */
  readonly cut: InSpaces<ImageSearch>;
  readonly timeline: InSpaces<Timeline>;
  /** Read by all of them. */
  readonly clock: ManualClock;
  tearDown(): Promise<void>;
}

const OLDEST_FIRST: SearchSort = { by: 'created', order: 'asc' };
const BY_TIME: SearchSort = { by: 'taken', order: 'asc' };
const ORDERS = [OLDEST_FIRST, BY_TIME, { by: 'random', seed: 's' }] as const;
const UNKNOWN_ID = Number.MAX_SAFE_INTEGER;

let catalog: FindingUnderTest;
/** Where the test has its images. */
let home: Space;
/** Each has twins of the images: the same bytes, words and times, and other spellings of the tags. */
let neighbours: readonly Space[];

/** Registers tests of all guarantees of the ports for metadata and finding; `setUp` runs before each test. */
export function findsImages(name: string, setUp: () => Promise<FindingUnderTest>): void {
  const [one, two] = ['one', 'two'] as Space[];
  describe(`${name} finds images`, () => {
    madeForEach(setUp, (fresh) => {
      catalog = fresh;
      [home, neighbours] = [COMMON_SPACE, []];
    });

    allCases();

    describe('among those of other spaces', () => {
      beforeEach(() => {
        [home, neighbours] = [one ?? COMMON_SPACE, [COMMON_SPACE, two ?? COMMON_SPACE]];
      });

      allCases();
    });

    describe('of one space alone', () => {
      spaceCases();
      neighbourCases();
    });
  });
}

function allCases(): void {
  describe('add', addCases);
  describe('patch', patchCases);
  describe('patch of the focus', focusCases);
  describe('editMany', () => {
    editManyCases();
    boundedEditCases();
  });
  describe('readRecords', portionCases);
  describe('recapture', recaptureCases);
  describe('removeById', removeCases);
  describe('restore', restoreCases);
  describe('list of tags', tagListCases);
  describe('findPage by words', wordCases);
  describe('findPage by camera and lens', cameraCases);
  describe('findPage by tags and times', filterCases);
  describe('findPage in the order of capture', takenCases);
  describe('findPage in a random order', randomCases);
  describe('findPage that ends before it is full', cutCases);
  describe('periods', periodCases);
}

interface Described extends Partial<NewImage>, Partial<NewMetadata> {}

async function add({
  title,
  description,
  alt,
  tags,
  ownTakenAt,
  focus,
  capture,
  ...image
}: Described = {}): Promise<CatalogImage> {
  const stated = { title, description, alt, tags, ownTakenAt, focus, capture };
  const known = Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
  const metadata: NewMetadata = { ...NO_METADATA, ...known };
  const [before, ...behind] = neighbours;
  if (before !== undefined) await addTwin(before, image, metadata);
  const added = await catalog.images.in(home).add(newImage(image), undefined, metadata);
  for (const space of behind) await addTwin(space, image, metadata);
  return added;
}

async function addTwin(space: Space, image: Partial<NewImage>, metadata: NewMetadata): Promise<void> {
  const tags = metadata.tags.map((tag) =>
    tag === tag.toUpperCase() ? tag.toLowerCase() : tag.toUpperCase(),
  );
  await catalog.images.in(space).add(newImage(image), undefined, { ...metadata, tags });
}

async function addAll(...described: readonly Described[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const one of described) ids.push((await add(one)).id);
  return ids;
}

async function addMany(count: number): Promise<readonly number[]> {
  return await addAll(...Array.from({ length: count }, () => ({})));
}

async function metadataOf(id: number): Promise<ImageMetadata | undefined> {
  return await catalog.metadata.in(home).find(id);
}

async function imageOf(id: number): Promise<CatalogImage | undefined> {
  return await catalog.images.in(home).findById(id);
}

function unlessVersion(expected: number): PatchRefusal {
  return ({ version }) => (version === expected ? undefined : new MetadataChanged());
}

async function patch(...change: Parameters<ImageMetadataStore['patch']>): Promise<ImageMetadata | undefined> {
  return await catalog.metadata.in(home).patch(...change);
}

/** @param maxWords enough for edits that are not about it */
async function editMany(ids: readonly number[], edit: EditRequest, maxWords = 10_000): Promise<EditedImages> {
  return await catalog.metadata.in(home).editMany(ids, checkEdit(edit), maxWords);
}

async function tagList(prefix = ''): Promise<readonly TagCount[]> {
  return await catalog.tags.in(home).list({ prefix, order: 'name', limit: 9 }, AT_ONCE);
}

async function countOf(filter: SearchFilter): Promise<number> {
  return await catalog.search.in(home).count(filter, AT_ONCE);
}

async function periods(by: Period, filter: SearchFilter = {}): Promise<readonly PeriodCount[]> {
  return await catalog.timeline.in(home).periods(by, filter, AT_ONCE);
}

/** All pages of a listing, of three images each. */
async function found(filter: SearchFilter, sort: SearchSort = OLDEST_FIRST): Promise<readonly number[]> {
  const ids: number[] = [];
  let after: SearchPlace | undefined;
  do {
    const page = await catalog.search.in(home).findPage({ filter, sort, after, limit: 3 });
    ids.push(...itemsOf(page));
    after = page.next;
  } while (after !== undefined);
  return ids;
}

async function foundBy(text: string): Promise<readonly number[]> {
  return await found({ words: searchWords(text) });
}

function addCases(): void {
  it('returns the summary that is read afterwards', async () => {
    const added = await add({ title: 'Cats', tags: ['b', 'A'], ownTakenAt: '2020-01-01T00:00:00.000Z' });

    expect(added).to.include({ title: 'Cats', takenAt: '2020-01-01T00:00:00.000Z', metadataVersion: 1 });
    expect(added.tags).to.deep.equal(['A', 'b']);
    expect(await imageOf(added.id)).to.deep.equal(added);
    const page = await catalog.images.findPage({ order: 'asc', limit: 9, space: home });
    expect(page).to.deep.equal([{ ...added, space: home }]);
  });

  it('records all that is known', async () => {
    const capture = {
      ...NO_CAPTURE,
      takenAt: '2020-01-01T00:00:00.000',
      make: 'Canon',
      iso: 100,
      latitude: -1.5,
      longitude: 2,
    };
    const metadata = {
      title: '"T\'',
      description: 'one\ntwo',
      alt: '"\'; drop',
      tags: ['%_', '🐈'],
      ownTakenAt: null,
      focus: { x: 0.333, y: 1 },
      capture,
    };
    const { id } = await add(metadata);

    expect(await metadataOf(id)).to.deep.equal({
      ...metadata,
      version: 1,
      updatedAt: null,
    });
  });

  it('gives a tag the spelling that the catalog has', async () => {
    await add({ tags: ['Łódź'] });

    expect((await add({ tags: ['x', 'LODZ'] })).tags).to.deep.equal(['Łódź', 'x']);
  });

  it('spells a tag alike for images that are added together', async () => {
    const added = await Promise.all(['Cat', 'CAT', 'cat'].map((tag) => add({ tags: [tag] })));

    expect(new Set(added.flatMap(({ tags }) => tags)).size).to.equal(1);
    expect(await tagList()).to.deep.equal([{ tag: added[0]?.tags[0], count: 3 }]);
  });
}

function focusCases(): void {
  it('replaces the focus as a whole, and shows it with the image', async () => {
    const { id, focus } = await add();
    expect(focus).to.equal(null);
    for (const point of [{ x: 0.001, y: 0 }, { x: 1, y: 0.999 }, null]) {
      const patched = await patch(id, { focus: point });

      expect(patched?.focus).to.deep.equal(point);
      expect((await imageOf(id))?.focus).to.deep.equal(point);
      expect((await catalog.images.findById(id))?.focus).to.deep.equal(point);
      const page = await catalog.search.in(home).findPage({ filter: {}, sort: OLDEST_FIRST, limit: 9 });
      const records = (await collectAll(catalog.search.in(home).readRecords(itemsOf(page)))).flat();
      expect(records.find((image) => image.id === id)?.focus).to.deep.equal(point);
    }
  });
}

function patchCases(): void {
  it('changes what it names, and nothing else', async () => {
    const { id } = await add({ title: 'old', description: 'stays', tags: ['a'] });
    catalog.clock.advance(5);

    const patched = await patch(id, { title: 'new' });

    expect(patched).to.deep.equal({
      ...NO_METADATA,
      title: 'new',
      description: 'stays',
      tags: ['a'],
      version: 2,
      updatedAt: catalog.clock.now(),
    });
    expect(await metadataOf(id)).to.deep.equal(patched);
  });

  it('that changes nothing keeps the version and the time', async () => {
    const { id } = await add({ title: 'old', tags: ['Cat'], focus: { x: 0.1, y: 0.2 } });

    const same = { title: 'old', tags: ['CAT'], focus: { y: 0.2, x: 0.1 } };
    const patched = await patch(id, same);

    expect(patched).to.deep.include({ version: 1, updatedAt: null, tags: ['Cat'] });
  });

  it('is refused for another version, and changes nothing', async () => {
    const { id } = await add({ title: 'old' });

    const error = await rejection(patch(id, { title: 'new' }, unlessVersion(2)));

    expect(error).to.be.instanceOf(MetadataChanged);
    expect((await metadataOf(id))?.title).to.equal('old');
  });

  it('lets one of several concurrent changes of a version through', async () => {
    const { id } = await add();

    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c'].map((title) => patch(id, { title }, unlessVersion(1))),
    );

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect((await metadataOf(id))?.version).to.equal(2);
  });

  it('returns to each of many concurrent callers its own result', async () => {
    const ids = await addMany(40);

    const patched = await Promise.all(ids.map((id) => patch(id, { title: `of ${id}` })));

    expect(patched.map((metadata) => metadata?.title)).to.deep.equal(ids.map((id) => `of ${id}`));
  });

  it('counts concurrent changes of one image', async () => {
    const { id } = await add();

    await Promise.all(['a', 'b', 'c', 'd'].map((tag) => patch(id, { tags: [tag] })));

    expect((await metadataOf(id))?.version).to.equal(5);
    expect(await tagList()).to.have.length(1);
  });

  it('returns undefined for an image that is not there', async () => {
    expect(await patch(UNKNOWN_ID, { title: 'x' })).to.equal(undefined);
    expect(await metadataOf(UNKNOWN_ID)).to.equal(undefined);
  });

  it('replaces the words under which the image is found', async () => {
    const { id } = await add({ title: 'Sunset', originalName: 'a.jpg' });

    await patch(id, { title: 'Sunrise' });

    expect(await foundBy('sunset')).to.deep.equal([]);
    expect(await foundBy('sunrise a')).to.deep.equal([id]);
  });

  it('lets another spelling of a tag be the first when no image has it any more', async () => {
    const [first, second] = await addAll({ tags: ['Cat'] }, {});
    await patch(first ?? 0, { tags: [] });

    expect((await patch(second ?? 0, { tags: ['CAT'] }))?.tags).to.deep.equal(['CAT']);
  });
}

function editManyCases(): void {
  it('removes before it adds, and returns the ids in the order of the request', async () => {
    const [a = 0, b = 0] = await addAll({ tags: ['x', 'y'] }, { tags: ['z'] });

    const outcome = await editMany([b, UNKNOWN_ID, a, b], { addTags: ['X', 'n'], removeTags: ['X', 'Y'] });

    expect(outcome).to.deep.equal({ updated: [b, a], missing: [UNKNOWN_ID] });
    const tagsOf = async (id: number): Promise<unknown> => (await metadataOf(id))?.tags;
    expect([await tagsOf(a), await tagsOf(b)]).to.deep.equal(
      [
        ['n', 'X'],
        ['n', 'X', 'z'],
      ].map((tags) => tags.map((tag) => (tag === 'X' ? 'x' : tag))),
    );
  });

  it('keeps the version of an image that has not changed', async () => {
    const { id } = await add({ tags: ['a'] });

    await editMany([id], { addTags: ['A'], removeTags: ['b'] });

    expect(await metadataOf(id)).to.deep.include({ version: 1, updatedAt: null });
  });

  it('changes no image if one would have too many', async () => {
    const [a = 0, b = 0] = await addAll({}, { tags: Array.from({ length: 100 }, (_, index) => `t${index}`) });

    const error = await rejection(editMany([a, b], { addTags: ['more'], title: 'More' }));

    expect(error).to.be.instanceOf(InvalidMetadata).and.to.have.property('field', 'addedTags');
    expect((await metadataOf(a))?.tags).to.deep.equal([]);
  });

  it('accepts 500 images', async () => {
    neighbours = [];
    const ids = await addMany(500);

    await editMany(ids, { addTags: ['all', 'of them'] });

    expect(await tagList('all')).to.deep.equal([{ tag: 'all', count: 500 }]);
  });

  it('sets and clears texts, under whose words the images are found', async () => {
    const [a = 0, b = 0] = await addAll({ title: 'Old cats', description: 'Of yore' }, { tags: ['kept'] });

    await editMany([a, b], { title: 'New dogs', description: null });

    expect(await foundBy('dogs')).to.deep.equal([a, b]);
    for (const gone of ['cats', 'yore']) expect(await foundBy(gone)).to.deep.equal([]);
    expect(await metadataOf(a)).to.include({
      title: 'New dogs',
      description: null,
      version: 2,
    });
    expect((await metadataOf(b))?.tags).to.deep.equal(['kept']);
  });

  it('moves times, also those of the camera, in every order and count', async () => {
    const [own = 0, camera = 0, none = 0] = await addAll(
      { ownTakenAt: '2026-01-31T23:30:00.000+05:30', tags: ['t'] },
      { capture: { ...NO_CAPTURE, takenAt: '2026-01-31T12:00:00.000' } },
      {},
    );

    await editMany([own, camera, none], { shiftTaken: '-P31DT12H' });

    expect(await metadataOf(own)).to.include({
      ownTakenAt: '2025-12-31T11:30:00.000+05:30',
    });
    expect(await metadataOf(camera)).to.deep.include({
      ownTakenAt: '2025-12-31T00:00:00.000',
      capture: { ...NO_CAPTURE, takenAt: '2026-01-31T12:00:00.000' },
    });
    expect(await metadataOf(none)).to.include({ ownTakenAt: null, version: 1 });
    const days = (await periods('day')).map(({ period, count }) => `${period} ${count}`);
    expect(days.slice(1)).to.deep.equal(['2025-12-31 2']);
    const tagged = await catalog.search
      .in(home)
      .findPage({ filter: { tags: ['t'] }, sort: BY_TIME, limit: 9 });
    const records = (await collectAll(catalog.search.in(home).readRecords(itemsOf(tagged)))).flat();
    expect(records.map(({ takenAt }) => takenAt)).to.deep.equal(['2025-12-31T11:30:00.000+05:30']);
  });
}

function portionCases(): void {
  it('reads records with long tags among others, in the order asked for, without those that are gone', async () => {
    const tags = Array.from({ length: 100 }, (_, at) => `${at}`.padStart(64, 'x'));
    const ids = await addAll(...Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? { tags } : {})));
    const asked = [...ids.toReversed(), Number.MAX_SAFE_INTEGER];

    const read = (await collectAll(catalog.search.in(home).readRecords(asked))).flat();

    expect(read.map(({ id, tags: { length } }) => [id, length])).to.deep.equal(
      ids.map((id, at) => [id, at % 2 === 0 ? 100 : 0]).toReversed(),
    );
  });
}

function boundedEditCases(): void {
  it('changes no image if more words come or go than allowed', async () => {
    const ids = await addAll(...Array.from({ length: 40 }, () => ({ description: 'one two three' })));
    const clear = { description: null, addTags: ['four'] };

    const error = await rejection(editMany(ids, clear, 4 * 40 - 1));

    expect(error).to.be.instanceOf(TooMuchMetadata);
    for (const id of [ids[0] ?? 0, ids.at(-1) ?? 0]) {
      expect(await metadataOf(id)).to.include({
        description: 'one two three',
        version: 1,
      });
    }
    expect((await editMany(ids, clear, 4 * 40)).updated).to.deep.equal(ids);
  });

  it('changes no image if one would get a time that the catalog cannot have', async () => {
    const ids = await addAll(
      ...Array.from({ length: 40 }, () => ({ ownTakenAt: '2026-01-31T12:00:00.000Z' })),
      { ownTakenAt: '9999-12-31T23:59:59.000Z' },
    );

    const error = await rejection(editMany(ids, { shiftTaken: '+PT1S', title: 'Late' }));

    expect(error).to.be.instanceOf(InvalidMetadata).and.to.have.property('field', 'shiftTaken');
    for (const id of [ids[0] ?? 0, ids.at(-1) ?? 0]) {
      expect(await metadataOf(id)).to.include({ title: null, version: 1 });
    }
    expect(await foundBy('late')).to.deep.equal([]);
  });
}

function recaptureCases(): void {
  const CAPTURE = { ...NO_CAPTURE, takenAt: '2019-01-01T00:00:00.000', model: 'EOS R5' };

  it('replaces what the camera wrote, as a change', async () => {
    const { id } = await add();

    await catalog.metadata.recapture(new Map([[id, { capture: CAPTURE, keywords: ['k'] }]]));

    expect(await metadataOf(id)).to.deep.include({
      capture: CAPTURE,
      tags: ['k'],
      version: 2,
    });
    expect(await foundBy('eos')).to.deep.equal([id]);
  });

  it('keeps the tags and times of a person', async () => {
    const { id } = await add();
    await patch(id, { takenAt: '2020-01-01T00:00:00.000Z' });

    await catalog.metadata.recapture(new Map([[id, { capture: CAPTURE, keywords: ['k'] }]]));

    expect(await imageOf(id)).to.deep.include({
      takenAt: '2020-01-01T00:00:00.000Z',
      tags: [],
    });
  });

  it('keeps the version if nothing is new, and skips images that are not there', async () => {
    const { id } = await add({ capture: CAPTURE });
    const files = new Map([id, UNKNOWN_ID].map((one) => [one, { capture: CAPTURE, keywords: [] }]));

    await catalog.metadata.recapture(files);

    expect((await metadataOf(id))?.version).to.equal(1);
  });
}

function removeCases(): void {
  it('removes the image from all that finds it', async () => {
    const { id } = await add({ title: 'Sunset', tags: ['a'], ownTakenAt: '2020-01-01T00:00:00.000Z' });

    await catalog.images.in(home).removeById(id);

    expect(await foundBy('sunset')).to.deep.equal([]);
    expect(await found({}, BY_TIME)).to.deep.equal([]);
    expect(await tagList()).to.deep.equal([]);
    expect(await periods('day')).to.deep.equal([]);
    expect(await metadataOf(id)).to.equal(undefined);
  });
}

function restoreCases(): void {
  it('records images with their metadata', async () => {
    const said = { title: 'Sunset', alt: '', tags: ['a'], focus: { x: 0.25, y: 0.75 } };
    const metadata = { ...NO_METADATA, ...said, version: 7, updatedAt: new Date(5) };
    const owned = { space: home, createdBy: null };
    await catalog.images.restore([{ ...newImage(), ...owned, id: 3, createdAt: new Date(1), metadata }]);

    expect(await metadataOf(3)).to.deep.equal(metadata);
    expect(await catalog.images.findMetadata([3, UNKNOWN_ID])).to.deep.equal(new Map([[3, metadata]]));
    expect(await foundBy('sunset')).to.deep.equal([3]);
  });

  it('replaces the metadata of a record', async () => {
    const image = await add({ title: 'old', tags: ['a'] });
    const metadata = {
      ...NO_METADATA,
      title: 'new',
      alt: 'New',
      tags: ['b'],
      version: 9,
      updatedAt: new Date(5),
    };

    await catalog.images.restore([{ ...image, space: home, metadata }]);

    expect(await metadataOf(image.id)).to.deep.equal(metadata);
    expect(await found({ tags: ['a'] })).to.deep.equal([]);
    expect(await found({ tags: ['b'] })).to.deep.equal([image.id]);
  });
}

function tagListCases(): void {
  beforeEach(async () => {
    await addAll({ tags: ['Émile', 'b'] }, { tags: ['a', 'B'] }, { tags: ['b', 'emma', '100%'] });
  });

  async function listed(prefix: string, order: 'name' | 'count', limit = 9): Promise<readonly string[]> {
    const tags = await catalog.tags.in(home).list({ prefix, order, limit }, AT_ONCE);
    return tags.map(({ tag, count }) => `${tag} ${count}`);
  }

  it('is sorted by fold, or by count, and has the tags with a beginning, which is literal', async () => {
    expect(await listed('', 'name')).to.deep.equal(['100% 1', 'a 1', 'b 3', 'Émile 1', 'emma 1']);
    expect(await listed('', 'count', 3)).to.deep.equal(['b 3', '100% 1', 'a 1']);
    expect(await listed('em', 'count')).to.deep.equal(['Émile 1', 'emma 1']);
    expect(await listed('%', 'name')).to.deep.equal([]);
  });

  it('has tags with any characters behind the beginning', async () => {
    await addAll({ tags: ['emz\u{10FFFF}z', 'em\u{10FFFF}z', '\u{10FFFF}', '\uD7FF', '\uE000'] });

    expect(await listed('em', 'name')).to.have.members([
      'Émile 1',
      'emma 1',
      'emz\u{10FFFF}z 1',
      'em\u{10FFFF}z 1',
    ]);
    expect(await listed('\u{10FFFF}', 'name')).to.deep.equal(['\u{10FFFF} 1']);
    expect(await listed('\uD7FF', 'name')).to.deep.equal(['\uD7FF 1']);
  });
}

function wordCases(): void {
  const CASES: ReadonlyArray<readonly [string, Described, string, boolean]> = [
    ['the beginning of a word', { title: 'Sunsets' }, 'sun', true],
    ['the end of a word', { title: 'Sunsets' }, 'sets', false],
    ['the extension', { originalName: 'IMG_1234.JPG' }, 'jpg', true],
    ['letters and digits together', { originalName: 'DSC01234.JPG' }, 'dsc012', true],
    ['all words, in any order', { title: 'Black cats', tags: ['Night'] }, 'night CAT black', true],
    ['one word that is missing', { title: 'Black cats' }, 'black dog', false],
    ['a word without accents', { title: 'Café Łódź' }, 'cafe lodz', true],
    ['the alternative text', { alt: 'A cat on a sofa' }, 'sofa', true],
    ['the creator', { capture: { ...NO_CAPTURE, creator: 'Ann Smith, Bo Ek' } }, 'smith bo', true],
    ['the copyright', { capture: { ...NO_CAPTURE, copyright: 'Smith' } }, 'smith', false],
    ['make and model', { capture: { ...NO_CAPTURE, make: 'Canon', model: 'EOS R5' } }, 'canon r5', true],
    ['the lens', { capture: { ...NO_CAPTURE, lens: 'Nikkor' } }, 'nikkor', false],
    ['two characters of a Japanese text', { title: '東京都庁' }, '京都', true],
    ['query syntax', { title: 'a OR b* "c" -d NEAR(e)' }, 'near or "d" * AND', false],
    ['words of query syntax', { title: 'a OR b* "c" -d NEAR(e)' }, '"NEAR" -or*', true],
    ['a beginning of 64 characters and more', { description: 'x'.repeat(70) }, 'x'.repeat(68), true],
    [
      'a longer word with the same beginning',
      { description: `${'x'.repeat(70)}y` },
      `${'x'.repeat(69)}y`,
      false,
    ],
  ];
  for (const [what, described, text, matches] of CASES) {
    it(`${matches ? 'finds' : 'does not find'} an image by ${what}`, async () => {
      const { id } = await add({ originalName: 'n', ...described });
      await add({ originalName: 'other', title: 'Another' });

      expect(await foundBy(text)).to.deep.equal(matches ? [id] : []);
    });
  }

  it('returns every image once if several of its words match', async () => {
    const ids = await addAll({ title: 'cat cats cathedral' }, { title: 'catalog' }, { title: 'cattle cat' });

    expect(await foundBy('cat')).to.deep.equal(ids);
  });

  it('keeps a long word if another with the same beginning goes', async () => {
    const [one, other] = [`${'x'.repeat(70)}y`, `${'x'.repeat(70)}z`];
    const { id } = await add({ title: one, description: `${one} ${other}` });

    await patch(id, { title: null, description: other });

    expect(await foundBy(other)).to.deep.equal([id]);
    expect(await foundBy(one)).to.deep.equal([]);
    expect(await foundBy('x'.repeat(60))).to.deep.equal([id]);
  });

  it('finds a beginning that many words have', async () => {
    const ids = await addAll(...Array.from({ length: 40 }, (_, index) => ({ title: `w${index}` })));

    expect(await foundBy('w')).to.deep.equal(ids);
    expect(await found({ words: ['w'] }, { by: 'taken', order: 'desc' })).to.deep.equal(ids.toReversed());
  });
}

function cameraCases(): void {
  const EOS = { ...NO_CAPTURE, make: 'Canon', model: 'EOS R5', lens: 'RF24-105mm F4 L' };
  const PHONE = { ...NO_CAPTURE, make: 'Łumix', model: 'DMC-G9', lens: 'Canon EF adapter' };

  it('finds beginnings of words of make and model, or of the lens', async () => {
    const [eos, phone] = await addAll(
      { capture: EOS },
      { capture: PHONE },
      { title: 'Canon EOS R5 RF24-105mm' },
    );

    expect(await found({ camera: searchWords('can r5') })).to.deep.equal([eos]);
    expect(await found({ camera: searchWords('LUM') })).to.deep.equal([phone]);
    expect(await found({ camera: searchWords('adapter') })).to.deep.equal([]);
    expect(await found({ lens: searchWords('rf24 105') })).to.deep.equal([eos]);
    expect(await found({ lens: searchWords('canon') })).to.deep.equal([phone]);
    expect(await found({ lens: searchWords('r5') })).to.deep.equal([]);
  });

  it('does not find by words what is no word', async () => {
    await add({ originalName: 'n', capture: EOS });

    for (const text of ['camera', 'lens', '@canon r', '#rf']) {
      const expected = text === '@canon r' ? 1 : 0;
      expect(await foundBy(text), text).to.have.length(expected);
    }
  });

  it('combines them with all other filters, in every order and count', async () => {
    const [, both] = await addAll(
      { capture: EOS, tags: ['t'] },
      { capture: EOS, tags: ['t'], title: 'cat', ownTakenAt: '2020-01-01T00:00:00.000Z' },
      { capture: PHONE, tags: ['t'], title: 'cat' },
    );
    const filter = { camera: ['canon'], lens: ['rf'], tags: ['t'], words: ['cat'], takenAfter: new Date(0) };

    for (const sort of ORDERS) {
      expect(await found(filter, sort)).to.deep.equal([both]);
    }
    expect(await countOf(filter)).to.equal(1);
    const [year] = await periods('year', filter);
    expect(year).to.include({ period: '2020', count: 1 });
  });

  it('follows a file that is read again', async () => {
    const { id } = await add({ capture: EOS });

    await catalog.metadata.recapture(new Map([[id, { capture: { ...PHONE, make: null }, keywords: [] }]]));

    expect(await found({ camera: ['canon'] })).to.deep.equal([]);
    expect(await found({ camera: ['dmc'], lens: ['canon'] })).to.deep.equal([id]);
    expect(await foundBy('canon')).to.deep.equal([]);
  });
}

function filterCases(): void {
  it('has all of several tags', async () => {
    const [both] = await addAll({ tags: ['a', 'b', 'c'] }, { tags: ['a'] }, { tags: ['b'] });

    expect(await found({ tags: ['a', 'b'] })).to.deep.equal([both]);
    expect(await found({ tags: ['a', 'unknown'] })).to.deep.equal([]);
  });

  it('has a type, the bytes of a digest, and was added between two times, which are exclusive', async () => {
    const sha256 = 'b2'.repeat(32);
    const [first, times] = [await add({ mediaType: 'image/png', sha256 }), [catalog.clock.now()]];
    catalog.clock.advance(1);
    const second = await add({ mediaType: 'image/png' });
    const third = await add({ sha256 });
    catalog.clock.advance(1);
    times.push(catalog.clock.now());
    await add({ mediaType: 'image/png', sha256 });
    const [createdAfter, createdBefore] = times;

    for (const sort of ORDERS) {
      expect(await found({ createdAfter, createdBefore }, sort)).to.have.members([second.id, third.id]);
      expect(await found({ createdAfter, createdBefore, sha256 }, sort)).to.deep.equal([third.id]);
      expect(await found({ mediaType: 'image/png', createdBefore }, sort)).to.have.members([
        first.id,
        second.id,
      ]);
      expect(await found({ mediaType: 'image/png', createdAfter: createdBefore }, sort)).to.deep.equal([]);
      expect(await found({ sha256: '00'.repeat(32) }, sort)).to.deep.equal([]);
    }
    expect(await countOf({ sha256, createdBefore })).to.equal(2);
  });

  it('was taken between two times, which are exclusive, and not at an unknown one', async () => {
    const times = ['2020-01-01T00:00:00.000Z', '2020-01-01T00:00:00.001Z', '2020-01-01T00:00:00.002Z'];
    const [, second] = await addAll(...times.map((ownTakenAt) => ({ ownTakenAt })), {});

    const filter = { takenAfter: new Date(times[0] ?? ''), takenBefore: new Date(times[2] ?? '') };

    expect(await found(filter)).to.deep.equal([second]);
    expect(await found(filter, BY_TIME)).to.deep.equal([second]);
    expect(await found(filter, { by: 'random', seed: 's' })).to.deep.equal([second]);
  });

  it('has no tags, or no time, or neither', async () => {
    const ownTakenAt = '2020-01-01T00:00:00.000Z';
    const [none = 0, dated, tagged, both = 0] = await addAll(
      {},
      { ownTakenAt },
      { tags: ['t'] },
      { ownTakenAt, tags: ['t'] },
    );
    const undated = { ...NO_CAPTURE };

    for (const sort of ORDERS) {
      expect(await found({ tagged: false }, sort)).to.have.members([none, dated]);
      expect(await found({ dated: false }, sort)).to.have.members([none, tagged]);
      expect(await found({ tagged: false, dated: false }, sort)).to.deep.equal([none]);
      expect(await found({ tagged: false, tags: ['t'] }, sort)).to.deep.equal([]);
      expect(await found({ dated: false, takenAfter: new Date(0) }, sort)).to.deep.equal([]);
    }
    expect(await countOf({ tagged: false })).to.equal(2);
    await patch(both, { tags: null, takenAt: null });
    await catalog.metadata.recapture(new Map([[both, { capture: undated, keywords: [] }]]));
    expect(await found({ tagged: false, dated: false })).to.deep.equal([none, both]);
  });

  it('has no alternative text; a decorative one has', async () => {
    const [none = 0, decorative = 0, described = 0] = await addAll({}, { alt: '' }, { alt: 'A cat' });

    for (const sort of ORDERS) expect(await found({ alt: false }, sort)).to.deep.equal([none]);
    await editMany([none, decorative, described], { alt: null });
    await patch(none, { alt: '' });
    expect(await found({ alt: false })).to.deep.equal([decorative, described]);
    expect(await countOf({ alt: false })).to.equal(2);
    expect([await imageOf(none), await imageOf(described)].map((image) => image?.alt)).to.deep.equal([
      '',
      null,
    ]);
  });

  it('was uploaded by exactly one person, with other conditions, in every order and count', async () => {
    const by = async (name: string | undefined, image: Partial<NewImage> = {}): Promise<number> =>
      (await catalog.images.in(home).add(newImage(image), undefined, NO_METADATA, name)).id;
    const png = { mediaType: 'image/png', sha256: 'b2'.repeat(32) } as const;
    const ids = [
      await by('ann'),
      await by('Ann'),
      await by(undefined),
      await by('ann', png),
      await by('ann '),
    ];
    const [first, , , fourth] = ids;

    for (const sort of ORDERS) {
      expect(await found({ createdBy: 'ann' }, sort)).to.have.members([first, fourth]);
      expect(await found({ createdBy: 'ann', ...png }, sort)).to.deep.equal([fourth]);
      expect(await found({ createdBy: 'Ann', mediaType: 'image/png' }, sort)).to.deep.equal([]);
      expect(await found({ createdBy: 'ann', alt: false }, sort)).to.have.members([first, fourth]);
      expect(await found({ createdBy: 'nobody' }, sort)).to.deep.equal([]);
    }
    expect(await countOf({ createdBy: 'ann' })).to.equal(2);
    const [year] = await periods('year', { createdBy: 'ann' });
    expect(year?.count).to.equal(2);
  });

  it('leaves out images above an id', async () => {
    const [first, second = 0] = await addAll({ tags: ['a'] }, { tags: ['a'] }, { tags: ['a'] });
    for (const sort of ORDERS) {
      for (const filter of [{}, { tags: ['a'] }]) {
        const page = await catalog.search.in(home).findPage({ filter, sort, upToId: second, limit: 9 });

        expect(itemsOf(page)).to.have.members([first, second]);
      }
    }
  });
}

function takenCases(): void {
  /** The clock of the catalog stands at 2026-01-31T12:00Z. */
  const TIMES = [
    null,
    '2026-01-31T12:59:59.999',
    '2026-01-31T13:00:00.001',
    '2026-01-31T12:00:00.000Z',
    '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59.999+14:00',
  ];

  it('sorts by time, in the zone of the catalog if it has no offset, then by id', async () => {
    const [none, before, behind, equal, first, last] = await addAll(
      ...TIMES.map((ownTakenAt) => ({ ownTakenAt, tags: ['t'], title: 'word' })),
    );
    const expected = [first, before, none, equal, behind, last];

    for (const filter of [{}, { tags: ['t'] }, { words: ['wo'] }, { mediaType: 'image/jpeg' as const }]) {
      expect(await found(filter, BY_TIME)).to.deep.equal(expected);
      expect(await found(filter, { by: 'taken', order: 'desc' })).to.deep.equal(expected.toReversed());
    }
  });

  it('moves an image whose time is changed', async () => {
    const [a = 0, b] = await addAll({ tags: ['t'] }, { tags: ['t'] });

    await patch(a, { takenAt: '2030-01-01T00:00:00.000Z' });

    expect(await found({}, BY_TIME)).to.deep.equal([b, a]);
    expect(await found({ tags: ['t'] }, BY_TIME)).to.deep.equal([b, a]);
  });

  it('resolves a time in a gap with the offset before it, and one of two to the earlier', async () => {
    const [gap, earlier, first, second] = await addAll(
      { ownTakenAt: '2026-03-29T02:30:00.000' },
      { ownTakenAt: '2026-10-25T02:30:00.000' },
      { ownTakenAt: '2026-03-29T01:30:00.001Z' },
      { ownTakenAt: '2026-10-25T00:30:00.001Z' },
    );

    expect(await found({}, BY_TIME)).to.deep.equal([gap, first, earlier, second]);
  });
}

function randomCases(): void {
  async function shuffled(seed: string, filter: SearchFilter = {}): Promise<readonly number[]> {
    return await found(filter, { by: 'random', seed });
  }

  it('has every image once, in an order of the seed', async () => {
    const ids = await addMany(20);

    const order = await shuffled('one');

    expect(order)
      .to.have.members(ids as number[])
      .and.to.have.length(20);
    expect(order).to.not.deep.equal(ids);
    expect(await shuffled('one')).to.deep.equal(order);
    expect(await shuffled('two')).to.not.deep.equal(order);
  });

  it('keeps the order of the others when images come and go', async () => {
    const ids = await addMany(20);
    const order = await shuffled('one');
    await catalog.images.in(home).removeById(order[5] ?? 0);
    await add();

    const later = await shuffled('one');

    expect(later.filter((id) => ids.includes(id))).to.deep.equal(order.filter((id) => id !== order[5]));
  });

  it('keeps the order of a walk that has begun when the highest id passes a power of two', async () => {
    const ids = await addMany(7);
    const sort = { by: 'random', seed: 'one' } as const;
    const whole = await shuffled('one');
    const first = await catalog.search.in(home).findPage({ filter: {}, sort, limit: 3 });
    await addAll({}, {}, {});

    const rest = await catalog.search.in(home).findPage({ filter: {}, sort, after: first.next, limit: 9 });

    expect([first, rest].flatMap(itemsOf)).to.deep.equal(whole);
    expect(whole).to.have.length(ids.length);
  });

  it('refuses a place of a catalog that is larger than this one has ever been', async () => {
    await addAll({}, {}, {});
    const query = { filter: {}, sort: { by: 'random', seed: 'one' }, limit: 3 } as const;
    const page = catalog.search
      .in(home)
      .findPage({ ...query, after: { by: 'random', power: 3, position: 0 } });

    expect(await rejection(page)).to.be.instanceOf(InvalidPlace);
  });

  it('keeps the order under a filter', async () => {
    await addAll(...Array.from({ length: 20 }, (_, index) => ({ tags: index % 3 === 0 ? ['t'] : [] })));
    const tagged = await found({ tags: ['t'] });

    const order = await shuffled('one');

    expect(await shuffled('one', { tags: ['t'] })).to.deep.equal(order.filter((id) => tagged.includes(id)));
  });

  it('has ids that lie far apart', async () => {
    await catalog.images.reserveIds(2 ** 40);
    const ids = await addAll({}, {}, {}, {});

    expect(await shuffled('one')).to.have.members(ids as number[]);
  });
}

function cutCases(): void {
  const IMAGES = 20;
  const LIMIT = 3;
  const TAGGED = ['t'];
  const FILTERS: ReadonlyArray<readonly [string, SearchFilter, (index: number) => boolean]> = [
    ['words that no image has together', { words: ['odd', 'even'] }, () => false],
    ['tags that no image has together', { tags: ['a', 'b'] }, () => false],
    ['a word of the few that have a tag', { words: ['odd'], tags: TAGGED }, (index) => index === 9],
    ['a beginning of many words', { words: ['w', 'odd'] }, (index) => index % 2 === 1],
    ['a type of the few that have a tag', { mediaType: 'image/png', tags: TAGGED }, () => false],
    ['bytes of another type', { mediaType: 'image/png', sha256: 'a'.repeat(64) }, () => false],
    ['a time that none has', { takenAfter: new Date('2020-01-01T00:00:00Z'), words: ['odd'] }, () => false],
  ];
  const SORTS: readonly SearchSort[] = [
    OLDEST_FIRST,
    { by: 'created', order: 'desc' },
    BY_TIME,
    { by: 'taken', order: 'desc' },
    { by: 'random', seed: 'one' },
  ];

  let ids: readonly number[];

  beforeEach(async () => {
    ids = await addAll(
      ...Array.from({ length: IMAGES }, (_, index) => ({
        title: `${index % 2 === 0 ? 'even' : 'odd'} w${index}`,
        tags: [index % 2 === 0 ? 'a' : 'b', ...(index % 9 === 0 ? TAGGED : [])],
        ownTakenAt: `2000-01-${10 + ((index * 7) % IMAGES)}T00:00:00.000Z`,
        sha256: 'a'.repeat(64),
      })),
    );
  });

  for (const [what, filter, isHit] of FILTERS) {
    it(`finds ${what} in pages of which each has looked at enough or is full`, async () => {
      const hits = ids.filter((_, index) => isHit(index));
      for (const sort of SORTS) {
        const pages = await pagesOf(filter, sort);

        const found = pages.flat();
        expect(found, JSON.stringify(sort)).to.have.members(hits);
        expect(found).to.deep.equal((await orderBy(sort)).filter((id) => hits.includes(id)));
        const maxPages = IMAGES / CANDIDATES + hits.length / LIMIT + 1;
        expect(pages.length, JSON.stringify(sort)).to.be.at.most(maxPages);
      }
    });
  }

  it('may be empty although there are more images', async () => {
    for (const sort of SORTS) {
      const { items, next } = await catalog.cut
        .in(home)
        .findPage({ filter: { words: ['odd', 'even'] }, sort, limit: LIMIT });

      expect(items).to.deep.equal([]);
      expect(next).to.be.an('object');
    }
  });

  it('ends among images of other times', async () => {
    const before = catalog.clock.now();
    catalog.clock.advance(1);
    const last = { tags: ['t'], ownTakenAt: '2009-01-01T00:00:00.000Z' };
    const added = await addAll(last, last, last);
    const others = await addAll(...Array.from({ length: CANDIDATES }, () => ({ ...last, tags: [] })));
    const later: ReadonlyArray<readonly [SearchSort, SearchFilter, readonly number[]]> = [
      [BY_TIME, { createdAfter: before }, [...added, ...others]],
      [BY_TIME, { createdAfter: before, tags: TAGGED }, added],
      [OLDEST_FIRST, { takenAfter: new Date('2008-01-01T00:00:00Z'), tags: ['t'] }, added],
    ];

    for (const [sort, filter, hits] of later) {
      const pages = await pagesOf(filter, sort);
      expect(pages[0]).to.not.include.members(added);
      expect(pages.flat()).to.deep.equal(hits);
      expect(pages.length).to.be.at.most(
        (IMAGES + LIMIT + CANDIDATES) / CANDIDATES + hits.length / LIMIT + 1,
      );
    }
  });

  async function pagesOf(filter: SearchFilter, sort: SearchSort): Promise<ReadonlyArray<readonly number[]>> {
    const pages: Array<readonly number[]> = [];
    let after: SearchPlace | undefined;
    do {
      const page = await catalog.cut.in(home).findPage({ filter, sort, after, limit: LIMIT });
      pages.push(itemsOf(page));
      after = page.next;
    } while (after !== undefined && pages.length <= IMAGES);
    return pages;
  }

  /** Of all images. */
  async function orderBy(sort: SearchSort): Promise<readonly number[]> {
    return itemsOf(await catalog.search.in(home).findPage({ filter: {}, sort, limit: 100 }));
  }
}

function periodCases(): void {
  const TIMES = ['2026-01-31T22:30:00.000Z', '2026-01-31T23:30:00.000Z', '2025-06-01T00:00:00.000', null];

  async function counted(period: Period, filter?: SearchFilter): Promise<readonly string[]> {
    return (await periods(period, filter)).map((one) => `${one.period} ${one.count}`);
  }

  beforeEach(async () => {
    await addAll(...TIMES.map((ownTakenAt, index) => ({ ownTakenAt, tags: index === 1 ? [] : ['t'] })));
  });

  it('are days, months and years in the zone of the catalog, newest first', async () => {
    expect(await counted('day')).to.deep.equal(['2026-02-01 1', '2026-01-31 2', '2025-06-01 1']);
    expect(await counted('month')).to.deep.equal(['2026-02 1', '2026-01 2', '2025-06 1']);
    expect(await counted('year')).to.deep.equal(['2026 3', '2025 1']);
  });

  it('count the images that match a filter', async () => {
    expect(await counted('day', { tags: ['t'] })).to.deep.equal(['2026-01-31 2', '2025-06-01 1']);
    expect(await counted('year', { tags: ['unknown'] })).to.deep.equal([]);
    expect(await counted('year', { takenAfter: new Date('2026-01-01T00:00:00Z') })).to.deep.equal(['2026 2']);
  });

  it('count images whose ids lie far apart', async () => {
    await catalog.images.reserveIds(250_000);
    await addAll({ ownTakenAt: '2025-12-01T00:00:00.000Z', tags: ['t'] });

    expect(await counted('year', {})).to.deep.equal(['2026 3', '2025 2']);
    expect(await counted('year', { tags: ['t'] })).to.deep.equal(['2026 2', '2025 2']);
  });

  it('follow changes and removals', async () => {
    const [first] = await found({});
    await patch(first ?? 0, { takenAt: '2000-01-01T00:00:00.000Z' });
    expect(await counted('year')).to.deep.equal(['2026 2', '2025 1', '2000 1']);

    await catalog.images.in(home).removeById(first ?? 0);

    expect(await counted('year')).to.deep.equal(['2026 2', '2025 1']);
  });

  it('say where a listing begins with them', async () => {
    const all = await found({}, { by: 'taken', order: 'desc' });
    for (const period of ['day', 'month', 'year'] as const) {
      let seen = 0;
      for (const { after, count } of await periods(period)) {
        const sort = { by: 'taken', order: 'desc' } as const;
        const page = await catalog.search.in(home).findPage({ filter: {}, sort, after, limit: 9 });
        expect(itemsOf(page)).to.deep.equal(all.slice(seen));
        seen += count;
      }
    }
  });
}

const [mine, other] = ['mine', 'other'] as [Space, Space];
const SPACES = [COMMON_SPACE, mine, other];

/** One image in each space. */
async function addEverywhere(...tags: readonly string[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const [at, space] of SPACES.entries()) {
    home = space;
    ids.push(
      (await add({ title: 'cat', tags: [tags[at] ?? ''], ownTakenAt: '2020-01-01T00:00:00.000Z' })).id,
    );
  }
  return ids;
}

function spaceCases(): void {
  it('does not change images of another', async () => {
    const ids = await addEverywhere('a', 'b', 'c');
    const [, id = 0] = ids;
    home = other;

    expect(await metadataOf(id)).to.equal(undefined);
    expect(await patch(id, { title: 'new' })).to.equal(undefined);
    const edited = await editMany(ids, { addTags: ['new'] });
    expect(edited).to.deep.equal({ updated: [ids[2]], missing: [ids[0], id] });
    expect(await catalog.images.in(home).removeById(id)).to.equal(false);
    home = mine;
    expect(await metadataOf(id)).to.deep.include({
      title: 'cat',
      tags: ['b'],
      version: 1,
    });
    expect(await found({ tags: ['new'] })).to.deep.equal([]);
  });

  it('keeps its words, tags and days when another loses the same', async () => {
    const ids = await addEverywhere('a', 'A', 'a');
    await catalog.images.in(COMMON_SPACE).removeById(ids[0] ?? 0);
    await catalog.images.in(other).removeById(ids[2] ?? 0);
    home = mine;

    expect(await found({ words: ['cat'], tags: ['a'] })).to.deep.equal([ids[1]]);
    expect(await tagList()).to.deep.equal([{ tag: 'A', count: 1 }]);
    expect(await periods('year')).to.have.length(1);
    home = other;
    expect(await periods('year')).to.deep.equal([]);
    expect(await foundBy('cat')).to.deep.equal([]);
  });
}

function neighbourCases(): void {
  it('is patched and added to together with others', async () => {
    const ids = await addEverywhere('a', 'a', 'a');

    const added = await Promise.all(
      SPACES.map((space) =>
        catalog.images
          .in(space)
          .add(newImage(), undefined, { ...NO_METADATA, tags: [`in${space}`, 'b', 'B'] }),
      ),
    );
    const patched = await Promise.all(
      SPACES.map((space, at) =>
        catalog.metadata.in(space).patch(ids[at] ?? 0, { tags: ['B', `in${space}`] }),
      ),
    );

    const expected = SPACES.map((space) => ['b', `in${space}`]);
    expect(added.map(({ tags }) => tags)).to.deep.equal(expected);
    expect(patched.map((metadata) => metadata?.tags)).to.deep.equal(expected);
    for (const [at, space] of SPACES.entries()) {
      home = space;
      expect(await found({ tags: ['b'] })).to.have.members([ids[at], added[at]?.id]);
    }
  });

  it('of which the catalog knows nothing is empty', async () => {
    await addEverywhere('a', 'a', 'a');
    home = 'unknown' as Space;

    expect(await found({})).to.deep.equal([]);
    expect(await found({}, { by: 'random', seed: 's' })).to.deep.equal([]);
    expect(await found({ words: ['cat'] }, BY_TIME)).to.deep.equal([]);
    expect(await tagList()).to.deep.equal([]);
    expect(await periods('day')).to.deep.equal([]);
    expect(await countOf({})).to.equal(0);
  });

  it('has an order of its own, whatever the others get', async () => {
    home = other;
    await addAll({}, {}, {});
    home = mine;
    const ids = await addAll({}, {}, {}, {}, {});
    const random = { by: 'random', seed: 's' } as const;
    const order = await found({}, random);
    for (const space of [COMMON_SPACE, other]) {
      home = space;
      await addMany(20);
    }

    home = mine;
    expect(await found({}, random)).to.deep.equal(order);
    expect(order).to.have.members(ids as number[]);
  });

  it('refuses a place that only a larger space has', async () => {
    home = other;
    await addMany(20);
    home = mine;
    await addAll({}, {}, {});
    const query = { filter: {}, sort: { by: 'random', seed: 's' }, limit: 3 } as const;

    const page = catalog.search
      .in(home)
      .findPage({ ...query, after: { by: 'random', power: 4, position: 0 } });

    expect(await rejection(page)).to.be.instanceOf(InvalidPlace);
  });
}
