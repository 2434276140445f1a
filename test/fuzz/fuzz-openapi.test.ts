import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { FULL_STORMS } from '../support/full-storms.ts';
import { type OpenApiFuzzReport, runOpenApiFuzz } from './openapi/run-openapi-fuzz.ts';

const REQUESTS = FULL_STORMS ? 3_000 : 1_000;
/** Each of them occurs fifteen times in 1,000 requests, or more often: one is missing once in two million runs. */
const EXPECTED = [
  'uploadImage 201',
  'uploadImage 400',
  'getImageFile 200',
  'getImageFile 412',
  'listImages 200',
  'makeLinks 400',
];
/** Of 1,000 requests 98 to 106, with three seeds. */
const KINDS_OF_RESPONSES = 75;

describe(`the built service, under ${REQUESTS} requests that are generated from its OpenAPI document`, () => {
  // FUZZ_SEED repeats the requests of a run; npm run fuzz:openapi makes longer ones.
  const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 24));
  let report: OpenApiFuzzReport;

  before(async () => {
    console.log(`      FUZZ_SEED=${seed}`);
    report = await runOpenApiFuzz({ requests: REQUESTS, seed });
  });

  it('responds to each as the document declares, logs no error and has no orphaned files', () => {
    expect(report.problems, report.problems.join('\n')).to.deep.equal([]);
  });

  it('gets valid requests and ones with a mutation', () => {
    expect(report.mutations.get('none')).to.be.within(REQUESTS / 4, (REQUESTS * 3) / 4);
    const kinds = Object.keys(report.hits);
    expect(kinds).to.include.members(EXPECTED);
    expect(kinds.some((kind) => kind.endsWith(' 401'))).to.equal(true);
    expect(kinds).to.have.length.of.at.least(KINDS_OF_RESPONSES);
  });
});
