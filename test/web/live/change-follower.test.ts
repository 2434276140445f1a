import { CatalogError } from '@image-catalog/client';
import { expect } from 'chai';
import { ChangeFollower } from '../../../web/src/live/change-follower.ts';
import { settled } from '../../support/time/gate.ts';
import { ManualTime } from '../../support/time/manual-time.ts';
import { changeOf, FakeChangeFeed } from '../doubles/fake-change-feed.ts';
import { daysOf, FakeImagePages } from '../doubles/fake-image-pages.ts';

const EXPIRED = new CatalogError('The cursor has expired', { code: 'cursor_expired', status: 410 });

describe('the reader of the feed of changes', () => {
  const pages = new FakeImagePages(daysOf(1, () => 5));
  let time: ManualTime;
  let feed: FakeChangeFeed;
  let batches: number[][];
  let expired: number;
  let failed: number;
  let follower: ChangeFollower;

  beforeEach(() => {
    time = new ManualTime();
    feed = new FakeChangeFeed();
    batches = [];
    expired = 0;
    failed = 0;
    follower = new ChangeFollower(feed, time, {
      onChanges: (changes) => void batches.push(changes.map(({ id }) => id)),
      onExpired: async () => `restart ${(expired += 1)}`,
      onFailed: () => void (failed += 1),
    });
  });

  async function push(...positions: readonly number[]): Promise<void> {
    for (const position of positions) {
      feed.push(changeOf('created', pages.recordAt(position)));
      await settled();
    }
  }

  it('waits for the cursor of the first listing', () => {
    follower.follow(undefined);
    expect(feed.reads).to.deep.equal([]);

    follower.follow('start');
    expect(feed.reads).to.deep.equal(['start']);
  });

  it('passes on several changes at a time', async () => {
    follower.follow('start');
    await push(0, 1, 2);
    expect(batches).to.deep.equal([]);
    time.pass(200);
    await push(3);
    time.pass(200);

    expect(batches).to.deep.equal([[5, 4, 3], [2]]);
  });

  it('catches up after a pause from the last change', async () => {
    follower.follow('start');
    await push(1);
    follower.pause();
    await settled();
    follower.follow('start');

    expect(feed.reads).to.deep.equal(['start', '4']);
    expect(feed.signals.map(({ aborted }) => aborted)).to.deep.equal([true, false]);
    expect(failed).to.equal(0);
  });

  it('is read once, however often it is asked for', () => {
    follower.follow('start');
    follower.follow('start');

    expect(feed.reads).to.deep.equal(['start']);
  });

  it('begins again behind a listing if the cursor has expired', async () => {
    follower.follow('start');
    feed.push(EXPIRED);
    await settled();

    expect(feed.reads).to.deep.equal(['start', 'restart 1']);
  });

  it('ends if a new cursor has expired, too', async () => {
    follower.follow('start');
    for (const round of [1, 2, 3]) {
      feed.push(EXPIRED);
      await settled();
      expect(expired, `round ${round}`).to.equal(1);
    }
  });

  it('ends if it is refused, until it is asked for again', async () => {
    follower.follow('start');
    feed.push(new CatalogError('Forbidden', { code: 'insufficient_scope', status: 403 }));
    await settled();
    expect([feed.reads, failed]).to.deep.equal([['start'], 1]);
    expect([follower.follow('start'), follower.follow('start')]).to.deep.equal([true, false]);

    expect(feed.reads).to.deep.equal(['start', 'start']);
  });
});
