import { expect } from 'chai';
import type { ArrivingBody, UploadSlot } from '../../src/application/upload/upload-slot.ts';
import { UploadSlots } from '../../src/application/upload/upload-slots.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import type { Space } from '../../src/domain/space/space.ts';
import type { Ticket } from '../../src/domain/ticket/ticket.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { settled } from '../support/time/gate.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const WAIT_MS = 2_000;

let slots: UploadSlots;
let time: ManualTime;

function open(count: number, sharesBySpace = false): void {
  time = new ManualTime();
  slots = new UploadSlots({ slots: count, sharesBySpace, timer: time.after });
}

async function take(
  subject: string,
  space = '',
  leaving = new AbortController().signal,
): Promise<UploadSlot> {
  return await slots.take({ space: space as Space, requester: { subject, signal: leaving } });
}

async function takeByTicket(space: string): Promise<UploadSlot> {
  const requester = { subject: 'tickets', signal: new AbortController().signal };
  return await slots.take({ space: space as Space, requester, ticket: {} as Ticket });
}

async function expectRefusal(taking: Promise<UploadSlot>): Promise<void> {
  expect(await rejection(taking))
    .to.be.instanceOf(Overloaded)
    .with.property('reason', 'uploads');
}

/** A body whose upload gives its slot back at once when it is ended. */
class SlowBody implements ArrivingBody {
  hasEnded = false;

  constructor(
    readonly name: string,
    private readonly slot: UploadSlot,
    private readonly recent: number | undefined,
  ) {
    slot.setArriving(this);
  }

  recentBytes(): number | undefined {
    return this.recent;
  }

  giveWay(): void {
    this.hasEnded = true;
    this.slot.setArriving(undefined);
    this.slot.release();
  }
}

interface Holding {
  readonly subject: string;
  readonly space?: string;
  readonly byTicket?: boolean;
  /** Of each upload, in the last ten seconds; `undefined` for one that may not be ended. */
  readonly recent: ReadonlyArray<number | undefined>;
}

async function hold(...holdings: readonly Holding[]): Promise<readonly SlowBody[]> {
  const bodies: SlowBody[] = [];
  for (const { subject, space, byTicket = false, recent } of holdings) {
    for (const bytes of recent) {
      const slot = byTicket ? await takeByTicket(space ?? '') : await take(subject, space);
      bodies.push(new SlowBody(`${subject} ${bytes}`, slot, bytes));
    }
  }
  return bodies;
}

function endedOf(bodies: readonly SlowBody[]): readonly string[] {
  return bodies.filter(({ hasEnded }) => hasEnded).map(({ name }) => name);
}

describe('Slots of uploads', () => {
  it('are for one subject up to the half', async () => {
    open(4);
    await take('alice');
    await take('alice');

    await expectRefusal(take('alice'));
    await take('bob');
    expect(slots.running).to.equal(3);
  });

  it('are for the subjects of one space up to the half, if spaces share them', async () => {
    open(4, true);
    await take('alice', 'cats');
    const slot = await take('bob', 'cats');

    await expectRefusal(take('carol', 'cats'));
    await take('dave', 'dogs');
    slot.release();
    await take('carol', 'cats');
    expect(slots.running).to.equal(3);
  });

  it('are released once, however often that is asked', async () => {
    open(4);
    const slot = await take('alice');
    await take('alice');
    slot.release();
    slot.release();
    await take('alice');
    await expectRefusal(take('alice'));
  });

  for (const ofSpaces of [false, true]) {
    it(`are for tickets up to the half, of which one space has half${ofSpaces ? ', if spaces share them' : ''}`, async () => {
      open(8, ofSpaces);
      const held = [await takeByTicket('cats'), await takeByTicket('cats'), await takeByTicket('dogs')];
      await expectRefusal(takeByTicket('cats'));
      held.push(await takeByTicket('dogs'));
      await expectRefusal(takeByTicket('birds'));
      for (const subject of ['alice', 'bob', 'carol', 'dave']) held.push(await take(subject, 'cats'));
      held[0]?.release();
      await take('eve');
      await expectRefusal(takeByTicket('birds'));

      for (const slot of held.slice(1)) slot.release();

      expect(slots.running).to.equal(1);
    });
  }
});

