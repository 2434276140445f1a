import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

const EXAMPLES = ['next', 'nuxt', 'vite-react'];
const MAX_LINES = 40;
const NOT_WRITTEN = /node_modules|package-lock\.json|\/(?:dist|\.next|\.nuxt|\.output)(?:\/|$)/;

/** Without what tools have made. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (NOT_WRITTEN.test(path)) return [];
    return entry.isDirectory() ? filesIn(path) : [path];
  });
}

describe('The examples of docs/frameworks.md', () => {
  for (const example of EXAMPLES) {
    it(`have files of at most ${MAX_LINES} lines: ${example}`, () => {
      const files = filesIn(join(PROJECT_FOLDER, 'docs/examples', example));
      const long = files.filter(
        (path) => readFileSync(path, 'utf8').trimEnd().split('\n').length > MAX_LINES,
      );

      expect(files.length).to.be.greaterThan(5);
      expect(long).to.deep.equal([]);
    });
  }
});
