import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { FULL_STORMS } from '../support/full-storms.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { type CostFuzzReport, runCostFuzz } from './run-cost-fuzz.ts';

const FILES = FULL_STORMS ? 40 : 15;
/** Allows for slower and shared processors. */
const TOLERANCE = 2;

describe(`the built service, with ${FILES} generated pictures and damaged or odd files`, function () {
  // COST_SEED repeats the files of a run; `npm run fuzz:cost` makes longer ones.
  const seed = Number(process.env.COST_SEED ?? randomInt(2 ** 24));
  let report: CostFuzzReport;

  before(async function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
    console.log(`      COST_SEED=${seed}`);
    report = await runCostFuzz({ files: FILES, seed, tolerance: TOLERANCE });
  });

  it('accepts and rejects them as the contract says, within the bounds of CPU and memory', () => {
    expect(report.problems, report.problems.join('\n')).to.deep.equal([]);
  });

  // Nearly half of the files are accepted, and as many refused: of 15, none of a kind once in 7,000 runs.
  if (FULL_STORMS) {
    it('accepts some and rejects some', () => {
      expect([...report.outcomes.keys()]).to.include.members(['upload 201', 'upload 422', 'rendition 200']);
    });
  }
});
