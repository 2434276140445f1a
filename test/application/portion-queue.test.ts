import { expect } from 'chai';
import { type PortionPolicy, PortionQueue } from '../../src/application/concurrency/portion-queue.ts';
import { subjectSlots } from '../../src/application/concurrency/subject-slots.ts';
import { EDIT_POLICY, type EditSize } from '../../src/application/edits/edits.ts';
import { SEARCH_POLICY } from '../../src/application/find/searches.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import type { Turns } from '../../src/domain/ports/process/turns.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const MAX_WAIT_MS = 10_000;
const MAX_WAITING = 64;

/** Portions that end when the test says so. */
class Portions<Kind> {
  readonly begun: string[] = [];
  readonly time = new ManualTime();
  private readonly queue: PortionQueue<Kind>;
  private readonly gates = new Map<string, Gate>();

  constructor(policy: PortionPolicy<Kind>) {
    this.queue = new PortionQueue(policy, this.time.after);
  }

  /** The turns of a new request. */
  request(subject: string, kind: Kind, leaving = new AbortController().signal): Turns {
    return this.queue.turnsOf({ subject, leaving }, kind);
  }

  /** Of a new request, unless it is given. */
  add(name: string, kind: Kind, turns = this.request(name.charAt(0), kind)): Promise<string> {
    const gate = new Gate();
    this.gates.set(name, gate);
    return turns.run(async () => {
      this.begun.push(name);
      await gate.opened;
      return name;
    });
  }

  async end(...names: readonly string[]): Promise<void> {
    for (const name of names) this.gates.get(name)?.open();
    for (let turn = 0; turn < 3; turn += 1) await settled();
  }
}

function oneAtATime(): Portions<'page'> {
  return new Portions(subjectSlots('edits', 1, 1));
}

function searches(): Portions<'page' | 'count'> {
  return new Portions(SEARCH_POLICY);
}

function edits(): Portions<EditSize> {
  return new Portions(EDIT_POLICY);
}

function addAll<Kind>(portions: Portions<Kind>, kind: Kind, names: readonly string[]): void {
  for (const name of names) void portions.add(name, kind);
}

