import { CatalogError, type Change, type NamedImage } from '@image-catalog/client';
import { expect } from 'chai';
import { EndingAddresses } from '../../../web/src/publishing/ending-addresses.ts';
import { MOST_PUBLISHED, PublishedNames } from '../../../web/src/publishing/published-names.ts';
import { publishAgain, unpublish } from '../../../web/src/publishing/set-public.ts';
import { followPublicStates, usePublicState } from '../../../web/src/publishing/use-public-state.ts';
import { useUnpublish } from '../../../web/src/publishing/use-unpublish.ts';
import { Gate, settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { mount, unmountAfterwards } from '../doubles/mounted-hook.ts';

const CONFLICT = new CatalogError('No', { code: 'precondition_failed', status: 412 });
const MISSING = new CatalogError('No', { code: 'name_not_found', status: 404 });

function nameOf(name: string, id: number, isPublic = true): NamedImage {
  const url = isPublic ? `https://example.com/p/1/${name}` : null;
  return { name, number: 1, id, version: 1, updatedAt: '', public: isPublic, url };
}

function change(type: string, name: string, id: number, isPublic?: boolean): Change {
  return {
    type,
    name,
    id,
    cursor: '',
    at: '',
    by: null,
    ...(isPublic !== undefined && { public: isPublic }),
  };
}

/** Lists these names after the gate is open. */
class FakeNames {
  listed: readonly NamedImage[] = [];
  error: Error | undefined;
  readonly gate = new Gate();
  requests = 0;

  async *listNames(): AsyncGenerator<NamedImage, void, undefined> {
    this.requests += 1;
    const { listed } = this;
    await this.gate.opened;
    if (this.error !== undefined) throw this.error;
    yield* listed;
  }
}

let catalog: FakeNames;
let published: PublishedNames;
let time: ManualTime;

function usePublished(): void {
  beforeEach(() => {
    catalog = new FakeNames();
    catalog.gate.open();
    catalog.listed = [nameOf('a', 1), nameOf('b', 1), nameOf('c', 2)];
    time = new ManualTime();
    published = new PublishedNames(catalog, true, time);
  });
}

describe('published names', () => {
  usePublished();

  it('are those of the catalog, by image', async () => {
    expect(published.namesOf([1])).to.equal(undefined);
    await published.read();
    expect(published.namesOf([1, 3])).to.deep.equal(['a', 'b']);
    expect([...published.ids.get()]).to.deep.equal([1, 2]);
  });

  it('follow what others do, and keep the address of a name that moves', async () => {
    await published.read();
    published.follow([
      change('name.set', 'a', 3, true),
      change('name.set', 'b', 1, false),
      change('name.removed', 'c', 2),
      change('name.set', 'd', 4, true),
    ]);
    expect([...(published.known.get()?.names ?? [])]).to.deep.equal([
      ['a', { id: 3, url: 'https://example.com/p/1/a' }],
      ['d', { id: 4, url: undefined }],
    ]);
  });

  it('do not follow changes from before this page has changed a name', async () => {
    await published.read();
    published.learn({ ...nameOf('a', 1), updatedAt: '2026-01-02' });
    published.follow([{ ...change('name.set', 'a', 1, false), at: '2026-01-01' }]);
    expect(published.namesOf([1])).to.deep.equal(['a', 'b']);
    published.follow([{ ...change('name.set', 'a', 1, false), at: '2026-01-03' }]);
    expect(published.namesOf([1])).to.deep.equal(['b']);
  });

  it('follow changes in the order of the feed, whatever clocks the processes of the service have', async () => {
    await published.read();
    published.learn({ ...nameOf('a', 1), updatedAt: '2026-01-02' });
    time.pass(10_000);
    published.follow([{ ...change('name.set', 'a', 1, false), at: '2026-01-01' }]);
    expect(published.namesOf([1])).to.deep.equal(['b']);
    published.follow([{ ...change('name.set', 'a', 3, true), at: '2025-12-31' }]);
    expect(published.namesOf([3])).to.deep.equal(['a']);
  });

  it('are read again after a failure, and after the feed has failed', async () => {
    catalog.error = new Error('No');
    expect([await published.read(), published.isUpToDate]).to.deep.equal([false, false]);
    catalog.error = undefined;
    published.readIfOutdated();
    await settled();
    expect([published.isUpToDate, published.known.get()?.isAll]).to.deep.equal([true, true]);

    published.feedFailed();
    expect([published.isUpToDate, published.known.get()?.isAll]).to.deep.equal([false, false]);
    published.feedBegan();
    published.readIfOutdated();
    await settled();
    expect([published.isUpToDate, published.known.get()?.isAll]).to.deep.equal([true, true]);
    const { requests } = catalog;
    published.readIfOutdated();
    expect(catalog.requests).to.equal(requests);
  });

  it('are not told by a response that is older than a change', async () => {
    const late = new FakeNames();
    late.listed = catalog.listed;
    published = new PublishedNames(late, true, time);
    const reading = published.read();
    published.learn(nameOf('a', 1, false));
    late.gate.open();
    await reading;
    expect(published.namesOf([1])).to.deep.equal(['b']);
  });

  it('are read once at a time, and again after a failure', async () => {
    catalog.error = new Error('No');
    await Promise.all([published.read(), published.read()]);
    expect([catalog.requests, published.known.get()]).to.deep.equal([1, undefined]);
    catalog.error = undefined;
    await published.read();
    expect(published.namesOf([2])).to.deep.equal(['c']);
  });

  it('are the first of very many', async () => {
    catalog.listed = Array.from({ length: MOST_PUBLISHED + 1 }, (_, index) => nameOf(`n${index}`, index));
    await published.read();
    expect(published.known.get()?.names.size).to.equal(MOST_PUBLISHED);
    expect(published.known.get()?.isAll).to.equal(false);
  });

  it('are none, without a request, where nothing is published', async () => {
    published = new PublishedNames(catalog, false);
    await published.read();
    published.follow([change('name.set', 'a', 1, true)]);
    expect([published.namesOf([1]), catalog.requests]).to.deep.equal([[], 0]);
  });
});

describe('addresses that end with pictures', () => {
  usePublished();
  let endings: EndingAddresses;
  let deleted: number;
  const proceed = (): void => void (deleted += 1);

  beforeEach(() => {
    deleted = 0;
    endings = new EndingAddresses(published);
  });

  it('are asked about, and pictures without any are deleted at once', async () => {
    await published.read();
    endings.ask([3], proceed);
    expect([deleted, endings.question.get()]).to.deep.equal([1, undefined]);

    endings.ask([1, 3], proceed);
    expect(endings.question.get()).to.deep.equal({ ids: [1, 3], names: ['a', 'b'], certainty: 'all' });
    endings.cancel();
    expect([deleted, endings.question.get()]).to.deep.equal([1, undefined]);

    endings.ask([1], proceed);
    await endings.agree();
    expect([deleted, endings.question.get()]).to.deep.equal([2, undefined]);
  });

  it('are read first if they are not known', async () => {
    endings.ask([3], proceed);
    expect(endings.question.get()?.names).to.equal(undefined);
    await settled();
    expect([deleted, endings.question.get()]).to.deep.equal([1, undefined]);
  });

  it('are said to be unknown if they cannot be read', async () => {
    catalog.error = new Error('No');
    endings.ask([3], proceed);
    await settled();
    expect(endings.question.get()).to.deep.equal({ ids: [3], names: [], certainty: 'none' });
    await endings.agree();
    expect(deleted).to.equal(1);
  });

  it('are read each time while the feed is not followed', async () => {
    await published.read();
    published.feedFailed();
    catalog.listed = [nameOf('z', 3)];
    for (const round of [2, 3]) {
      endings.ask([3], proceed);
      await settled();
      expect(endings.question.get()).to.deep.equal({ ids: [3], names: ['z'], certainty: 'all' });
      endings.cancel();
      expect(catalog.requests).to.equal(round);
    }
    catalog.error = new Error('No');
    endings.ask([3], proceed);
    await settled();
    expect([endings.question.get()?.certainty, deleted]).to.deep.equal(['none', 0]);
  });

  it('are not answered for a person who has cancelled before they were known', async () => {
    endings.ask([3], proceed);
    endings.cancel();
    await settled();
    expect([deleted, endings.question.get()]).to.deep.equal([0, undefined]);
  });
});

/** One name, whose conditions are judged as the service does it. */
class FakeName {
  /** `undefined`: it was removed. */
  current: NamedImage | undefined;
  /** Done before the next change: others are faster. */
  before: (() => void) | undefined;
  readonly sent: unknown[] = [];

  constructor(isPublic = true) {
    this.current = nameOf('a', 1, isPublic);
  }

  /** By another person. */
  change(isPublic: boolean, id = 1): void {
    this.current = { ...nameOf('a', id, isPublic), version: (this.current?.version ?? 0) + 1 };
  }

  readonly getName = async (): Promise<NamedImage> => {
    if (this.current === undefined) throw MISSING;
    return this.current;
  };

  readonly setName = async (
    _name: string,
    id: number,
    { ifMatch, public: isPublic }: { readonly ifMatch: number; readonly public: boolean },
  ): Promise<NamedImage> => {
    this.before?.();
    this.before = undefined;
    if (this.current?.version !== ifMatch) throw CONFLICT;
    this.sent.push(isPublic);
    this.change(isPublic, id);
    return this.current;
  };
}

describe('ending a public address', () => {
  it('tries again if somebody else was faster', async () => {
    const names = new FakeName();
    names.before = () => names.change(true, 2);
    expect(await unpublish(names, 'a')).to.deep.include({ isDone: true });
    expect(names.current).to.include({ id: 2, public: false });
  });

  it('does nothing if somebody else has done it', async () => {
    const names = new FakeName(false);
    expect(await unpublish(names, 'a')).to.deep.include({ isDone: false });
    expect(names.sent).to.deep.equal([]);
  });

  it('finds nothing to do for a name that was removed', async () => {
    const names = new FakeName();
    names.current = undefined;
    expect(await unpublish(names, 'a')).to.equal(undefined);
  });

  it('is undone', async () => {
    const names = new FakeName();
    const { named } = (await unpublish(names, 'a')) ?? {};
    expect(await publishAgain(names, named as NamedImage)).to.deep.include({ isDone: true });
    expect(names.current).to.include({ public: true });
  });

  for (const [what, change] of [
    ['moved', (names: FakeName) => names.change(false, 2)],
    [
      'published and unpublished',
      (names: FakeName): void => {
        names.change(true);
        names.change(false);
      },
    ],
  ] as const) {
    it(`is not undone if somebody has ${what} the name since then`, async () => {
      const names = new FakeName();
      const { named } = (await unpublish(names, 'a')) ?? {};
      change(names);
      expect(await publishAgain(names, named as NamedImage)).to.deep.include({ isDone: false });
      expect(names.current).to.include({ public: false });
    });
  }
});

describe('whether a name is public', () => {
  usePublished();
  unmountAfterwards();

  async function mountState(names: FakeName) {
    const parts = new GalleryParts({ catalog: names, published });
    const hook = await mount(() => usePublicState('a'), parts);
    return { hook, parts };
  }

  it('is not known before the service has responded', async () => {
    const names = new FakeName();
    const gate = new Gate();
    const { getName } = names;
    Object.assign(names, { getName: async () => await gate.opened.then(getName) });
    const { hook } = await mountState(names);
    expect(hook.value).to.include({ isKnown: false, isPublic: false });
    await hook.do(() => gate.open());
    expect(hook.value).to.include({ isKnown: true, isPublic: true });
  });

  it('is what the feed says rather than what the service has said before', async () => {
    catalog.listed = [];
    const { hook } = await mountState(new FakeName(false));
    await published.read();
    published.feedFailed();
    await hook.pass(1);
    expect(hook.value).to.include({ isKnown: true, isPublic: false });
    await hook.do(() => published.follow([change('name.set', 'a', 1, true)]));
    expect(hook.value).to.include({ isKnown: true, isPublic: true });
  });

  it('is asked again if others change a name that is not listed', async () => {
    const names = new FakeName();
    const { hook, parts } = await mountState(names);
    expect(hook.value).to.include({ isPublic: true });
    names.change(false);
    await hook.do(() => followPublicStates(parts.queries, [change('name.set', 'a', 1, false)]));
    expect(hook.value).to.include({ isKnown: true, isPublic: false });
  });
});

describe('the button that ends a public address', () => {
  unmountAfterwards();

  const mountButton = async (parts: GalleryParts) =>
    await mount(() => useUnpublish({ change: () => undefined }), parts);

  it('offers no undo for what somebody else has done', async () => {
    const names = new FakeName(false);
    const parts = new GalleryParts({ catalog: names });
    const hook = await mountButton(parts);
    await hook.do(async (end) => await end(nameOf('a', 1)));
    expect([parts.noticed, parts.offered]).to.deep.equal([['a is not public any more.'], []]);
  });

  it('says that its undo changes nothing if somebody has changed the name', async () => {
    const names = new FakeName();
    const parts = new GalleryParts({ catalog: names });
    const hook = await mountButton(parts);
    await hook.do(async (end) => await end(nameOf('a', 1)));
    names.change(true);
    names.change(false);
    await hook.do(() => parts.offered[0]?.());
    expect(names.current).to.include({ public: false });
    expect(parts.noticed.at(-1)).to.match(/^Nothing was changed: somebody has changed the name a/);
  });
});
