import { CatalogError, type ImageMetadata } from '@image-catalog/client';
import { expect } from 'chai';
import { MetadataEdits } from '../../../web/src/panel/metadata-edits.ts';
import { settled } from '../../support/time/gate.ts';
import { CAMERA_TIME, FakeMetadata } from '../doubles/fake-metadata.ts';

describe('edits of metadata', () => {
  let service: FakeMetadata;
  let shown: ImageMetadata;
  let edits: MetadataEdits;

  beforeEach(async () => {
    service = new FakeMetadata().add(1, { takenAt: '2026-05-04T10:00:00.000' });
    shown = await service.metadata(1);
    service.requests.length = 0;
    edits = new MetadataEdits(service, {
      get: () => shown,
      set: (_id, metadata) => {
        shown = metadata;
      },
    });
  });

  /** The next edit. */
  function refuse(error: CatalogError): void {
    service.before = () => {
      service.before = () => undefined;
      throw error;
    };
  }

  it('are shown before they are sent', async () => {
    const saved = edits.save(1, { title: 'Cat' });

    expect([shown.title, service.requests]).to.deep.equal(['Cat', []]);
    expect(await saved).to.deep.equal({ kind: 'saved' });
    expect(shown).to.include({ title: 'Cat', etag: '"m2"' });
  });

  it('are sent one after the other, each on the version of the one before', async () => {
    await Promise.all([edits.save(1, { title: 'Cat' }), edits.save(1, { tags: ['tabby'] })]);

    expect(service.requests).to.deep.equal(['edit 1', 'edit 1']);
    expect(shown).to.include({ title: 'Cat', etag: '"m3"' });
    expect(shown.tags).to.deep.equal(['tabby']);
  });

  it('go back to the time of the camera if the time is cleared', async () => {
    const saved = edits.save(1, { takenAt: null });

    expect(shown.takenAt).to.equal(CAMERA_TIME);
    await saved;
  });

  it('are taken back if they are refused, and those behind them are not', async () => {
    const message = 'Field "title" may have at most 200 characters';
    refuse(new CatalogError(message, { code: 'invalid_request', status: 400 }));
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
    refuse(error);

    expect(await edits.save(1, { title: 'Cat' })).to.deep.equal({ kind: 'failed', error });
    expect(shown.title).to.equal(null);
  });

  it('do not mind a change of another field', async () => {
    service.put(1, { description: 'Theirs' });

    expect(await edits.save(1, { title: 'Mine' })).to.deep.equal({ kind: 'saved' });
    expect(shown).to.include({ title: 'Mine', description: 'Theirs' });
  });

  it('end with the version of others if they have changed the same field', async () => {
    service.put(1, { title: 'Theirs' });

    expect(await edits.save(1, { title: 'Mine' })).to.deep.equal({ kind: 'conflict' });
    expect(shown.title).to.equal('Theirs');
  });

  it('merge tags', async () => {
    await edits.save(1, { tags: ['a', 'b'] });
    service.put(1, { tags: ['b', 'theirs'] });

    await edits.save(1, { tags: ['a', 'mine'] });

    expect(shown.tags).to.deep.equal(['theirs', 'mine']);
  });

  it('take an edit for saved whose response was lost', async () => {
    service.put(1, { title: 'Mine' });

    expect(await edits.save(1, { title: 'Mine' })).to.deep.equal({ kind: 'saved' });
    expect(service.requests).to.deep.equal(['edit 1', 'read 1']);
  });

  it('begin anew with what is shown when all are done', async () => {
    await edits.save(1, { title: 'First' });
    await settled();
    service.put(1, { title: 'Theirs' });
    shown = await service.metadata(1);

    expect(await edits.save(1, { title: 'Second' })).to.deep.equal({ kind: 'saved' });
  });
});
