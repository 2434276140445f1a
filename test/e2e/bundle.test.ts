import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { PROJECT_FOLDER, startService } from '../support/servers/service-process.ts';

const NO_PROVIDER = { IDP_DOMAIN: 'http://127.0.0.1:1/', IDP_AUDIENCE: 'images' };

function stackOf(line: string): string | undefined {
  return (JSON.parse(line) as { readonly err?: { readonly stack: string } }).err?.stack;
}

describe('The bundle', function () {
  this.timeout(60_000);

  it('has stack traces that name files and lines of the sources', async () => {
    const folder = await temporaryFolder();
    const service = await startService({ folder: folder.path, env: NO_PROVIDER });

    const stack = await service.process.line(stackOf);
    await service.process.stop();
    await folder.remove();

    expect(stack).to.match(/fetchJwks \(\S+\/src\/adapters\/http\/auth\/fetch-jwks\.ts:\d+:\d+\)/);
  });

  it('comes with the licenses of its packages', async () => {
    const licenses = await readFile(join(PROJECT_FOLDER, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');

    expect(licenses).to.match(/^koa [\d.]+ \(MIT\)\n\n\(The MIT License\)/m);
    expect(licenses).to.match(/^reflect-metadata [\d.]+ \(Apache-2\.0\)/m);
    expect(licenses).to.not.match(/^(?:mocha|undefined) /m);
  });
});
