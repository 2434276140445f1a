import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { json, refusal, ScriptedServer } from '../support/servers/scripted-server.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

/** The modules that list pictures on a server. */
const MODULES = ['next/catalog.js', 'nuxt/server/utils/catalog.js'];

describe('The examples of docs/frameworks.md', () => {
  for (const module of MODULES) {
    it(`leave out a picture that is deleted while the names are listed: ${module}`, async () => {
      const tokens = await ScriptedServer.start(json(200, { access_token: 'a' }));
      const names = [1, 2, 3].map((id) => ({ id, name: `name-${id}` }));
      const service = await ScriptedServer.start(
        json(200, names),
        json(200, { id: 1 }),
        refusal(404, 'image_not_found'),
        json(200, { id: 3 }),
      );
      const url = pathToFileURL(join(PROJECT_FOLDER, 'docs/examples', module)).href;
      const program = `import { listPictures } from '${url}'; console.log(JSON.stringify(await listPictures()));`;
      const env = { CATALOG_URL: `${service.url}/`, TOKEN_URL: tokens.url };
      try {
        const args = ['--input-type=module', '--eval', program];
        const { stdout } = await promisify(execFile)(process.execPath, args, { env });

        expect(JSON.parse(stdout)).to.deep.equal([
          { name: names[0], record: { id: 1 } },
          { name: names[2], record: { id: 3 } },
        ]);
      } finally {
        await service.stop();
        await tokens.stop();
      }
    });
  }
});
