import { expect } from 'chai';
import { FairQueue } from '../../src/application/concurrency/fair-queue.ts';
import { type UploadJob, uploadSlots } from '../../src/application/upload/upload-slots.ts';
import { Overloaded } from '../../src/domain/errors.ts';
import type { Space } from '../../src/domain/space/space.ts';

let slots: FairQueue<UploadJob>;

function take(subject: string, space = ''): () => void {
  return slots.takeNow({ subject, space: space as Space, byTicket: false });
}

function takeByTicket(space: string): () => void {
  return slots.takeNow({ subject: 'tickets', space: space as Space, byTicket: true });
}

describe('Slots of uploads', () => {
  it('are for one subject up to the half', () => {
    slots = new FairQueue(uploadSlots(4, false));
    take('alice');
    take('alice');

    expect(() => take('alice'))
      .to.throw(Overloaded)
      .with.property('reason', 'uploads');
    take('bob');
    expect(slots.running('all')).to.equal(3);
  });

  it('are for the subjects of one space up to the half, if spaces share them', () => {
    slots = new FairQueue(uploadSlots(4, true));
    take('alice', 'cats');
    const leave = take('bob', 'cats');

    expect(() => take('carol', 'cats')).to.throw(Overloaded);
    take('dave', 'dogs');
    leave();
    take('carol', 'cats');
    expect(slots.running('all')).to.equal(3);
  });

  for (const ofSpaces of [false, true]) {
    it(`are for tickets up to the half, of which one space has half${ofSpaces ? ', if spaces share them' : ''}`, () => {
      slots = new FairQueue(uploadSlots(8, ofSpaces));
      const leave = [takeByTicket('cats'), takeByTicket('cats'), takeByTicket('dogs')];
      expect(() => takeByTicket('cats')).to.throw(Overloaded);
      leave.push(takeByTicket('dogs'));
      expect(() => takeByTicket('birds')).to.throw(Overloaded);
      for (const subject of ['alice', 'bob', 'carol', 'dave']) leave.push(take(subject, 'cats'));
      leave[0]?.();
      take('eve');
      expect(() => takeByTicket('birds')).to.throw(Overloaded);

      for (const release of leave.slice(1)) release();

      expect(slots.running('all')).to.equal(1);
    });
  }
});
