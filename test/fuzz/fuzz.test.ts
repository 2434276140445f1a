import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { FULL_STORMS } from '../support/full-storms.ts';
import { type FuzzReport, runFuzz } from './run-fuzz.ts';

const REQUESTS = FULL_STORMS ? 6_000 : 1_700;
/** Each of them occurs fifteen times in 1,000 requests, or more often: one is missing once in two million runs. */
const EXPECTED = [
  'uploadImage 201',
  'uploadImage 400',
  'getImageFile 200',
  'getImageFile 412',
  'listImages 200',
  'makeLinks 400',
];
const KINDS_OF_RESPONSES = 75;
/** Each of them occurs thirty times in 6,000 requests, or more often, unless the generator has lost its variety. */
const STATUSES = [200, 201, 204, 400, 401, 404, 405, 413, 415, 422, 431];

describe(`the built service, under ${REQUESTS} requests that are generated from its OpenAPI document`, () => {
  // FUZZ_SEED repeats the requests of a run; npm run fuzz:http makes longer ones.
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 24));
  let report: FuzzReport;

  before(async () => {
    console.log(`      FUZZ_SEED=${seed}`);
    report = await runFuzz({ requests: REQUESTS, seed });
  });

  it('responds to each as the contract and the document say, and leaves no file, error, descriptor or memory behind', () => {
    console.log(`      RSS in MiB: ${JSON.stringify(report.rss)}`);
    expect(report.problems, report.problems.join('\n')).to.deep.equal([]);
  });

  it('gets valid requests and ones with a mutation, and returns every kind of response', () => {
    expect(report.mutations.get('none')).to.be.within(REQUESTS / 5, REQUESTS / 2);
    const kinds = Object.keys(report.hits);
    expect(kinds).to.include.members(EXPECTED);
    expect(kinds).to.have.length.of.at.least(KINDS_OF_RESPONSES);
    if (FULL_STORMS) expect([...report.outcomes.keys()]).to.include.members(STATUSES);
  });
});
