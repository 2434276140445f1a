import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { roundTripWith } from '../support/http/round-trip.ts';
import { TestService } from '../support/http/test-service.ts';
import { nodeOfVersion, runProgram } from '../support/servers/node-versions.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

// CLIENT_NODE_VERSIONS=20.19,24 fetches these versions from the registry; CI does so in a step of its own.
const versions = (process.env.CLIENT_NODE_VERSIONS ?? '').split(',').filter((version) => version !== '');
const PROGRAM = new URL('programs/in-node.mjs', import.meta.url);

describe('the built client in Node.js', function () {
  this.timeout(LONG_TEST_MS);

  for (const version of [undefined, ...versions]) {
    it(`uploads, lists, fetches and deletes with ${version ?? 'the running version'}`, async () => {
      const service = await TestService.start();
      const folder = await temporaryFolder();
      const { picture, tokens, expected } = await roundTripWith(service);
      const path = join(folder.path, 'picture.png');
      await writeFile(path, picture);
      const env = { SERVICE_URL: service.url, TOKENS: JSON.stringify(tokens), PICTURE: path };

      const { node, ...facts } = await runProgram(await nodeOfVersion(version), PROGRAM, env);

      expect(facts).to.deep.equal(expected);
      expect(node).to.equal((version ?? process.versions.node).split('.')[0]);
      await folder.remove();
      await service.stop();
    });
  }
});
