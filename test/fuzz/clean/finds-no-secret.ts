import { expect } from 'chai';
import { INPUT_FORMATS } from '../../../src/domain/image/media-type.ts';
import { runCleanFuzz } from './run-clean-fuzz.ts';

/** @param files of each kind */
export function findsNoSecret(files: number, seed: number): void {
  describe(`the clean forms of ${files} changed files with secrets (FUZZ_SEED=${seed})`, () => {
    for (const format of INPUT_FORMATS) {
      it(`have none of them, show the same picture, and are clean: ${format}`, async () => {
        const { problems, clean } = await runCleanFuzz({ format, files, seed });
        expect(problems, problems.join('\n')).to.deep.equal([]);
        // Of WebP the fewest: 36 in 100.
        expect(clean).to.be.greaterThan(files / 20);
      });
    }
  });
}
