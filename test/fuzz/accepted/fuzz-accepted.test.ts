import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { INPUT_FORMATS } from '../../../src/domain/image/media-type.ts';
import { FULL_STORMS } from '../../support/full-storms.ts';
import { runAcceptedFuzz } from './run-accepted-fuzz.ts';

const FILES = FULL_STORMS ? 10_000 : 150;
const SEED = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 24));

describe(`${FILES} damaged files of each kind (FUZZ_SEED=${SEED})`, () => {
  for (const format of INPUT_FORMATS) {
    it(`have a clean form with the same pixels if they are accepted, else a cause: ${format}`, async () => {
      const { problems, accepted, causes } = await runAcceptedFuzz({ format, files: FILES, seed: SEED });

      expect(problems, problems.join('\n')).to.deep.equal([]);
      expect(accepted).to.be.within(1, FILES - 1);
      expect(Object.keys(causes)).to.have.length.greaterThan(2);
    });
  }
});
