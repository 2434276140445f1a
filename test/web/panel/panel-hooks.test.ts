import { CatalogError, type ImageMetadata, type MetadataPatch } from '@image-catalog/client';
import { expect } from 'chai';
import { type Draft, useDraft } from '../../../web/src/panel/use-draft.ts';
import { type PanelMetadata, useMetadata } from '../../../web/src/panel/use-metadata.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

describe('a draft', () => {
  let hook: RenderedHook<Draft>;
  let saved: (string | null)[];
  let refusal: string | undefined;
  let value: string | null;

  beforeEach(async () => {
    saved = [];
    refusal = undefined;
    value = 'Sofa';
    hook = await RenderedHook.render(() =>
      useDraft(value, async (entered) => {
        saved.push(entered);
        if (refusal === undefined) value = entered;
        return refusal;
      }),
    );
  });

  afterEach(() => hook.unmount());

  async function write(text: string): Promise<void> {
    await hook.do(({ edit }) => edit(text));
    await hook.do(({ save }) => save());
  }

  it('is saved without spaces at its ends', async () => {
    await write('  Black cat ');

    expect([saved, hook.value.text]).to.deep.equal([['Black cat'], 'Black cat']);
  });

  it('that is empty takes the text away', async () => {
    await write('  ');

    expect([saved, hook.value.text]).to.deep.equal([[null], '']);
  });

  it('that changes nothing is not sent', async () => {
    await hook.do(({ save }) => save());
    await write('Sofa ');

    expect(saved).to.deep.equal([]);
  });

  it('that is refused is kept, with the reason, until it is saved again', async () => {
    refusal = 'The title may not have line breaks.';
    await write('Black\ncat');
    expect([hook.value.text, hook.value.error]).to.deep.equal(['Black\ncat', refusal]);
    refusal = undefined;
    await write('Black cat');

    expect([hook.value.text, hook.value.error]).to.deep.equal(['Black cat', undefined]);
  });

  it('gives way to the saved text', async () => {
    await hook.do(({ edit }) => edit('Black cat'));
    await hook.do(({ discard }) => discard());
    await hook.do(({ save }) => save());

    expect([hook.value.text, saved]).to.deep.equal(['Sofa', []]);
  });

  it('is saved when its field is removed', async () => {
    await hook.do(({ edit }) => edit('Black cat'));
    await hook.unmount();

    expect(saved).to.deep.equal(['Black cat']);
  });
});

describe('the metadata of the panel', () => {
  const ID = 7;
  let hook: RenderedHook<PanelMetadata>;
  let parts: GalleryParts;
  let stored: ImageMetadata;
  let edits: MetadataPatch[];
  let failure: Error | undefined;
  let refreshes: number;

  beforeEach(async () => {
    const texts = { title: 'Sofa', description: null, tags: ['tabby'], takenAt: null };
    stored = { ...texts, capture: {}, etag: '"1"' } as unknown as ImageMetadata;
    edits = [];
    failure = undefined;
    refreshes = 0;
    const catalog = {
      metadata: async () => stored,
      edit: async (_id: number, patch: MetadataPatch) => {
        edits.push(patch);
        if (failure !== undefined) throw failure;
        stored = { ...stored, ...patch, etag: `"${edits.length + 1}"` } as ImageMetadata;
        return stored;
      },
    };
    const list = {
      version: { get: () => 0 },
      refresh: async () => void (refreshes += 1),
      replace: () => undefined,
      find: () => undefined,
    };
    parts = new GalleryParts({ catalog, list });
    hook = await RenderedHook.render(() => useMetadata(ID), parts.wrap);
  });

  afterEach(() => hook.unmount());

  async function save(patch: MetadataPatch): Promise<string | undefined> {
    let refusal: string | undefined;
    await hook.do(async (panel) => {
      refusal = await panel.save(patch);
    });
    return refusal;
  }

  it('shows an edit', async () => {
    expect(await save({ title: 'Black cat' })).to.equal(undefined);

    expect(hook.value.metadata?.title).to.equal('Black cat');
    expect(refreshes).to.equal(0);
  });

  it('brings back a text and tags if the edit is undone', async () => {
    await save({ title: 'Black cat' });
    await save({ tags: ['sofa'] });
    await hook.do(() => parts.undo.undo());
    await hook.do(() => parts.undo.undo());

    expect(edits.slice(2)).to.deep.equal([{ tags: ['tabby'] }, { title: 'Sofa' }]);
    expect([hook.value.metadata?.title, hook.value.metadata?.tags]).to.deep.equal(['Sofa', ['tabby']]);
  });

  it('says why a value was refused, and shows the former one', async () => {
    failure = new CatalogError('Field "title" may not be blank', { code: 'invalid_request', status: 400 });

    expect(await save({ title: ' ' })).to.include('may not be blank');
    expect(hook.value.metadata?.title).to.equal('Sofa');
  });

  it('reports what is no fault of the value, which stays in its field', async () => {
    failure = new CatalogError('The scope images:write is required', {
      code: 'insufficient_scope',
      status: 403,
    });

    expect(await save({ title: 'Black cat' })).to.match(/^Not saved\./);
    expect(parts.reported).to.deep.equal([failure]);
  });

  it('offers to write over the version of another person', async () => {
    failure = new CatalogError('changed', { code: 'precondition_failed', status: 412 });
    stored = { ...stored, title: 'Black', etag: '"9"' };
    await save({ title: 'Black cat' });
    expect(hook.value.metadata?.title).to.equal('Black');
    expect(parts.noticed).to.have.length(1);
    failure = undefined;
    await hook.do(() => parts.offered[0]?.());

    expect(hook.value.metadata?.title).to.equal('Black cat');
  });

  it('looks for the new place of a picture whose time has changed', async () => {
    await save({ takenAt: '2026-05-03T14:03:22+02:00' });

    expect(refreshes).to.equal(1);
  });
});
