import { expect } from 'chai';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';
import { GRID_SIZE, shown } from '../doubles/shown-grid.ts';

describe('a fling through a million pictures', () => {
  it('asks for no picture that was in view for less than 100 ms', async () => {
    const { frame, scrollBy, timers, page, settle } = await shown(
      new FakeImagePages(daysOf(5000, () => 200)),
      GRID_SIZE,
    );
    const isDrawn = (): boolean => frame().cells.every(({ sources }) => sources !== undefined);
    const seenSince = new Map<number, number>();
    const asked = new Map(frame().cells.map(({ position }) => [position, Infinity]));

    // As a browser slows a fling down: half of the speed after each third of a second, until it stops.
    for (let speed = 8; speed > 0.1; speed *= 2 ** -(16 / 333)) {
      timers.time += 16;
      scrollBy(Math.round(speed * 16));
      for (const { position, y, height, sources } of frame().cells) {
        const top = frame().layerTop + y - page();
        if (top >= GRID_SIZE.viewport || top + height <= 0) seenSince.delete(position);
        else if (!seenSince.has(position)) seenSince.set(position, timers.time);
        if (sources === undefined || asked.has(position)) continue;
        asked.set(position, timers.time - (seenSince.get(position) ?? timers.time));
      }
      await Promise.resolve();
    }
    // It stops: first those in view, which a next fling may follow.
    timers.time += 200;
    timers.runAll();
    const { firstInView, lastInView } = frame();
    const drawn = frame().cells.flatMap(({ position, sources }) => (sources?.sharp ? [position] : []));
    expect([drawn[0], drawn.at(-1)]).to.deep.equal([firstInView, lastInView]);
    expect(isDrawn()).to.equal(false);

    await settle();
    expect(isDrawn()).to.equal(true);
    expect(Math.min(...asked.values())).to.be.at.least(100);
    expect(asked.size).to.be.within(20, 100);
  });
});
