import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { FULL_STORMS } from '../support/full-storms.ts';
import { type FuzzReport, RSS_GROWTH_BYTES, runFuzz } from './run-fuzz.ts';

const REQUESTS = FULL_STORMS ? 3_000 : 1_000;
const MIB = 1024 * 1024;
/** Each of them occurs about ten times in 3,000 requests unless the generator has lost its variety. */
const EXPECTED_STATUSES = [200, 201, 204, 304, 400, 401, 404, 405, 406, 412, 413, 415, 416, 422, 431];

describe(`the built service, under ${REQUESTS} generated requests`, () => {
  // FUZZ_SEED repeats the requests of a run; test/fuzz/fuzz.ts makes longer ones.
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 24));
  let report: FuzzReport;

  before(async () => {
    console.log(`      FUZZ_SEED=${seed}`);
    report = await runFuzz({ requests: REQUESTS, seed });
  });

  it('responds to each as the contract says', () => {
    expect(report.failures, report.failures.join('\n')).to.deep.equal([]);
  });

  it('returns every kind of response', () => {
    const seen = [...report.outcomes.keys()];
    if (FULL_STORMS) expect(seen).to.include.members(EXPECTED_STATUSES);
    else expect(seen).to.have.length.of.at.least(EXPECTED_STATUSES.length / 2);
  });

  it('logs no error', () => {
    expect(report.errorsLogged).to.deep.equal([]);
    expect(report.stderr).to.equal('');
  });

  it('has no orphaned files, no orphaned blobs and no record without a blob', () => {
    expect(report.orphans).to.deep.equal([]);
  });

  it('has no more files and sockets open than before', () => {
    expect(report.openFiles.after).to.be.at.most(report.openFiles.before);
  });

  it('uses no more memory than after the first tenth, apart from the tolerance for the allocator', () => {
    const { warm, end } = report.rss;
    console.log(
      `      RSS ${Math.round(warm / MIB)} MiB after warm-up, ${Math.round(end / MIB)} MiB at the end`,
    );
    expect(end - warm).to.be.below(RSS_GROWTH_BYTES);
  });
});
