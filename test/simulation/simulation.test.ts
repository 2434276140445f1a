import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sample } from '../support/sample.ts';
import { FOUND } from './found.ts';
import { MUTANTS } from './mutants.ts';
import { OPERATIONS, WEIGHTS } from './operations/operations.ts';
import { scheduleOf } from './schedule.ts';
import { keepsItsContractInSchedules } from './schedules.ts';
import { simulate } from './simulate.ts';

keepsItsContractInSchedules(sample(40));

describe('the simulated catalog', () => {
  for (const [what, schedule] of FOUND) {
    it(`keeps its contract in a schedule that has broken it: ${what}`, async () => {
      const { failure } = await simulate(schedule);

      expect(failure).to.equal(undefined);
    });
  }

  it('is the same in every run of a schedule', async () => {
    for (const seed of [1, 22, 333, 4444]) {
      const schedule = scheduleOf(seed, WEIGHTS);
      const first = await simulate(schedule, { keepsTrace: true });

      const second = await simulate(schedule, { keepsTrace: true });

      expect(second.trace).to.deep.equal(first.trace).and.have.length.greaterThan(10);
    }
  });

  it('has one place for each planted fault', () => {
    for (const { title, file, code } of MUTANTS) {
      expect(readFileSync(file, 'utf8').split(code), `${title}: places in ${file}`).to.have.length(2);
    }
  });

  it('draws every operation', () => {
    const kinds = Array.from({ length: 100 }, (_, seed) => scheduleOf(seed, WEIGHTS).operations).flat();

    expect(new Set(kinds.map(({ kind }) => kind))).to.deep.equal(new Set(OPERATIONS.keys()));
  });
});
