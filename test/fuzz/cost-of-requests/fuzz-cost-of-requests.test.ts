import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { FULL_STORMS } from '../../support/full-storms.ts';
import { skipAloud } from '../../support/skipped/skip-aloud.ts';
import { operationIds } from './operation-ids.ts';
import { type CostOfRequestsReport, runCostOfRequests, unknownOperations } from './run-cost-of-requests.ts';

const REQUESTS = FULL_STORMS ? 500 : 40;
const IMAGES = FULL_STORMS ? 10_000 : 600;

describe('the generator of large requests', () => {
  it('knows each operation of the OpenAPI document, and no other', () => {
    // The run compares the routes of the web listener.
    expect(unknownOperations(operationIds())).to.deep.equal([]);
  });

  it('says which operations it does not know', () => {
    expect(unknownOperations([...operationIds(), 'mergeImages'])).to.deep.equal(['mergeImages']);
  });
});

describe(`a service under ${REQUESTS} of the largest requests, over catalogs made for them`, function () {
  // COST_SEED repeats the requests of a run; npm run fuzz:requests makes longer ones.
  const seed = Number(process.env.COST_SEED ?? randomInt(2 ** 24));
  let report: CostOfRequestsReport;

  before(async function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
    console.log(`      COST_SEED=${seed}`);
    report = await runCostOfRequests({ requests: REQUESTS, images: IMAGES, seed });
    if (FULL_STORMS) console.log(report.summary);
  });

  it('stays within the limits of turns and the log, logs no error, returns no 500, and refuses no other client', () => {
    expect(report.problems, report.problems.join('\n')).to.deep.equal([]);
  });

  it('has measured each of them', () => {
    expect(report.measured).to.have.length(REQUESTS);
    for (const { cpuMs, longestWaitMs, what } of report.measured) {
      expect(cpuMs, what).to.be.above(0);
      expect(longestWaitMs, what).to.be.above(0);
    }
    expect(Math.max(...report.measured.map(({ longestTurnMs }) => longestTurnMs))).to.be.above(0);
  });
});
