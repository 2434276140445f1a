import { expect } from 'chai';
import { SingleFlight } from '../../src/application/concurrency/single-flight.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';

/** The signal of a client that does not disconnect. */
function staying(): AbortSignal {
  return new AbortController().signal;
}

let flights: SingleFlight<string>;
let turn: Gate;
let end: Gate;
let signals: AbortSignal[];
let begun: number;

function useFlights(): void {
  beforeEach(() => {
    flights = new SingleFlight();
    turn = new Gate();
    end = new Gate();
    signals = [];
    begun = 0;
  });
}

/** Can be cancelled until `turn` opens; ends when `end` opens. */
async function paint(signal: AbortSignal): Promise<string> {
  signals.push(signal);
  await turn.opened;
  signal.throwIfAborted();
  begun += 1;
  await end.opened;
  return `picture ${begun}`;
}

function ask(leaving: AbortSignal = staying(), key = 'cat'): Promise<string> {
  return flights.join(key, paint, leaving);
}

describe('SingleFlight', () => {
  useFlights();

  it('runs once for all concurrent callers of a key, and again for one after its end', async () => {
    const asked = [...Array.from({ length: 5 }, () => ask()), ask(staying(), 'dog')];
    turn.open();
    end.open();

    await Promise.all(asked);
    expect(begun).to.equal(2);
    expect(await ask()).to.equal('picture 3');
  });

  it('fails for all concurrent callers, and runs again for one after the failure', async () => {
    const failure = new Error('no paint left');
    const asked = Array.from({ length: 3 }, () =>
      flights.join('cat', () => Promise.reject(failure), staying()),
    );
    expect(await Promise.all(asked.map(rejection))).to.deep.equal([failure, failure, failure]);

    turn.open();
    end.open();
    expect(await ask()).to.equal('picture 1');
  });
});

describe('SingleFlight with callers that leave', () => {
  useFlights();

  it('does not start for a caller that has already left', async () => {
    const reason = new Error('left');

    expect(await rejection(ask(AbortSignal.abort(reason)))).to.equal(reason);
    expect(signals).to.deep.equal([]);
  });

  it('continues for the others if one caller leaves', async () => {
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

  it('is cancelled if the last caller leaves before it starts', async () => {
    const leavers = [new AbortController(), new AbortController()];
    const asked = leavers.map(({ signal }) => ask(signal));
    for (const leaver of leavers) leaver.abort();
    turn.open();
    end.open();
    await Promise.all(asked.map(rejection));
    await settled();

    expect(begun).to.equal(0);
  });

  it('starts again for a caller between the abort signal and its effect', async () => {
    const leaver = new AbortController();
    const left = ask(leaver.signal);
    leaver.abort();
    const asked = ask();
    turn.open();
    end.open();
    await rejection(left);

    expect(await asked).to.equal('picture 1');
  });

  it('can be joined if all callers have left and it continues', async () => {
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

  it('may fail after all callers have left', async () => {
    const leaver = new AbortController();
    const left = flights.join(
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

  it('ignores a caller that leaves after the end', async () => {
    turn.open();
    end.open();
    const leaver = new AbortController();
    await ask(leaver.signal);
    await settled();

    leaver.abort();

    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([false]);
  });
});
