import { expect } from 'chai';
import { StallTimer } from '../../src/application/stall-timer.ts';
import { eventually } from '../support/fixtures/eventually.ts';

describe('StallTimer', () => {
  let stalls: number;

  beforeEach(() => {
    stalls = 0;
  });

  function timer(limitMs: number): StallTimer {
    return new StallTimer(limitMs, () => {
      stalls += 1;
    });
  }

  async function stalled(times: number): Promise<number> {
    return await eventually(
      () => stalls,
      (count) => count >= times,
    );
  }

  it('reports a stall, and another one after it was restarted', async () => {
    const stall = timer(1);
    stall.restart();
    expect(await stalled(1)).to.equal(1);

    stall.restart();

    expect(await stalled(2)).to.equal(2);
  });

  it('counts again after it was stopped', async () => {
    const stall = timer(1);
    stall.restart();
    stall.stop();

    stall.restart();

    expect(await stalled(1)).to.equal(1);
  });

  it('reports nothing before it is started and after it is stopped', async () => {
    const [silent, later] = [timer(1), timer(2)];
    silent.restart();
    silent.stop();
    timer(1);
    later.restart();

    expect(await stalled(1)).to.equal(1);
  });
});
