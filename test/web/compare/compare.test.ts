import type { ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { factsOf } from '../../../web/src/compare/compare-facts.ts';
import {
  panShared,
  pinchShared,
  placementOf,
  toggleShared,
  zoomShared,
} from '../../../web/src/compare/shared-zoom.ts';
import { useKeep } from '../../../web/src/compare/use-keep.ts';
import { Notices } from '../../../web/src/notices/notices.ts';
import { Selection } from '../../../web/src/selection/selection.ts';
import { FITTED, type Frame } from '../../../web/src/stage/geometry.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const FRAME: Frame = {
  stage: { width: 500, height: 400 },
  fitted: { width: 400, height: 400 },
  maxZoom: 8,
};

describe('comparing pictures', () => {
  describe('facts', () => {
    const small = picture(1, { width: 100, height: 100, size: 900 });
    const large = picture(2, { width: 200, height: 100, size: 800 });

    it('name the picture with the most pixels, and the largest file', () => {
      expect(factsOf(small, [small, large])).to.deep.equal(['bytes']);
      expect(factsOf(large, [small, large])).to.deep.equal(['pixels']);
    });

    it('name none if all are equal, and several that share the first place', () => {
      expect(factsOf(small, [small, picture(3, small)])).to.deep.equal([]);
      const twin = picture(4, large);
      expect(factsOf(twin, [small, large, twin])).to.deep.equal(['pixels']);
    });

    it('say that the same file is there twice', () => {
      const copy = { ...small, id: 5 };
      expect(factsOf(small, [small, copy, large])).to.include('same');
      expect(factsOf(large, [small, copy, large])).to.not.include('same');
    });
  });

  describe('zoom', () => {
    it('shows the same part of pictures of different sizes', () => {
      const shared = zoomShared(FITTED, 2, { x: 100, y: 0 }, FRAME);
      expect(shared).to.deep.equal({ zoom: 2, x: -0.25, y: 0 });
      expect(placementOf(shared, { width: 400, height: 400 })).to.deep.equal({ zoom: 2, x: -100, y: 0 });
      expect(placementOf(shared, { width: 80, height: 40 })).to.deep.equal({ zoom: 2, x: -20, y: 0 });
    });

    it('ends at the edges of the picture, and at its limits', () => {
      expect(panShared({ zoom: 2, x: 0, y: 0 }, { x: 4000, y: -4000 }, FRAME)).to.deep.equal({
        zoom: 2,
        x: 0.5,
        y: -0.5,
      });
      expect(zoomShared(FITTED, 100, { x: 0, y: 0 }, FRAME).zoom).to.equal(8);
      expect(panShared(FITTED, { x: 40, y: 40 }, FRAME)).to.deep.equal(FITTED);
    });

    it('follows two fingers, and a double click', () => {
      const fingers = (by: number) =>
        [
          { x: -by, y: 0 },
          { x: by, y: 0 },
        ] as const;
      expect(pinchShared(FITTED, fingers(50), fingers(100), FRAME).zoom).to.equal(2);
      const near = toggleShared(FITTED, { x: 0, y: 0 }, FRAME);
      expect(near.zoom).to.equal(4);
      expect(toggleShared(near, { x: 0, y: 0 }, FRAME)).to.deep.equal(FITTED);
    });
  });

  describe('keeping one', () => {
    let left: number;
    let parts: GalleryParts;
    let selection: Selection;
    let deleted: readonly number[];
    let undo: () => void;
    let hook: RenderedHook<(kept: ImageRecord) => void>;

    beforeEach(async () => {
      selection = new Selection(new Notices());
      const deletions = {
        delete: (ids: readonly number[], options: { readonly onUndone: () => void }) => {
          deleted = ids;
          undo = options.onUndone;
        },
      };
      parts = new GalleryParts({ deletions, selection }, '?image=2&compare=1,2,3');
      left = 0;
      const leave = (): void => {
        left += 1;
        parts.addressBar.replace({ compare: [] });
      };
      const records = [1, 2, 3].map((id) => picture(id));
      hook = await RenderedHook.render(() => useKeep(records, leave), parts.wrap);
    });

    afterEach(() => hook.unmount());

    it('deletes the others and shows it, if one of them was open', async () => {
      await hook.do((keep) => keep(picture(3)));

      expect([deleted, parts.search]).to.deep.equal([[1, 2], '?image=3']);
    });

    it('leaves no other view if the comparison was left before the person has agreed', async () => {
      parts.addressBar.replace({ compare: [] });
      await hook.do((keep) => keep(picture(3)));

      expect([deleted, left]).to.deep.equal([[1, 2], 0]);
    });

    it('keeps the selection of what is left, and of all if it is undone', async () => {
      selection.add([1, 3]);
      await hook.do((keep) => keep(picture(3)));
      expect([...selection.ids.get()]).to.deep.equal([3]);

      undo();
      expect([...selection.ids.get()]).to.deep.equal([3, 1]);
    });
  });
});

function picture(id: number, facts: Partial<ImageRecord> = {}): ImageRecord {
  return { width: 1, height: 1, size: 1, ...facts, id, sha256: `digest ${id}` } as unknown as ImageRecord;
}