describe('PortionQueue', () => {
  it('lets subjects take turns, however many of one wait', async () => {
    const portions = oneAtATime();
    addAll(portions, 'page', ['c1', 'a1', 'a2', 'a3', 'b1', 'b2']);

    for (const name of ['c1', 'a1', 'b1', 'a2', 'b2']) await portions.end(name);

    expect(portions.begun).to.deep.equal(['c1', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('runs all portions of a request before the later requests of its subject', async () => {
    const portions = oneAtATime();
    addAll(portions, 'page', ['c1']);
    const turns = portions.request('a', 'page');
    const request = portions.add('a1', 'page', turns).then(() => portions.add('a1 again', 'page', turns));
    addAll(portions, 'page', ['a2', 'b1']);

    for (const name of ['c1', 'a1', 'b1', 'a1 again']) await portions.end(name);

    expect(portions.begun).to.deep.equal(['c1', 'a1', 'b1', 'a1 again', 'a2']);
    expect(await request).to.equal('a1 again');
  });

  it('frees the slot of a client that leaves while it waits', async () => {
    const portions = oneAtATime();
    const leaving = new AbortController();
    addAll(portions, 'page', ['a1']);
    await portions.end();
    const waiting = portions.add('b1', 'page', portions.request('b', 'page', leaving.signal));
    addAll(portions, 'page', ['c1']);

    const reason = new Error('left');
    leaving.abort(reason);

    expect(await rejection(waiting)).to.equal(reason);
    await portions.end('a1');
    expect(portions.begun).to.deep.equal(['a1', 'c1']);
  });

  it('begins no portion of a client that has left', async () => {
    const reason = new Error('left');
    const turns = oneAtATime().request('a', 'page', AbortSignal.abort(reason));

    expect(await rejection(turns.run(async () => 'begun'))).to.equal(reason);
  });

  it('refuses a portion that has waited for 10 seconds, and no earlier', async () => {
    const portions = oneAtATime();
    addAll(portions, 'page', ['a1']);
    const outcomes: unknown[] = [];
    const waiting = portions.add('b1', 'page').catch((error: unknown) => outcomes.push(error));

    await portions.time.settle(MAX_WAIT_MS - 1);
    expect(outcomes).to.deep.equal([]);
    await portions.time.settle(1);
    await waiting;

    expect(outcomes[0]).to.be.instanceOf(Overloaded).with.property('reason', 'edits');
    await portions.end('a1');
    expect(portions.begun).to.deep.equal(['a1']);
  });

  it('refuses the latest request beyond 64 of a subject, and none of another', async () => {
    const portions = oneAtATime();
    const early = portions.request('a', 'page');
    addAll(portions, 'page', ['b0']);
    await portions.end();
    const names = Array.from({ length: MAX_WAITING }, (_, at) => `a${at}`);
    const waiting = names.map((name) => portions.add(name, 'page').catch(() => 'refused'));
    const first = portions.add('early', 'page', early);
    const other = portions.add('c1', 'page');

    await portions.end('b0', ...names, 'early', 'c1');
    for (const _ of names) await portions.end();

    expect(await Promise.all([first, other])).to.deep.equal(['early', 'c1']);
    expect(await Promise.all(waiting)).to.deep.equal([...names.slice(0, -1), 'refused']);
  });

  it('goes on when a portion fails', async () => {
    const turns = oneAtATime().request('a', 'page');

    const failing = turns.run(() => Promise.reject(new Error('failed')));

    expect((await rejection(failing)).message).to.equal('failed');
    expect(await turns.run(async () => 'done')).to.equal('done');
  });
});

describe('Changes', () => {
  it('of a subject begin as long as they take no longer together than one bulk edit', async () => {
    const portions = edits();
    const larges = ['a1', 'a2', 'a3', 'a4', 'a5'];
    addAll(portions, 'large', larges);
    await portions.end();
    expect(portions.begun).to.deep.equal(['a1', 'a2', 'a3', 'a4']);

    addAll(portions, 'small', ['b1']);
    addAll(portions, 'bulk', ['c1', 'd1']);
    await portions.end();
    expect(portions.begun.slice(4)).to.deep.equal(['b1', 'c1']);

    await portions.end('a1', 'c1');
    expect(portions.begun.slice(6)).to.have.members(['a5', 'd1']);
  });

  it('that are small begin 32 at a time', async () => {
    const portions = edits();
    addAll(
      portions,
      'small',
      Array.from({ length: 40 }, (_, at) => `a${at}`),
    );
    await portions.end();
    expect(portions.begun).to.have.lengthOf(32);
  });

  it('of a subject wait behind its earlier bulk edit, and those of others do not', async () => {
    const portions = edits();
    addAll(portions, 'small', ['a1']);
    addAll(portions, 'bulk', ['a2']);
    addAll(portions, 'small', ['a3', 'b1']);
    await portions.end();
    expect(portions.begun).to.deep.equal(['a1', 'b1']);

    await portions.end('a1');
    await portions.end('a2');

    expect(portions.begun).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
  });

  it('of four subjects that wait let another subject begin when each of them has had a turn', async () => {
    const portions = edits();
    for (const subject of ['a', 'c', 'd', 'e']) {
      addAll(
        portions,
        'large',
        Array.from({ length: 8 }, (_, at) => `${subject}${at}`),
      );
    }
    await portions.end();
    addAll(portions, 'small', ['b1']);
    await portions.end();
    expect(portions.begun).to.not.include('b1');

    for (const name of ['a0', 'c0', 'd0', 'e0', 'a1']) await portions.end(name);

    expect(portions.begun.slice(16)).to.deep.equal(['a4', 'c4', 'd4', 'e4', 'b1']);
  });

  it('that are small do not keep a bulk edit of another subject waiting when they end one by one', async () => {
    const portions = edits();
    const subjects = ['a', 'c', 'd', 'e'];
    for (const subject of subjects) {
      addAll(
        portions,
        'small',
        Array.from({ length: 90 }, (_, at) => `${subject}${at}`),
      );
    }
    await portions.end();
    addAll(portions, 'bulk', ['b1']);
    await portions.end();
    expect(portions.begun).to.have.lengthOf(128);

    const ended = subjects.flatMap((subject) => Array.from({ length: 10 }, (_, at) => `${subject}${at}`));
    for (const name of ended) await portions.end(name);

    expect(portions.begun).to.include('b1');
  });
});

describe('Searches', () => {
  it('begin when others no longer wait', async () => {
    const portions = searches();
    const leaving = new AbortController();
    addAll(portions, 'page', ['b1', 'b2', 'b3']);
    const waiting = portions.add('b4', 'page', portions.request('b', 'page', leaving.signal));
    addAll(portions, 'count', ['a1', 'a2']);
    await portions.end('b1');
    expect(portions.begun).to.deep.equal(['b1', 'b2', 'b3', 'a1']);

    leaving.abort();

    await rejection(waiting);
    await portions.end();
    expect(portions.begun.at(-1)).to.equal('a2');
  });

  it('of a subject take two slots while others wait', async () => {
    const portions = searches();
    addAll(portions, 'page', ['a1', 'a2', 'a3', 'a4', 'a5']);
    await portions.end();
    addAll(portions, 'page', ['b1', 'b2', 'b3', 'c1', 'c2']);
    await portions.end();
    expect(portions.begun).to.deep.equal(['a1', 'a2', 'a3', 'b1']);

    for (const name of ['a1', 'b1', 'a2', 'c1']) await portions.end(name);

    // The next one of `a` begins when one is left.
    expect(portions.begun.slice(4)).to.deep.equal(['c1', 'b2', 'a4', 'c2']);
  });

  it('of a subject have one count among them while others wait', async () => {
    const portions = searches();
    addAll(portions, 'page', ['b1', 'b2', 'b3', 'b4']);
    addAll(portions, 'count', ['a1', 'a2']);
    expect(portions.begun).to.deep.equal(['b1', 'b2', 'b3']);

    await portions.end('b1');
    expect(portions.begun.slice(3)).to.deep.equal(['a1']);

    addAll(portions, 'page', ['a3']);
    await portions.end();
    expect(portions.begun.slice(4)).to.deep.equal(['a3']);

    await portions.end('a1');
    expect(portions.begun.slice(5)).to.deep.equal(['a2']);
  });
});
