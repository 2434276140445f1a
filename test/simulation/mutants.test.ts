import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { MUTANTS } from './mutants.ts';

describe('The planted faults', () => {
  it('replace code that is in their files', () => {
    const stale = MUTANTS.filter(({ file, code }) => !readFileSync(file, 'utf8').includes(code));

    expect(stale.map(({ title }) => title)).to.deep.equal([]);
  });
});
