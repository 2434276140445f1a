import { CatalogError, type NamedImage } from '@image-catalog/client';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect } from 'chai';
import {
  followNames,
  forgetNames,
  type KnownNames,
  MOST_NAMES,
  namesOf,
  namesQuery,
} from '../../../web/src/names/known-names.ts';
import { NameActions } from '../../../web/src/names/name-actions.ts';
import { namesTexts } from '../../../web/src/names/names-texts.ts';
import { type Naming, useNaming } from '../../../web/src/names/use-naming.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { publishingTexts } from '../../../web/src/publishing/publishing-texts.ts';
import { UndoSteps } from '../../../web/src/undo/undo-steps.ts';
import { settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

/** Of the picture whose names are changed. */
const ID = 17;
const CONFLICT = new CatalogError('No', { code: 'precondition_failed', status: 412 });
const MISSING = new CatalogError('No', { code: 'name_not_found', status: 404 });
const FULL = new CatalogError('No', { code: 'quota_exceeded', status: 403 });
const OFFLINE = new CatalogError('No', { code: 'network_error', status: 0 });

/** Judges conditions as the service does. */
class FakeNames {
  readonly names = new Map<string, NamedImage>();
  /** Done before the next change: others are faster. */
  before: (() => void) | undefined;
  error: CatalogError | undefined;
  readonly uploaded: string[] = [];
  readonly linksAsked: unknown[] = [];

  put(name: string, id: number, isPublic = this.names.get(name)?.public ?? false): NamedImage {
    const version = (this.names.get(name)?.version ?? 0) + 1;
    const url = isPublic ? `https://example.com/p/1/${name}` : null;
    const named = { name, number: 1, id, version, updatedAt: '', public: isPublic, url };
    this.names.set(name, named);
    return named;
  }

  readonly getName = async (name: string): Promise<NamedImage> => {
    const named = this.names.get(name);
    if (named === undefined) throw MISSING;
    return named;
  };

  readonly setName = async (
    name: string,
    id: number,
    options: { ifMatch?: number; ifNoneMatch?: string; public?: boolean },
  ): Promise<NamedImage> => {
    this.#judge(name, options);
    return this.put(name, id, options.public);
  };

  readonly deleteName = async (name: string, condition: { ifMatch?: number }): Promise<void> => {
    this.#judge(name, condition);
    this.names.delete(name);
  };

  readonly upload = async (
    file: File,
    { setName }: { setName: { name: string; ifMatch: number } },
  ): Promise<{ id: number }> => {
    this.#judge(setName.name, setName);
    this.uploaded.push(file.name);
    return this.put(setName.name, 18);
  };

  readonly links = async (...request: unknown[]): Promise<unknown> => {
    this.linksAsked.push(request);
    return { names: { hero: ['https://example.com/n/1/hero'] } };
  };

  #judge(name: string, { ifMatch, ifNoneMatch }: { ifMatch?: number; ifNoneMatch?: string }): void {
    this.before?.();
    this.before = undefined;
    if (this.error !== undefined) throw this.error;
    const version = this.names.get(name)?.version;
    if (ifNoneMatch !== undefined && version !== undefined) throw CONFLICT;
    if (ifMatch !== undefined && ifMatch !== version) throw CONFLICT;
  }
}

let names: FakeNames;
let notices: Notices;
let reported: unknown[];
/** What the panel knows. */
let learned: Array<readonly [string, number | undefined]>;
let actions: NameActions;
let mayPublish: boolean;

function useActions(): void {
  beforeEach(() => {
    names = new FakeNames();
    notices = new Notices(new ManualTime());
    [reported, learned, mayPublish] = [[], [], true];
    actions = new NameActions(
      {
        catalog: names as never,
        images: { list: { get: () => undefined } },
        live: { releaseOwn: () => undefined },
        uploads: { stored: new Set() },
        notices,
        undo: new UndoSteps(notices),
        trouble: { report: (error: unknown) => void reported.push(error) },
        learn: (name, named) => void learned.push([name, named?.id]),
        get mayPublish() {
          return mayPublish;
        },
      },
      ID,
    );
  });
}

const shown = (): readonly string[] => notices.shown.get().map(({ text }) => text);

