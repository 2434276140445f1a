import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};

describe('The scripts of npm', () => {
  it('name files that exist: sh expands no braces, and mocha only warns of a file that it does not find', () => {
    const files = Object.entries(scripts).flatMap(([name, script]) =>
      [...script.matchAll(/(?<=\s|^)(?:bench|bin|build|demo|test)\/\S+/g)].map(([file]) => ({ name, file })),
    );

    expect(files).to.have.length.above(20);
    const missing = files.filter(({ file }) => !existsSync(new URL(file, ROOT)));
    expect(missing).to.deep.equal([]);
  });
});
