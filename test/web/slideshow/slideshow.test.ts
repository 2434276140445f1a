import type { ImageRecord } from '@image-catalog/client';
import { expect } from 'chai';
import { Slideshow } from '../../../web/src/slideshow/slideshow.ts';
import { Gate, settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';

const GONE = new Error('gone');

let time: ManualTime;
let loaded: number[];
let respond: (id: number) => Promise<void>;
let errors: unknown[];
let count: number;
let show: Slideshow;

function useSlideshow(): void {
  beforeEach(async () => {
    time = new ManualTime();
    loaded = [];
    errors = [];
    count = 10;
    respond = async () => {};
    show = new Slideshow({
      at: async (index) => (count === 0 ? undefined : record(index % count)),
      load: async ({ id }) => {
        loaded.push(id);
        await respond(id);
        return `picture ${id}`;
      },
      clock: time,
      onError: (error) => errors.push(error),
    });
  });
}

async function start(): Promise<void> {
  show.start();
  await settled();
}

function shown(): number | undefined {
  return show.state.get().slide?.record.id;
}

describe('a slideshow', () => {
  useSlideshow();

  it('shows each picture for five seconds, and has loaded the next one before', async () => {
    await start();
    expect([shown(), loaded]).to.deep.equal([0, [0, 1]]);

    await time.settle(4999);
    expect(shown()).to.equal(0);
    await time.settle(1);
    expect([shown(), loaded]).to.deep.equal([1, [0, 1, 2]]);
  });

  it('counts the time from when the picture is there', async () => {
    const gate = new Gate();
    respond = (id) => (id === 1 ? gate.opened : Promise.resolve());
    await start();
    await time.settle(20_000);
    expect(shown()).to.equal(0);

    gate.open();
    await settled();
    await time.settle(4999);
    expect(shown()).to.equal(1);
  });

  it('stands still while it is paused, or not seen', async () => {
    await start();
    show.togglePlaying();
    await time.settle(60_000);
    expect([shown(), show.state.get().isPlaying]).to.deep.equal([0, false]);

    show.togglePlaying();
    show.suspend(true);
    await time.settle(60_000);
    expect(shown()).to.equal(0);

    show.suspend(false);
    await time.settle(5000);
    expect(shown()).to.equal(1);
  });

  it('steps by hand, also while it is paused, and not before the first', async () => {
    await start();
    show.togglePlaying();
    show.step(1);
    show.step(1);
    await settled();
    expect(shown()).to.equal(2);

    for (let steps = 0; steps < 5; steps += 1) show.step(-1);
    await settled();
    expect(shown()).to.equal(0);
  });

  it('shows nothing more when it is stopped', async () => {
    await start();
    show.stop();
    await time.settle(60_000);

    expect([shown(), loaded]).to.deep.equal([0, [0, 1]]);
  });
});

describe('a slideshow with pictures that are missing', () => {
  useSlideshow();

  it('leaves out what cannot be loaded', async () => {
    respond = (id) => (id === 1 || id === 2 ? Promise.reject(GONE) : Promise.resolve());
    await start();
    await time.settle(5000);

    expect([shown(), errors]).to.deep.equal([3, []]);
  });

  it('ends with the error if nothing can be loaded', async () => {
    respond = () => Promise.reject(GONE);
    await start();

    expect(show.state.get()).to.deep.equal({ isPlaying: false, slide: undefined, end: 'failed' });
    expect(errors).to.deep.equal([GONE]);
  });

  it('says that there are no pictures', async () => {
    count = 0;
    await start();

    expect(show.state.get().end).to.equal('empty');
  });
});

function record(id: number): ImageRecord {
  return { id } as unknown as ImageRecord;
}
