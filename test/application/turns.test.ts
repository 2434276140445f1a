import { expect } from 'chai';
import { type Caller, Turns } from '../../src/application/concurrency/turns.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import { CALLER, STAYING } from '../support/doubles/staying.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';
import { VirtualTimers } from '../support/time/virtual-timers.ts';

const LONG_MS = 60_000;

function caller(subject: string, leaving: AbortSignal = STAYING): Caller {
  return { subject, leaving };
}

/** Work that ends when its gate opens. */
class Jobs {
  readonly begun: string[] = [];
  readonly ended: Array<Promise<void>> = [];
  readonly #gates = new Map<string, Gate>();

  constructor(private readonly turns: Turns) {}

  add(name: string, subject: string, leaving?: AbortSignal): Promise<void> {
    const gate = new Gate();
    this.#gates.set(name, gate);
    const job = this.turns.run(caller(subject, leaving), LONG_MS, async () => {
      this.begun.push(name);
      await gate.opened;
    });
    this.ended.push(job);
    return job;
  }

  async end(name: string): Promise<void> {
    this.#gates.get(name)?.open();
    await settled();
  }
}

describe('Turns', () => {
  it('begin one at a time for each subject, and so many over all', async () => {
    const jobs = new Jobs(new Turns(2));
    for (const [name, subject] of ['a1 a', 'a2 a', 'b1 b', 'c1 c'].map((text) => text.split(' '))) {
      void jobs.add(name ?? '', subject ?? '');
    }
    await jobs.end('none');
    expect(jobs.begun).to.deep.equal(['a1', 'b1']);

    await jobs.end('a1');
    expect(jobs.begun).to.deep.equal(['a1', 'b1', 'c1']);

    await jobs.end('c1');
    expect(jobs.begun).to.deep.equal(['a1', 'b1', 'c1', 'a2']);
  });

  it('are taken by the subjects in turn, however many of one wait', async () => {
    const jobs = new Jobs(new Turns(1));
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) void jobs.add(name, name.slice(0, 1));

    for (const name of ['a1', 'b1', 'a2', 'b2']) await jobs.end(name);

    expect(jobs.begun).to.deep.equal(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('are given up by a client that leaves while it waits', async () => {
    const jobs = new Jobs(new Turns(1));
    const leaving = new AbortController();
    void jobs.add('running', 'a');
    const waiting = jobs.add('waiting', 'b', leaving.signal);
    void jobs.add('next', 'c');

    leaving.abort();

    expect(await rejection(waiting)).to.be.instanceOf(Overloaded);
    await jobs.end('running');
    expect(jobs.begun).to.deep.equal(['running', 'next']);
  });

  it('do not begin when the time is over', async () => {
    const turns = new Turns(1);
    const gate = new Gate();
    const time = new VirtualTimers();
    const running = turns.run(CALLER, 2 * LONG_MS, () => gate.opened);
    const late = time.use(() => turns.run(caller('b'), LONG_MS, async () => expect.fail('has begun')));

    time.pass(LONG_MS);

    expect(await rejection(late)).to.be.instanceOf(Overloaded);
    gate.open();
    await running;
  });

  it('tell the work how much of its time is left, and when it is over', async () => {
    const turns = new Turns(1);
    const gate = new Gate();
    const time = new VirtualTimers();
    const running = turns.run(CALLER, LONG_MS, () => gate.opened);
    await time.use(async () => {
      const waiting = turns.run(caller('b'), LONG_MS, async ({ withinMs, stopped }) => {
        time.pass(withinMs - 1);
        const isOverBefore = stopped.aborted;
        time.pass(1);
        return { withinMs, isOverBefore, isOver: stopped.aborted };
      });
      time.pass(1000);
      gate.open();
      await running;

      expect(await waiting).to.deep.equal({ withinMs: LONG_MS - 1000, isOverBefore: false, isOver: true });
    });
  });

  it('are refused if too many of one subject wait', async () => {
    const turns = new Turns(1);
    const gate = new Gate();
    const runs = Array.from({ length: 34 }, () => turns.run(CALLER, LONG_MS, () => gate.opened));

    expect(await rejection(runs.at(-1) ?? gate.opened)).to.be.instanceOf(Overloaded);
    gate.open();
    expect(await Promise.all(runs.slice(0, -1))).to.have.length(33);
  });

  it('pass on when work fails', async () => {
    const turns = new Turns(1);
    const failing = turns.run(CALLER, LONG_MS, () => Promise.reject(new Error('failed')));

    expect((await rejection(failing)).message).to.equal('failed');
    expect(await turns.run(CALLER, LONG_MS, async () => 'done')).to.equal('done');
  });
});
