import type { ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { chooseWidth } from '../../../web/src/catalog/choose-width.ts';
import { renditionWidths } from '../../../web/src/catalog/rendition-widths.ts';
import {
  FITTED,
  type Frame,
  flipTransform,
  frameOf,
  isZoomed,
  type Placement,
  panBy,
  panStep,
  pinch,
  reframe,
  type Size,
  swipeOf,
  toggleZoom,
  wheelFactor,
  zoomSteps,
  zoomTo,
} from '../../../web/src/stage/geometry.ts';

const STAGE = { width: 1000, height: 800 };
const PICTURE = { width: 4000, height: 3000 };
const frame: Frame = frameOf(PICTURE, STAGE, 1);

describe('the picture on the stage', () => {
  it('fits, and keeps its ratio', () => {
    expect(frame.fitted).to.deep.equal({ width: 1000, height: 750 });
    expect(frameOf({ width: 600, height: 6000 }, STAGE, 1).fitted).to.deep.equal({ width: 80, height: 800 });
  });

  it('is never enlarged to fit', () => {
    expect(frameOf({ width: 100, height: 50 }, STAGE, 2).fitted).to.deep.equal({ width: 100, height: 50 });
  });

  it('zooms up to twice its pixels, and at least 4 times', () => {
    expect(frame.maxZoom).to.equal(8);
    expect(frameOf({ width: 100, height: 50 }, STAGE, 1).maxZoom).to.equal(4);
    expect(frameOf(PICTURE, STAGE, 2).maxZoom).to.equal(4);
  });

  it('keeps the point below the pointer', () => {
    const point = { x: 200, y: -100 };
    const zoomed = zoomTo(FITTED, 2, point, frame);

    expect(zoomed).to.deep.equal({ zoom: 2, x: -200, y: 100 });
    expect((point.x - zoomed.x) / zoomed.zoom).to.equal(point.x);
  });

  it('stays within its limits', () => {
    expect(zoomTo(FITTED, 100, { x: 0, y: 0 }, frame).zoom).to.equal(8);
    expect(zoomTo({ zoom: 2, x: 300, y: 100 }, 0.5, { x: 0, y: 0 }, frame)).to.deep.equal(FITTED);
  });

  it('does not leave the edge of the stage', () => {
    const zoomed = { zoom: 2, x: 0, y: 0 };

    expect(panBy(zoomed, { x: 5000, y: -5000 }, frame)).to.deep.equal({ zoom: 2, x: 500, y: -350 });
  });

  it('stays in the middle in the direction in which it is smaller', () => {
    const tall = frameOf({ width: 600, height: 6000 }, STAGE, 1);

    expect(panBy({ zoom: 2, x: 0, y: 0 }, { x: 50, y: 50 }, tall)).to.deep.equal({ zoom: 2, x: 0, y: 50 });
  });

  it('moves by a fifth of the stage with the keys', () => {
    expect(panStep({ zoom: 4, x: 0, y: 0 }, 1, 0, frame)).to.deep.equal({ zoom: 4, x: -200, y: 0 });
  });

  const toggled = (placement: Placement, picture: Size): Placement => {
    const shown = frameOf(picture, STAGE, 1);
    return toggleZoom(placement, { x: 0, y: 0 }, shown, zoomSteps(shown, picture, 1));
  };

  it('is toggled between the whole picture and its pixels', () => {
    const zoomed = toggled(FITTED, PICTURE);

    expect(zoomed.zoom).to.equal(4);
    expect(isZoomed(zoomed)).to.equal(true);
    expect(toggled(zoomed, PICTURE)).to.deep.equal(FITTED);
  });

  it('is toggled to twice its size if it is shown with all of its pixels', () => {
    expect(toggled(FITTED, { width: 100, height: 50 }).zoom).to.equal(2);
  });

  it('fills the stage before its pixels are shown, if it is a panorama', () => {
    const panorama = { width: 12_000, height: 2000 };
    const filling = toggled(FITTED, panorama);
    const pixels = toggled(filling, panorama);

    expect(frameOf(panorama, STAGE, 1).fitted.height * filling.zoom).to.be.closeTo(STAGE.height, 0.001);
    expect(pixels.zoom).to.equal(12);
    expect(toggled(pixels, panorama)).to.deep.equal(FITTED);
  });

  it('fills the stage also with more than the pixels of a panorama, and then is whole again', () => {
    const panorama = { width: 2000, height: 100 };
    const filling = toggled(FITTED, panorama);

    expect(filling.zoom).to.be.closeTo(16, 0.001);
    expect(toggled(filling, panorama)).to.deep.equal(FITTED);
  });

  it('is whole after a zoom that is no step', () => {
    expect(toggled({ zoom: 1.3, x: 0, y: 0 }, PICTURE)).to.deep.equal(FITTED);
  });

  it('follows two fingers', () => {
    const before = [point(-50, 0), point(50, 0)] as const;

    expect(pinch(FITTED, before, [point(-100, 0), point(100, 0)], frame)).to.deep.equal({
      zoom: 2,
      x: 0,
      y: 0,
    });
    expect(pinch({ zoom: 2, x: 0, y: 0 }, before, [point(-40, 20), point(60, 20)], frame)).to.deep.equal({
      zoom: 2,
      x: 10,
      y: 20,
    });
  });

  it('survives two fingers at one place', () => {
    expect(pinch(FITTED, [point(0, 0), point(0, 0)], [point(0, 0), point(0, 0)], frame)).to.deep.equal(
      FITTED,
    );
  });

  it('shows the same part after the stage has changed', () => {
    const half = frameOf(PICTURE, { width: 500, height: 400 }, 1);

    expect(reframe({ zoom: 2, x: 400, y: 0 }, frame, half)).to.deep.equal({ zoom: 2, x: 200, y: 0 });
    expect(reframe(FITTED, frame, half)).to.deep.equal(FITTED);
  });
});

describe('gestures', () => {
  it('zoom in by the wheel upwards, whatever its unit, and never by much at once', () => {
    expect(wheelFactor(-100, 0, false)).to.be.within(1.2, 1.4);
    expect(wheelFactor(-3, 1, false)).to.be.within(1.2, 1.4);
    expect(wheelFactor(100, 0, false) * wheelFactor(-100, 0, false)).to.be.closeTo(1, 1e-9);
    expect(wheelFactor(-100_000, 0, true)).to.be.below(2.1);
  });

  for (const [name, by, ms, expected] of [
    ['a far swipe to the left', point(-350, 20), 2000, 'next'],
    ['a fast swipe to the right', point(60, 5), 100, 'previous'],
    ['a swipe down', point(10, 300), 500, 'close'],
    ['a fast flick down', point(0, 80), 100, 'close'],
    ['a swipe up', point(0, -400), 200, undefined],
    ['a short slow move', point(-60, 0), 1000, undefined],
    ['a tap', point(3, 2), 5, undefined],
  ] as const) {
    it(`take ${name} for ${expected ?? 'nothing'}`, () => {
      expect(swipeOf(by, ms, STAGE)).to.equal(expected);
    });
  }

  it('open the viewer from the place of the picture in the grid', () => {
    const from = { left: 0, top: 0, width: 100, height: 50 };
    const to = { left: 100, top: 100, width: 400, height: 200 };

    expect(flipTransform(from, to)).to.equal('translate(-250px, -175px) scale(0.25)');
  });
});

describe('the choice of a rendition', () => {
  const widths = [320, 640, 1200, 1920, 3840];
  const needed = { fitted: { width: 1000, height: 750 }, zoom: 1, pixelRatio: 1 };

  it('is the smallest that is sharp', () => {
    expect(chooseWidth(record(4000, 3000), needed)).to.equal(1200);
    expect(chooseWidth(record(4000, 3000), { ...needed, pixelRatio: 1.5 })).to.equal(1920);
    expect(chooseWidth(record(4000, 3000), { ...needed, zoom: 3 })).to.equal(3840);
  });

  it('is no larger than the picture needs', () => {
    expect(chooseWidth(record(1000, 750), { ...needed, zoom: 4 })).to.equal(1200);
  });

  it('is the original beyond the largest rendition, if it has clearly more pixels', () => {
    expect(chooseWidth(record(4000, 3000), { ...needed, zoom: 8 })).to.equal(3840);
    expect(chooseWidth(record(8000, 3000), { ...needed, zoom: 4 })).to.equal(3840);
    expect(chooseWidth(record(8000, 3000), { ...needed, zoom: 8 })).to.equal('original');
  });

  it('leaves out what WebP cannot hold', () => {
    expect(renditionWidths(record(4000, 20_000))).to.deep.equal([320, 640, 1200]);
    expect(chooseWidth(record(200, 60_000), needed)).to.equal('original');
  });

  function record(width: number, height: number): ImageRecord {
    return { width, height, links: { renditions: { widths } } } as unknown as ImageRecord;
  }
});

function point(x: number, y: number): { readonly x: number; readonly y: number } {
  return { x, y };
}
