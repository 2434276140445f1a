import { expect } from 'chai';
import { readInputs } from './corpus-files.ts';
import { loadTarget, TARGET_NAMES } from './targets/targets.ts';

describe('the readers of files and requests', () => {
  for (const name of TARGET_NAMES) {
    it(`keep their guarantees for the corpus and the findings of ${name}`, async () => {
      const target = await loadTarget(name);
      const corpus = readInputs('corpus', name);

      expect(corpus).not.to.deep.equal([]);
      for (const input of [...corpus, ...readInputs('found', name)]) await target.run(input);
    });
  }
});