describe('publishing a name', () => {
  useActions();

  it('is done together with giving it', async () => {
    expect(await actions.give('hero', undefined, true)).to.equal('given');
    expect(names.names.get('hero')).to.include({ id: ID, public: true });
  });

  it('also publishes a name that the picture has already', async () => {
    names.put('hero', ID);
    expect(await actions.give('hero', undefined, true)).to.equal('given');
    expect(names.names.get('hero')).to.include({ id: ID, public: true });
  });

  it('is done only if the name is still that of the picture', async () => {
    names.put('hero', 3);
    await actions.setPublic('hero', true);
    expect(names.names.get('hero')).to.include({ id: 3, public: false });
    expect(shown()).to.deep.equal([namesTexts().movedMeanwhile('hero')]);
  });

  it('is undone with the removal of the name, and done again with its return', async () => {
    names.put('hero', ID, true);
    await actions.remove('hero');
    expect(shown()).to.deep.equal([namesTexts().removedPublic('hero')]);
    notices.act(notices.shown.get()[0]?.id ?? 0);
    await settled();
    expect(names.names.get('hero')).to.include({ id: ID, public: true });
  });

  it('is not done again for a name that somebody has given again meanwhile', async () => {
    names.put('hero', ID, true);
    await actions.remove('hero');
    names.put('hero', ID);
    notices.act(notices.shown.get()[0]?.id ?? 0);
    await settled();
    expect(names.names.get('hero')).to.include({ id: ID, public: false });
    expect(shown()).to.deep.equal([publishingTexts().changedMeanwhile('hero')]);
  });

  it('is not mentioned where publishing is off', async () => {
    mayPublish = false;
    names.names.set('hero', { ...names.put('hero', ID, true), url: null });
    await actions.remove('hero');
    expect(shown()).to.deep.equal([namesTexts().removed('hero')]);
    notices.act(notices.shown.get()[0]?.id ?? 0);
    await settled();
    expect(names.names.get('hero')).to.include({ id: ID });
    expect(shown()).to.deep.equal([]);
  });

  it('is not said to be impossible if the name did not come back', async () => {
    mayPublish = false;
    names.put('hero', ID, true);
    await actions.remove('hero');
    names.error = OFFLINE;
    notices.act(notices.shown.get()[0]?.id ?? 0);
    await settled();
    expect([shown(), reported]).to.deep.equal([[], [OFFLINE]]);
  });
});

describe('giving a name', () => {
  useActions();

  it('takes a free one', async () => {
    expect(await actions.give('hero', undefined)).to.equal('given');
    expect(learned).to.deep.equal([['hero', ID]]);
  });

  it('asks first if another picture has it, and then moves it', async () => {
    const taken = names.put('hero', 3);

    expect(await actions.give('hero', undefined)).to.equal(taken);
    expect(await actions.give('hero', taken)).to.equal('given');
    expect(names.names.get('hero')?.id).to.equal(ID);
  });

  it('asks again if it was moved meanwhile', async () => {
    const taken = names.put('hero', 3);
    names.before = () => names.put('hero', 4);

    expect(await actions.give('hero', taken)).to.deep.include({ id: 4 });
    expect(names.names.get('hero')?.id).to.equal(4);
  });

  it('is done if somebody else did it, or if the other picture has lost it', async () => {
    const taken = names.put('hero', 3);
    names.before = () => names.put('hero', ID);
    expect(await actions.give('hero', taken)).to.equal('given');

    names.before = () => names.names.delete('hero');
    expect(await actions.give('hero', taken)).to.equal('given');
    expect(names.names.get('hero')?.id).to.equal(ID);
  });

  it('says so if the picture can have no more names', async () => {
    names.error = FULL;

    expect(await actions.give('hero', undefined)).to.equal('failed');
    expect([shown(), reported]).to.deep.equal([[namesTexts().tooMany], []]);
  });

  it('reports troubles', async () => {
    names.error = OFFLINE;

    expect(await actions.give('hero', undefined)).to.equal('failed');
    expect(reported).to.deep.equal([OFFLINE]);
  });
});

