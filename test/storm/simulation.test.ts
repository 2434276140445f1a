import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { explain } from '../simulation/explain.ts';
import { runSchedules } from '../simulation/run-schedules.ts';

const SCHEDULES = 20_000;

describe('the catalog in many simulated schedules', function () {
  this.timeout(600_000);

  // STORM_SEED repeats a run. Any number of schedules: `npm run simulate -- --schedules 1000000`.
  const first = Number(process.env.STORM_SEED ?? randomInt(2 ** 31));

  it('keeps its contract', async () => {
    console.log(`      STORM_SEED=${first}`);

    const { failing } = await runSchedules(first, SCHEDULES);

    if (failing !== undefined) expect.fail(await explain(failing));
  });
});
