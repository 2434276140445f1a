import { expect } from 'chai';
import { mapConcurrently } from '../../src/application/concurrency/map-concurrently.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';

const ITEMS = [0, 1, 2, 3, 4];

describe('mapConcurrently', () => {
  let begun: number[];
  let gates: Gate[];

  beforeEach(() => {
    begun = [];
    gates = ITEMS.map(() => new Gate());
  });

  async function work(item: number): Promise<string> {
    begun.push(item);
    await gates[item]?.opened;
    return `result ${item}`;
  }

  it('returns the results in the order of the items, in whatever order they end', async () => {
    const results = mapConcurrently(ITEMS, 5, work);
    for (const gate of gates.toReversed()) {
      gate.open();
      await settled();
    }

    expect(await results).to.deep.equal(ITEMS.map((item) => `result ${item}`));
  });

  it('starts no more items than the limit, and the next one as soon as one has ended', async () => {
    const results = mapConcurrently(ITEMS, 2, work);
    await settled();
    expect(begun).to.deep.equal([0, 1]);

    gates[1]?.open();
    await settled();

    expect(begun).to.deep.equal([0, 1, 2]);
    for (const gate of gates) gate.open();
    await results;
  });

  it('starts no item after an error, and rejects when the started items have ended', async () => {
    const failure = new Error('the second item fails');
    let hasEnded = false;
    const results = mapConcurrently(ITEMS, 2, async (item) => {
      await work(item);
      if (item === 1) throw failure;
    });
    const error = rejection(results).finally(() => {
      hasEnded = true;
    });
    gates[1]?.open();
    await settled();
    expect(hasEnded).to.equal(false);

    gates[0]?.open();

    expect(await error).to.equal(failure);
    expect(begun).to.deep.equal([0, 1]);
  });
});
