import { expect } from 'chai';
import { VirtualScroll } from '../../../web/src/grid/virtual-scroll.ts';

const VIEWPORT = 800;
const TALL = 60_000_000;

describe('VirtualScroll', () => {
  it('is the scroll of the page if the content is not too tall', () => {
    const scroll = scrollOf(100_000);

    scroll.scrolled(50_000);

    expect(scroll).to.include({ boxHeight: 100_000, position: 50_000, shift: 0, lastPosition: 99_200 });
  });

  it('bounds the page by device pixels', () => {
    expect(scrollOf(TALL).boxHeight).to.equal(7_500_000);
    expect(scrollOf(TALL, 3).boxHeight).to.equal(2_500_000);
  });

  it('moves the content as far as the page in small steps', () => {
    const scroll = scrollOf(TALL);
    scroll.scrolled(3_000_000);
    const before = scroll.position;

    expect(scroll.scrolled(3_000_120)).to.equal(false);
    expect(scroll.position).to.equal(before + 120);
  });

  it('jumps in proportion in large steps, and reaches both ends exactly', () => {
    const scroll = scrollOf(TALL);

    expect(scroll.scrolled(3_750_000 - VIEWPORT / 2)).to.equal(true);
    expect(scroll.position).to.be.closeTo(TALL / 2 - VIEWPORT / 2, 2000);
    scroll.scrolled(7_500_000 - VIEWPORT);
    expect(scroll.position).to.equal(TALL - VIEWPORT);
    scroll.scrolled(0);
    expect(scroll.position).to.equal(0);
  });

  it('goes on over the whole content in small steps, whatever the page has to do for it', () => {
    const scroll = scrollOf(400_000, 1, 100_000);
    let settled = 0;
    for (let step = 0; step < 4000 && scroll.position < scroll.lastPosition; step += 1) {
      const before = scroll.position;
      scroll.scrolled(Math.min(scroll.page + 150, scroll.boxHeight - VIEWPORT));
      expect(scroll.position - before).to.be.within(1, 150);
      if (scroll.isStuck && scroll.settle() !== undefined) settled += 1;
    }
    expect(scroll.position).to.equal(scroll.lastPosition);
    expect(scroll.page).to.equal(scroll.boxHeight - VIEWPORT);
    expect(settled).to.be.greaterThan(0);
    for (let step = 0; step < 4000 && scroll.position > 0; step += 1) {
      scroll.scrolled(Math.max(0, scroll.page - 150));
      if (scroll.isStuck) scroll.settle();
    }
    expect(scroll).to.include({ position: 0, page: 0 });
  });

  it('settles the page without moving the content', () => {
    const scroll = scrollOf(TALL);
    scroll.scrolled(4_000_000);
    scroll.moveTo(1_000_000);

    const page = scroll.settle() ?? 0;

    expect(scroll.position).to.equal(1_000_000);
    expect(scroll.page).to.equal(page);
    expect(scroll.scrolled(page)).to.equal(false);
    expect(scroll.position).to.equal(1_000_000);
    expect(scroll.settle()).to.equal(undefined);
  });

  it('shows the same place from the page alone after it has settled', () => {
    const scroll = scrollOf(TALL);
    scroll.scrolled(4_000_000);
    scroll.moveTo(30_000_000);
    const page = scroll.settle() ?? 0;
    const other = scrollOf(TALL);

    other.scrolled(page);

    expect(other.position).to.be.closeTo(30_000_000, TALL / 7_500_000);
  });
});

function scrollOf(height: number, pixelRatio = 1, box?: number): VirtualScroll {
  const scroll = new VirtualScroll();
  scroll.resize({ height, viewport: VIEWPORT, pixelRatio: box === undefined ? pixelRatio : 7_500_000 / box });
  return scroll;
}
