import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const FIXTURE = 'test/support/loop/held-loop-main.ts';
const HOOKS = 'test/support/loop/loop-hooks.ts';

describe('The watch on the loop in tests', () => {
  let output: string;

  before(async () => {
    const options = ['--no-config', '-n', 'import=tsx', '--exit', '--timeout', '600000', '--require', HOOKS];
    const mocha = promisify(execFile)('npx', ['mocha', ...options, FIXTURE], { cwd: PROJECT });
    // It fails as it should.
    output = await mocha.then(
      ({ stdout }) => stdout,
      ({ stdout }: { stdout: string }) => stdout,
    );
  });

  it('fails a test in which the service holds the loop, and names the route and the function', () => {
    expect(output).to.match(/1 failing/);
    expect(output).to.match(
      /The service held the event loop for \d{3,} ms of CPU during GET \/api\/image\/:id: planted of src\/planted\.ts/,
    );
  });

  it('passes tests that do so themselves, and a service that yields', () => {
    expect(output).to.match(/2 passing/);
  });
});
