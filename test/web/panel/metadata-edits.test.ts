import { CatalogError, type ImageMetadata, type MetadataPatch } from '@image-catalog/client';
import { expect } from 'chai';
import { MetadataEdits } from '../../../web/src/panel/metadata-edits.ts';
import { Gate, settled } from '../../support/time/gate.ts';

describe('edits of metadata', () => {
  let service: FakeMetadata;
  let shown: ImageMetadata;
  let edits: MetadataEdits;

  beforeEach(() => {
    service = new FakeMetadata();
    shown = service.present;
    edits = new MetadataEdits(service, {
      get: () => shown,
      set: (_id, metadata) => {
        shown = metadata;
      },
    });
  });

  it('are shown before they are sent', async () => {
    service.gate = new Gate();
    const saved = edits.save(1, { title: 'Cat' });

    expect(shown.title).to.equal('Cat');
    service.gate.open();
    expect(await saved).to.deep.equal({ kind: 'saved' });
    expect(shown).to.deep.equal(service.present);
  });

  it('are sent one after the other, each on the version of the one before', async () => {
    await Promise.all([edits.save(1, { title: 'Cat' }), edits.save(1, { tags: ['tabby'] })]);

    expect(service.conditions).to.deep.equal(['"m1"', '"m2"']);
    expect(shown).to.include({ title: 'Cat', etag: '"m3"' });
    expect(shown.tags).to.deep.equal(['tabby']);
  });

  it('go back to the time of the camera if the time is cleared', async () => {
    service.gate = new Gate();
    const saved = edits.save(1, { takenAt: null });

    expect(shown.takenAt).to.equal('2026-05-03T14:03:22.000');
    service.gate.open();
    await saved;
  });

  it('are taken back if they are refused, and those behind them are not', async () => {
    service.refusals = [
      new CatalogError('Field "title" may have at most 200 characters', {
        code: 'invalid_request',
        status: 400,
      }),
    ];
    const [first, second] = await Promise.all([
      edits.save(1, { title: 'x'.repeat(201) }),
      edits.save(1, { description: 'A cat' }),
    ]);

    expect(first).to.deep.equal({
      kind: 'refused',
      field: 'title',
      message: 'may have at most 200 characters',
    });
    expect(second).to.deep.equal({ kind: 'saved' });
    expect(shown).to.include({ title: null, description: 'A cat' });
  });

  it('report what is no fault of a value', async () => {
    const error = new CatalogError('read-only', { code: 'read_only', status: 503 });
    service.refusals = [error];

    expect(await edits.save(1, { title: 'Cat' })).to.deep.equal({ kind: 'failed', error });
    expect(shown.title).to.equal(null);
  });

  it('do not mind a change of another field', async () => {
    service.changeBehind({ description: 'Theirs' });

    expect(await edits.save(1, { title: 'Mine' })).to.deep.equal({ kind: 'saved' });
    expect(shown).to.include({ title: 'Mine', description: 'Theirs' });
  });

  it('end with the version of others if they have changed the same field', async () => {
    service.changeBehind({ title: 'Theirs' });

    expect(await edits.save(1, { title: 'Mine' })).to.deep.equal({ kind: 'conflict' });
    expect(shown.title).to.equal('Theirs');
  });

  it('merge tags', async () => {
    await edits.save(1, { tags: ['a', 'b'] });
    service.changeBehind({ tags: ['b', 'theirs'] });

    await edits.save(1, { tags: ['a', 'mine'] });

    expect(shown.tags).to.deep.equal(['theirs', 'mine']);
  });

  it('take an edit for saved whose response was lost', async () => {
    service.changeBehind({ title: 'Mine' });

    expect(await edits.save(1, { title: 'Mine' })).to.deep.equal({ kind: 'saved' });
    expect(service.present.etag).to.equal('"m2"');
  });

  it('begin anew with what is shown when all are done', async () => {
    await edits.save(1, { title: 'First' });
    await settled();
    service.changeBehind({ title: 'Theirs' });
    shown = service.present;

    expect(await edits.save(1, { title: 'Second' })).to.deep.equal({ kind: 'saved' });
  });
});

class FakeMetadata {
  present: ImageMetadata = {
    title: null,
    description: null,
    tags: [],
    takenAt: '2026-05-04T10:00:00.000',
    capture: { takenAt: '2026-05-03T14:03:22.000' },
    updatedAt: null,
    etag: '"m1"',
  };
  readonly conditions: Array<string | undefined> = [];
  refusals: readonly CatalogError[] = [];
  gate: Gate | undefined;
  #version = 1;

  async edit(
    _id: number,
    patch: MetadataPatch,
    { ifMatch }: { readonly ifMatch?: string } = {},
  ): Promise<ImageMetadata> {
    await this.gate?.opened;
    this.conditions.push(ifMatch);
    const [refusal, ...others] = this.refusals;
    this.refusals = others;
    if (refusal !== undefined) throw refusal;
    if (ifMatch !== this.present.etag) {
      throw new CatalogError('changed', { code: 'precondition_failed', status: 412 });
    }
    this.changeBehind(patch);
    return this.present;
  }

  async metadata(): Promise<ImageMetadata> {
    return this.present;
  }

  /** A change of the gallery, or of somebody else. */
  changeBehind(patch: MetadataPatch): void {
    this.#version += 1;
    const { tags = this.present.tags, ...texts } = patch;
    this.present = { ...this.present, ...texts, tags: tags ?? [], etag: `"m${this.#version}"` };
  }
}
