import { expect } from 'chai';
import { SharedWork } from '../../src/application/shared-work.ts';
import { Gate, settled } from '../support/gate.ts';
import { rejection } from '../support/rejection.ts';

/** Of a client that stays. */
function staying(): AbortSignal {
  return new AbortController().signal;
}

describe('SharedWork', () => {
  let work: SharedWork<string>;
  let turn: Gate;
  let end: Gate;
  let signals: AbortSignal[];
  let begun: number;

  beforeEach(() => {
    work = new SharedWork();
    turn = new Gate();
    end = new Gate();
    signals = [];
    begun = 0;
  });

  /** Waits for its turn, until which it can be taken back, and then for its end. */
  async function paint(nobodyWaits: AbortSignal): Promise<string> {
    signals.push(nobodyWaits);
    await turn.opened;
    nobodyWaits.throwIfAborted();
    begun += 1;
    await end.opened;
    return `picture ${begun}`;
  }

  function ask(leaving: AbortSignal = staying(), key = 'cat'): Promise<string> {
    return work.join(key, paint, leaving);
  }

  it('is done once for all that ask at the same time', async () => {
    const asked = Array.from({ length: 5 }, () => ask());
    turn.open();
    end.open();

    expect(await Promise.all(asked)).to.deep.equal(Array.from({ length: 5 }, () => 'picture 1'));
  });

  it('is done for each key', async () => {
    const asked = [ask(staying(), 'cat'), ask(staying(), 'dog')];
    turn.open();
    end.open();
    await Promise.all(asked);

    expect(begun).to.equal(2);
  });

  it('is done again for one who asks after its end', async () => {
    turn.open();
    end.open();
    await ask();

    expect(await ask()).to.equal('picture 2');
  });

  it('fails for everybody at once', async () => {
    const failure = new Error('no paint left');
    const asked = Array.from({ length: 3 }, () => work.join('cat', () => Promise.reject(failure), staying()));

    expect(await Promise.all(asked.map(rejection))).to.deep.equal([failure, failure, failure]);
  });

  it('is not failed for one who asks after the failure', async () => {
    turn.open();
    end.open();
    await rejection(work.join('cat', () => Promise.reject(new Error('no paint left')), staying()));

    expect(await ask()).to.equal('picture 1');
  });

  it('is not begun for one who has left', async () => {
    const reason = new Error('left');

    expect(await rejection(ask(AbortSignal.abort(reason)))).to.equal(reason);
    expect(signals).to.deep.equal([]);
  });

  it('goes on for the others when one leaves', async () => {
    const leaver = new AbortController();
    const [left, stayed] = [ask(leaver.signal), ask()];
    const reason = new Error('left');

    leaver.abort(reason);
    turn.open();
    end.open();

    expect(await rejection(left)).to.equal(reason);
    expect(await stayed).to.equal('picture 1');
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
  });

  it('answers a leaver at once', async () => {
    const leaver = new AbortController();
    const asked = ask(leaver.signal);

    leaver.abort();

    expect((await rejection(asked)).name).to.equal('AbortError');
  });

  it('is taken back when the last one leaves before it begins', async () => {
    const leavers = [new AbortController(), new AbortController()];
    const asked = leavers.map(({ signal }) => ask(signal));
    for (const leaver of leavers) leaver.abort();
    turn.open();
    end.open();
    await Promise.all(asked.map(rejection));
    await settled();

    expect(begun).to.equal(0);
  });

  it('begins anew for one who asks when it was given up and is not yet taken back', async () => {
    const leaver = new AbortController();
    const left = ask(leaver.signal);
    leaver.abort();
    const asked = ask();
    turn.open();
    end.open();
    await rejection(left);

    expect(await asked).to.equal('picture 1');
  });

  it('can be joined when everybody has left and it goes on', async () => {
    turn.open();
    const leaver = new AbortController();
    const left = ask(leaver.signal);
    await settled();
    leaver.abort();
    await rejection(left);
    const asked = ask();
    end.open();

    expect(await asked).to.equal('picture 1');
    expect(begun).to.equal(1);
  });

  it('may fail when everybody has left', async () => {
    const leaver = new AbortController();
    const left = work.join(
      'cat',
      () => end.opened.then(() => Promise.reject(new Error('late'))),
      leaver.signal,
    );
    leaver.abort();
    await rejection(left);
    end.open();
    await settled();

    turn.open();
    expect(await ask()).to.equal('picture 1');
  });

  describe('that tells its result before its end', () => {
    async function paintAndHang(_nobodyWaits: AbortSignal, tell: (picture: string) => void): Promise<string> {
      begun += 1;
      tell(`picture ${begun}`);
      await end.opened;
      return 'too late';
    }

    function askToHang(): Promise<string> {
      return work.join('cat', paintAndHang, staying());
    }

    it('lets nobody wait, and is not done again until its end', async () => {
      expect([await askToHang(), await askToHang()]).to.deep.equal(['picture 1', 'picture 1']);
    });

    it('is done again for one who asks after its end', async () => {
      await askToHang();
      end.open();
      await settled();

      expect(await askToHang()).to.equal('picture 2');
    });

    it('may fail afterwards', async () => {
      const failing = async (_: AbortSignal, tell: (picture: string) => void): Promise<string> => {
        tell('picture');
        await end.opened;
        throw new Error('the wall has come down');
      };
      const asked = await work.join('cat', failing, staying());
      end.open();
      await settled();

      expect([asked, await askToHang()]).to.deep.equal(['picture', 'picture 1']);
    });
  });

  it('takes no notice of one who leaves after the end', async () => {
    turn.open();
    end.open();
    const leaver = new AbortController();
    await ask(leaver.signal);
    await settled();

    leaver.abort();

    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
  });
});
