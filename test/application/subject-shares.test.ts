import { expect } from 'chai';
import { SubjectShares } from '../../src/application/concurrency/subject-shares.ts';
import { Overloaded } from '../../src/domain/errors.ts';

describe('SubjectShares', () => {
  it('give one subject half of the places', () => {
    const shares = new SubjectShares(4);
    shares.take('alice');
    shares.take('alice');

    expect(() => shares.take('alice')).to.throw(Overloaded);
    shares.take('bob');
    expect(shares.size).to.equal(3);
  });

  it('give the subjects of one space half of the places together', () => {
    const shares = new SubjectShares(4);
    shares.take('alice', 'cats');
    const leave = shares.take('bob', 'cats');

    expect(() => shares.take('carol', 'cats')).to.throw(Overloaded);
    shares.take('dave', 'dogs');
    leave();
    shares.take('carol', 'cats');
    expect(shares.size).to.equal(3);
  });

  it('hold nothing for a refused holder', () => {
    const shares = new SubjectShares(4);
    const leave = [shares.take('alice', 'cats'), shares.take('bob', 'cats')];
    for (let refusals = 0; refusals < 10; refusals += 1) {
      expect(() => shares.take('carol', 'cats')).to.throw(Overloaded);
    }

    for (const release of leave) release();

    expect(shares.size).to.equal(0);
    shares.take('carol', 'dogs');
    shares.take('carol', 'cats');
    expect(() => shares.take('carol', 'birds')).to.throw(Overloaded);
  });

  it('can be shared again by the holders within a share', () => {
    const shares = new SubjectShares(8);
    const tickets = shares.within('tickets');
    const leave = [tickets.take('cats'), tickets.take('cats'), tickets.take('dogs')];
    expect(() => tickets.take('cats')).to.throw(Overloaded);
    leave.push(tickets.take('dogs'));
    expect(() => tickets.take('birds')).to.throw(Overloaded);
    expect(() => shares.take('tickets')).to.throw(Overloaded);
    for (const subject of ['alice', 'bob', 'carol', 'dave']) leave.push(shares.take(subject));
    leave[0]?.();
    shares.take('eve');
    expect(() => tickets.take('birds')).to.throw(Overloaded);

    for (const release of leave.slice(1)) release();

    expect([shares.size, tickets.size]).to.deep.equal([1, 0]);
  });

  it('give all places to as many holders as it takes', () => {
    const shares = new SubjectShares(3);
    for (const subject of ['alice', 'bob', 'carol']) shares.take(subject, `space of ${subject}`);

    expect(() => shares.take('dave', 'dogs')).to.throw(Overloaded);
  });
});