describe('A request that finds all slots of uploads taken', () => {
  it('gets the slot of the slowest upload of the subject with the most', async () => {
    open(8);
    const bodies = await hold(
      { subject: 'alice', recent: [900, 20, 30, 400] },
      { subject: 'bob', recent: [1, 2, 3] },
      { subject: 'carol', recent: [0] },
    );
    await take('dave');

    expect(endedOf(bodies)).to.deep.equal(['alice 20']);
    expect(slots.running).to.equal(8);
  });

  it('passes over the subject with the most if none of its uploads may be ended', async () => {
    open(8);
    const bodies = await hold(
      { subject: 'alice', recent: [undefined, 640_000, 1_000_000, undefined] },
      { subject: 'bob', recent: [639_999, 640_000, undefined] },
      { subject: 'carol', recent: [0] },
    );
    await take('dave');
    expect(endedOf(bodies)).to.deep.equal(['bob 639999']);
    // Bob has two by now, and nobody else has an upload that may be ended.
    await expectRefusal(take('erin'));
  });

  const refusals: ReadonlyArray<readonly [why: string, asking: string, held: readonly Holding[]]> = [
    [
      'nobody has two more than it',
      'carol',
      [
        { subject: 'alice', recent: [1, 1] },
        { subject: 'bob', recent: [1] },
        { subject: 'carol', recent: [1] },
      ],
    ],
    [
      'each subject has one alone',
      'erin',
      ['alice', 'bob', 'carol', 'dave'].map((subject) => ({ subject, recent: [1] })),
    ],
    [
      'all uploads are young, complete, or wait for the service',
      'carol',
      [
        { subject: 'alice', recent: [undefined, undefined] },
        { subject: 'bob', recent: [undefined, undefined] },
      ],
    ],
    [
      'its own share is taken',
      'alice',
      [
        { subject: 'alice', recent: [1, 1] },
        { subject: 'bob', recent: [1, 1] },
      ],
    ],
  ];

  for (const [why, asking, held] of refusals) {
    it(`is refused at once if ${why}`, async () => {
      open(4);
      const bodies = await hold(...held);
      await expectRefusal(take(asking));
      expect(endedOf(bodies)).to.deep.equal([]);
    });
  }

  it('takes none of an upload by ticket if its space has no more, but of the tickets as of one subject otherwise', async () => {
    const held: readonly Holding[] = [
      { subject: 'ticket', byTicket: true, space: 'cats', recent: [1, 2] },
      { subject: 'ticket', byTicket: true, space: 'dogs', recent: [3, 4] },
      { subject: 'alice', space: 'cats', recent: [5, 6] },
      { subject: 'bob', space: 'dogs', recent: [7, 8] },
    ];
    open(8);
    const bodies = await hold(...held);
    await take('carol', 'cats');
    expect(endedOf(bodies)).to.deep.equal(['ticket 1']);

    open(8, true);
    const ofSpaces = await hold(...held);
    await expectRefusal(take('carol', 'cats'));
    await take('carol', 'birds');
    expect(endedOf(ofSpaces)).to.deep.equal(['ticket 1']);
  });

  it('counts all that one subject asks for at the same time', async () => {
    open(64);
    const recent = Array.from({ length: 32 }, (_, index) => index);
    const bodies = await hold({ subject: 'alice', recent }, { subject: 'bob', recent });
    const asked = await Promise.allSettled(Array.from({ length: 40 }, () => take('carol')));

    // 22, 21 and 21: nobody has two more than another.
    expect(asked.filter(({ status }) => status === 'fulfilled')).to.have.length(21);
    expect(endedOf(bodies)).to.have.length(21);
    expect(slots.running).to.equal(64);
  });
});

describe('A request that waits for the slot of another upload', () => {
  let slow: UploadSlot;
  let others: readonly UploadSlot[];
  let asked: number;

  /** The upload of alice gives its slot back late. */
  beforeEach(async () => {
    open(4);
    slow = await take('alice');
    asked = 0;
    slow.setArriving({ recentBytes: () => 1, giveWay: () => void (asked += 1) });
    others = [await take('alice'), await take('bob'), await take('bob')];
  });

  it('has it as soon as the upload has undone its work, before all others', async () => {
    const waiting = take('carol');
    await settled();
    expect(asked).to.equal(1);
    slow.release();
    await expectRefusal(take('dave'));
    (await waiting).release();
    await take('dave');
  });

  it('is refused after two seconds, and the slot is free when it comes', async () => {
    const waiting = take('carol');
    const refused = expectRefusal(waiting);
    await time.settle(WAIT_MS - 1);
    time.pass(1);
    await refused;
    slow.release();
    const slot = await take('carol');
    slot.release();
    expect(slots.running).to.equal(3);
  });

  it('leaves with its client', async () => {
    const client = new AbortController();
    const waiting = rejection(take('carol', '', client.signal));
    await settled();
    client.abort(new Error('The client left'));
    expect((await waiting).message).to.equal('The client left');
    slow.release();
    await take('carol');
    await expectRefusal(take('dave'));
  });

  it('has the slot of another upload if that ends first', async () => {
    const waiting = take('carol');
    await settled();
    others[2]?.release();
    await waiting;
    await expectRefusal(take('dave'));
    slow.release();
    await take('dave');
  });

  it('ends one upload alone: each is asked once', async () => {
    const waiting = take('carol');
    await expectRefusal(take('dave'));
    expect(asked).to.equal(1);
    slow.release();
    await waiting;
  });
});
