import { expect } from 'chai';
import { explain } from '../simulation/explain.ts';
import { runSchedules } from '../simulation/run-schedules.ts';

const SCHEDULES = 20_000;

describe('the catalog in many simulated schedules', () => {
  // The same schedules in every run: what a change does not break must not fail. Others are for `npm run simulate -- --from`.
  const first = Number(process.env.STORM_SEED ?? 1);

  it('keeps its contract', async () => {
    console.log(`      STORM_SEED=${first}`);

    const { failing } = await runSchedules(first, SCHEDULES);

    if (failing !== undefined) expect.fail(await explain(failing));
  });
});
