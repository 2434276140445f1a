import { expect } from 'chai';
import { AdaptiveLimit } from '../../client/src/adaptive-limit.ts';
import { Gate, settled } from '../support/time/gate.ts';

describe('AdaptiveLimit', () => {
  it('runs as much at a time as its maximum', async () => {
    const limit = new AdaptiveLimit(2);
    const gate = new Gate();
    let running = 0;
    const work = (): Promise<void> =>
      limit.run(async () => {
        running += 1;
        await gate.opened;
      });
    const all = Promise.all([work(), work(), work()]);
    await settled();

    expect(running).to.equal(2);
    gate.open();
    await all;
    expect(running).to.equal(3);
  });

  it('is halved once by the refusals of one round', () => {
    const limit = new AdaptiveLimit(8);
    const { round } = limit;
    for (let refusal = 0; refusal < 8; refusal += 1) limit.refused(round);

    expect(limit.current).to.equal(4);
  });

  it('stays at one', () => {
    const limit = new AdaptiveLimit(2);
    for (let refusal = 0; refusal < 8; refusal += 1) limit.refused(limit.round);

    expect(limit.current).to.equal(1);
  });

  it('rises by one after as many successes, up to its maximum', () => {
    const limit = new AdaptiveLimit(4);
    limit.refused(limit.round);
    limit.succeeded();
    limit.succeeded();
    expect(limit.current).to.equal(3);
    for (let success = 0; success < 100; success += 1) limit.succeeded();

    expect(limit.current).to.equal(4);
  });
});
