import { expect } from 'chai';
import { Notices } from '../../../web/src/notices/notices.ts';
import { ManualTime } from '../../support/time/manual-time.ts';

describe('notices', () => {
  let time: ManualTime;
  let notices: Notices;
  let expired: string[];

  beforeEach(() => {
    time = new ManualTime();
    notices = new Notices(time);
    expired = [];
  });

  const shown = (): readonly string[] => notices.shown.get().map(({ text }) => text);
  const idOf = (text: string): number => notices.shown.get().find((notice) => notice.text === text)?.id ?? 0;

  it('go away after six seconds', async () => {
    notices.show('Saved');
    await time.settle(5999);
    expect(shown()).to.deep.equal(['Saved']);
    await time.settle(1);

    expect(shown()).to.deep.equal([]);
  });

  it('stay until they are closed if they have no lifetime', async () => {
    notices.show('Saved', { lifetimeMs: undefined });
    await time.settle(3_600_000);
    expect(shown()).to.deep.equal(['Saved']);
    notices.close(idOf('Saved'));

    expect(shown()).to.deep.equal([]);
  });

  it('stand still while somebody is there, and then have the time that was left', async () => {
    notices.show('Saved', { lifetimeMs: 1000 });
    await time.settle(600);
    notices.pause();
    await time.settle(60_000);
    expect(shown()).to.deep.equal(['Saved']);
    notices.resume();
    await time.settle(399);
    expect(shown()).to.deep.equal(['Saved']);
    await time.settle(1);

    expect(shown()).to.deep.equal([]);
  });

  it('stay no longer if the clock of the device is set back', async () => {
    notices.show('Saved', { lifetimeMs: 1000 });
    time.sleep(-7_200_000);
    notices.pause();
    notices.resume();
    await time.settle(1000);

    expect(shown()).to.deep.equal([]);
  });

  it('that come while somebody is there have their whole time afterwards', async () => {
    notices.pause();
    notices.show('Saved', { lifetimeMs: 1000 });
    await time.settle(5000);
    notices.resume();
    await time.settle(999);
    expect(shown()).to.deep.equal(['Saved']);
    await time.settle(1);

    expect(shown()).to.deep.equal([]);
  });

  it('tell when their time is over or they are closed', async () => {
    notices.show('A', { onExpired: () => expired.push('A'), lifetimeMs: 1000 });
    notices.show('B', { onExpired: () => expired.push('B') });
    await time.settle(1000);
    notices.close(idOf('B'));

    expect(expired).to.deep.equal(['A', 'B']);
  });

  it('do not tell it if they are removed, or when their action runs', async () => {
    const remove = notices.show('A', { onExpired: () => expired.push('A') });
    notices.show('B', {
      onExpired: () => expired.push('B'),
      action: { label: 'Undo', run: () => expired.push('undone') },
    });
    remove();
    notices.act(idOf('B'));
    await time.settle(60_000);

    expect(expired).to.deep.equal(['undone']);
    expect(shown()).to.deep.equal([]);
  });

  it('with the same text are shown once, for a time that begins again', async () => {
    notices.show('Saved');
    await time.settle(5000);
    notices.show('Saved');
    await time.settle(5000);
    expect(shown()).to.deep.equal(['Saved']);
    await time.settle(1000);

    expect(shown()).to.deep.equal([]);
  });

  it('with the same text and an action are different ones', () => {
    notices.show('Deleted', { action: { label: 'Undo', run: () => {} } });
    notices.show('Deleted', { action: { label: 'Undo', run: () => {} } });

    expect(shown()).to.deep.equal(['Deleted', 'Deleted']);
  });
});