describe('a name of the picture', () => {
  useActions();

  beforeEach(() => names.put('hero', ID));

  const undo = async (): Promise<void> => {
    notices.act(notices.shown.get()[0]?.id ?? 0);
    await settled();
  };

  it('is removed, and given again if that is undone', async () => {
    await actions.remove('hero');
    expect([names.names.size, learned]).to.deep.equal([0, [['hero', undefined]]]);
    expect(shown()).to.deep.equal(['hero is free. Links to it do not work any more.']);

    await undo();
    expect(names.names.get('hero')?.id).to.equal(ID);
    expect(shown()).to.deep.equal([]);
  });

  it('stays with the picture that has got it before the removal was undone', async () => {
    await actions.remove('hero');
    names.put('hero', 3);
    await undo();

    expect(names.names.get('hero')?.id).to.equal(3);
    expect(shown()).to.deep.equal(['Nothing was changed: hero is not the name of this picture any more.']);
  });

  for (const [action, change] of [
    ['removed', () => actions.remove('hero')],
    ['replaced', () => actions.replace('hero', new File([''], 'new.jpg'), () => undefined)],
  ] as const) {
    it(`is not ${action} if it was moved before or meanwhile`, async () => {
      names.before = () => names.put('hero', 3);
      await change();
      await change();

      expect(names.names.get('hero')?.id).to.equal(3);
      expect(learned.at(-1)).to.deep.equal(['hero', 3]);
      expect(shown()).to.deep.equal(['Nothing was changed: hero is not the name of this picture any more.']);
    });
  }

  it('is that of another picture after an upload', async () => {
    const record = await actions.replace('hero', new File([''], 'new.jpg'), () => undefined);

    expect(record?.id).to.equal(18);
    expect([names.uploaded, learned]).to.deep.equal([['new.jpg'], [['hero', 18]]]);
  });

  it('has a link to the picture alone', async () => {
    expect(await actions.link('hero')).to.equal('https://example.com/n/1/hero');
    const wanted = { names: ['hero'], renditions: [{ metadata: 'none' }], ttlSeconds: 604_800 };
    expect(names.linksAsked).to.deep.equal([[[], wanted]]);
  });
});

describe('the form for a name', () => {
  let hook: RenderedHook<Naming>;
  let isDone: boolean;

  useActions();

  beforeEach(async () => {
    isDone = false;
    hook = await RenderedHook.render(
      () => useNaming(actions, () => void (isDone = true)),
      new GalleryParts().wrap,
    );
  });

  afterEach(() => hook.unmount());

  async function enter(text: string): Promise<void> {
    await hook.do(({ edit }) => edit(text));
    await hook.do(({ give }) => give());
  }

  for (const text of ['', '.hidden', 'two words', 'Zoë', 'a/b', 'x'.repeat(129)]) {
    it(`refuses "${text.slice(0, 20)}" until it is changed`, async () => {
      await enter(text);
      expect([hook.value.isIllFormed, names.names.size]).to.deep.equal([true, 0]);

      await hook.do(({ edit }) => edit('x'));
      expect(hook.value.isIllFormed).to.equal(false);
    });
  }

  it('gives a name without spaces around it', async () => {
    await enter(' a.B-_9 ');

    expect([[...names.names.keys()], isDone]).to.deep.equal([['a.B-_9'], true]);
  });

  it('moves a name only after it has said where it is', async () => {
    const taken = names.put('hero', 3);
    await enter('hero');
    expect([hook.value.taken, isDone, names.names.get('hero')?.id]).to.deep.equal([taken, false, 3]);

    await hook.do(({ move }) => move());
    expect([isDone, names.names.get('hero')?.id]).to.deep.equal([true, ID]);
  });
});

describe('the names that the panel knows', () => {
  let queries: QueryClient;
  let listed: readonly (readonly [string, number])[];

  const catalog = {
    async *listNames() {
      for (const [name, id] of listed) yield { name, id } as NamedImage;
    },
  };
  const read = (): Promise<KnownNames> => queries.fetchQuery(namesQuery(catalog));

  beforeEach(() => {
    queries = new QueryClient();
    listed = [
      ['a', 1],
      ['b', 2],
      ['c', 1],
    ];
  });

  const changed = (type: string, name: string, id: number) => ({
    cursor: '',
    type,
    name,
    id,
    at: '',
    by: null,
  });

  it('are read once', async () => {
    expect(namesOf(await read(), 1)).to.deep.equal(['a', 'c']);
    listed = [];
    expect(namesOf(await read(), 1)).to.deep.equal(['a', 'c']);
    forgetNames(queries);
    expect(namesOf(await read(), 1)).to.deep.equal([]);
  });

  it('follow what others do, in the order of the names', async () => {
    await read();
    followNames(queries, [
      changed('name.set', 'b', 1),
      changed('name.removed', 'c', 1),
      changed('name.set', 'B', 1),
      { ...changed('image.updated', 'a', 9), name: undefined as never },
    ]);

    expect(namesOf(await read(), 1)).to.deep.equal(['B', 'a', 'b']);
  });

  it('are asked for again if they change while they are read', async () => {
    const panel = new QueryObserver(queries, namesQuery(catalog));
    const leave = panel.subscribe(() => undefined);
    listed = [['a', 2]];
    followNames(queries, [changed('name.set', 'a', 2)]);
    await settled();
    leave();

    expect(namesOf(await read(), 2)).to.deep.equal(['a']);
  });

  it('are not all if there are too many', async () => {
    listed = Array.from({ length: MOST_NAMES + 1 }, (_, at) => [String(at), 1] as const);
    const known = await read();
    expect([known.isAll, known.images.size]).to.deep.equal([false, MOST_NAMES]);
  });
});
