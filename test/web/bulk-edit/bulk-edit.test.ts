import { type BulkEdit, CatalogError, type ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { changeOf, NO_EDIT } from '../../../web/src/bulk-edit/edit-form.ts';
import { previewOf } from '../../../web/src/bulk-edit/preview-of.ts';
import { shiftMinutes } from '../../../web/src/bulk-edit/time-shift.ts';
import { type BulkEditState, useBulkEdit } from '../../../web/src/bulk-edit/use-bulk-edit.ts';
import { changeImages } from '../../../web/src/edits/change-images.ts';
import { shiftDuration } from '../../../web/src/edits/shift-duration.ts';
import { shiftedTime } from '../../../web/src/edits/shifted-time.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { Selection } from '../../../web/src/selection/selection.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const BEHIND = { direction: 'behind', days: 0, hours: 1, minutes: 30 } as const;
const READ_ONLY = new CatalogError('no', { code: 'read_only', status: 503 });
const TOO_LARGE = new CatalogError('no', { code: 'request_too_large', status: 413 });

describe('editing many pictures', () => {
  describe('the clock of a camera', () => {
    it('that was behind moves times forward, one that was ahead back', () => {
      expect(shiftMinutes(BEHIND)).to.equal(90);
      expect(shiftMinutes({ ...BEHIND, direction: 'ahead' })).to.equal(-90);
    });

    it('that was right, or wrong by no number, moves nothing', () => {
      expect(shiftMinutes({ ...BEHIND, hours: 0, minutes: 0 })).to.equal(undefined);
      expect(shiftMinutes({ ...BEHIND, hours: Number.NaN })).to.equal(undefined);
      expect(shiftMinutes({ ...BEHIND, hours: -1 })).to.equal(undefined);
      expect(shiftMinutes({ ...BEHIND, days: 36_500 })).to.equal(undefined);
    });

    it('is written as a sign and a duration', () => {
      expect([90, -90, 60, 1440, -1441, 2940].map(shiftDuration)).to.deep.equal([
        '+PT1H30M',
        '-PT1H30M',
        '+PT1H',
        '+P1D',
        '-P1DT1M',
        '+P2DT1H',
      ]);
    });

    it('moves the clock face, and keeps the offset', () => {
      expect(shiftedTime('2026-05-03T23:30:00.000+02:00', 90)).to.equal('2026-05-04T01:00:00.000+02:00');
      expect(shiftedTime('2024-03-01T00:00:00.250', -1)).to.equal('2024-02-29T23:59:00.250');
      expect(shiftedTime('9999-12-31T23:59:00.000Z', 1)).to.equal(undefined);
      expect(shiftedTime('0001-01-01T00:00:00.000', -1)).to.equal(undefined);
    });
  });

  describe('the form', () => {
    it('changes what was chosen; an empty text is removed', () => {
      expect(changeOf(NO_EDIT)).to.equal(undefined);
      expect(changeOf({ ...NO_EDIT, title: ' ', description: 'In the garden' })).to.deep.equal({
        title: null,
        description: 'In the garden',
      });
      expect(changeOf({ ...NO_EDIT, clock: BEHIND })).to.deep.equal({ shiftMinutes: 90 });
    });

    it('changes nothing while the time is ill-formed', () => {
      expect(changeOf({ ...NO_EDIT, title: 'Cat', clock: { ...BEHIND, hours: Number.NaN } })).to.equal(
        undefined,
      );
    });

    it('shows what becomes of the first and the last time', () => {
      const times = ['2026-05-03T12:00:00.000Z', null, '2026-05-01T12:00:00.000', '2026-05-02T12:00:00.000'];
      const records = times.map((takenAt) => ({ takenAt }) as ImageRecord);
      expect(previewOf(records, BEHIND)).to.deep.equal([
        { from: '2026-05-01T12:00:00.000', to: '2026-05-01T13:30:00.000' },
        { from: '2026-05-03T12:00:00.000Z', to: '2026-05-03T13:30:00.000Z' },
      ]);
      expect(previewOf(records.slice(0, 1), BEHIND)).to.have.length(1);
    });
  });

  describe('requests', () => {
    const ids = Array.from({ length: 1200 }, (_, index) => index + 1);

    it('have at most 500 pictures, and say how far they are', async () => {
      const sizes: number[] = [];
      const done: number[] = [];
      const catalog = catalogOf((batch) => void sizes.push(batch.length));
      const outcome = await changeImages(catalog, ids, { title: 'Cat' }, (count) => done.push(count));

      expect([sizes, done]).to.deep.equal([
        [500, 500, 200],
        [500, 1000, 1200],
      ]);
      expect(outcome.updated).to.deep.equal(ids);
    });

    it('are made smaller if the service says so', async () => {
      const sizes: number[] = [];
      const catalog = catalogOf((batch) => {
        if (batch.length > 150) throw TOO_LARGE;
        sizes.push(batch.length);
      });
      const outcome = await changeImages(catalog, ids, { title: 'Cat' }, () => {});

      expect(Math.max(...sizes)).to.equal(125);
      expect(outcome.updated).to.deep.equal(ids);
    });

    it('end with an error: what was not changed is left', async () => {
      const catalog = catalogOf((batch) => {
        if (batch.includes(501)) throw READ_ONLY;
      });
      const outcome = await changeImages(catalog, ids, { title: 'Cat' }, () => {});

      expect([outcome.updated.length, outcome.left.length, outcome.error]).to.deep.equal([
        500,
        700,
        READ_ONLY,
      ]);
    });
  });
});

describe('the dialog for editing many pictures', () => {
  let selection: Selection;
  let parts: GalleryParts;
  let isDone: boolean;
  let sent: BulkEdit[];
  let error: unknown;
  let hook: RenderedHook<BulkEditState>;

  beforeEach(async () => {
    selection = new Selection(new Notices());
    selection.add([1, 2, 3]);
    isDone = false;
    sent = [];
    error = undefined;
    const catalog = {
      metadata: async () => ({ title: null, tags: [], takenAt: null }),
      editMany: async (ids: readonly number[], change: BulkEdit) => {
        sent.push(change);
        if (error !== undefined) throw error;
        return { updated: ids.slice(0, 2), missing: ids.slice(2) };
      },
    };
    const list = {
      find: (id: number) => (id === 1 ? { id, takenAt: null } : undefined),
      refresh: async () => {},
    };
    parts = new GalleryParts({ catalog, selection, list });
    hook = await RenderedHook.render(() => useBulkEdit(() => void (isDone = true)), parts.wrap);
  });

  afterEach(() => hook.unmount());

  it('changes all selected pictures, and says so', async () => {
    expect([hook.value.canApply, hook.value.records.length]).to.deep.equal([false, 1]);
    await hook.do(({ change }) => change({ title: 'Cat' }));
    await hook.do(({ apply }) => apply());

    expect([sent, isDone]).to.deep.equal([[{ title: 'Cat' }], true]);
    expect(parts.noticed).to.deep.equal(['2 pictures changed. 1 picture has been deleted.']);
    expect([...selection.ids.get()]).to.deep.equal([1, 2]);
    expect(parts.offered).to.have.length(1);
  });

  it('asks first if an empty text would remove what is there', async () => {
    await hook.do(({ change }) => change({ title: '', description: 'In the garden' }));
    await hook.do(({ apply }) => apply());
    expect([sent, hook.value.asked]).to.deep.equal([[], ['title']]);

    await hook.do(({ change }) => change({ description: '' }));
    expect(hook.value.asked).to.deep.equal([]);
    await hook.do(({ apply }) => apply());
    expect([sent, hook.value.asked]).to.deep.equal([[], ['title', 'description']]);

    await hook.do(({ apply }) => apply());
    expect([sent, isDone]).to.deep.equal([[{ title: null, description: null }], true]);
  });

  it('leaves selected what could not be changed', async () => {
    error = READ_ONLY;
    await hook.do(({ change }) => change({ clock: BEHIND }));
    await hook.do(({ apply }) => apply());

    expect(parts.reported).to.deep.equal([READ_ONLY]);
    expect(parts.noticed).to.deep.equal(['3 pictures could not be changed and stay selected.']);
    expect([...selection.ids.get()]).to.deep.equal([1, 2, 3]);
  });
});

function catalogOf(edit: (ids: readonly number[]) => void) {
  return {
    editMany: async (ids: readonly number[]) => {
      edit(ids);
      return { updated: ids, missing: [] };
    },
  };
}
