import { expect } from 'chai';
import { type FileRun, wholesSkipped } from './skipped-files.ts';

function run(file: string, ran: number, skipped: number, reason?: string): FileRun {
  return { file, ran, skipped, reasons: reason === undefined ? [] : [reason] };
}

describe('The notice of what was skipped as a whole', () => {
  it('names files of which no test has run, by reason', () => {
    const runs = [
      run('test/http/a.test.ts', 1, 5, 'no curl'),
      run('test/http/b.test.ts', 0, 5, 'no server'),
      run('test/e2e/c.test.ts', 0, 1, 'no server'),
      // Its tests do not match --grep.
      run('test/e2e/d.test.ts', 0, 0),
    ];
    expect(wholesSkipped(runs)).to.deep.equal([
      'no server: test/http/b.test.ts',
      'no server: test/e2e/c.test.ts',
    ]);
  });

  it('counts them if they are many', () => {
    const runs = ['a', 'b', 'c', 'd'].map((name) => run(`test/gallery/${name}.test.ts`, 0, 2, 'no browser'));
    expect(wholesSkipped([...runs, run('test/gallery/e.test.ts', 1, 0)])).to.deep.equal([
      'no browser: 4 of 5 files of test/gallery',
    ]);
  });

  it('is empty if something of every file has run', () => {
    expect(wholesSkipped([run('test/http/a.test.ts', 1, 5, 'no curl')])).to.deep.equal([]);
  });
});
