import { expect } from 'chai';
import { type Sample, titleOf, WHOLE } from '../support/sample.ts';
import { explain } from './explain.ts';
import { FAULT_KINDS } from './port-calls.ts';
import { runSchedules } from './run-schedules.ts';

const SCHEDULES = 2000;

/** @param sample of the first 2,000 seeds, as many that follow each other */
export function keepsItsContractInSchedules(sample: Sample): void {
  const count = Math.min(sample.size, SCHEDULES);
  const first = 1 + (sample.seed % (SCHEDULES - count + 1));

  describe(titleOf('the catalog in simulated schedules', sample), () => {
    it(`keeps its contract in ${count} of them`, async () => {
      const { failing, faults, interleavings } = await runSchedules(first, count);

      if (failing !== undefined) expect.fail(await explain(failing));
      expect(interleavings.size).to.be.greaterThan(count / 2);
      if (sample === WHOLE) expect([...faults.keys()]).to.have.members([...FAULT_KINDS]);
    });
  });
}
