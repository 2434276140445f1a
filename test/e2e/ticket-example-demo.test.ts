import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';

const EXAMPLE = 'docs/examples/tickets/server.mjs';
const CAT = join(PROJECT_FOLDER, 'demo/cat-chelsea.png');

describe('the example of uploads by ticket, with the demo', () => {
  let folder: TemporaryFolder;
  let demo: NodeProcess;
  let example: NodeProcess;
  /** That the demo has printed. */
  let env: Readonly<Record<string, string>>;

  before(async () => {
    folder = await temporaryFolder();
    demo = NodeProcess.start([join(PROJECT_FOLDER, 'bin/image-catalog.cjs'), 'demo'], {
      cwd: folder.path,
      env: { PORT: '0', WEB_PORT: '0', DECODERS: '2' },
      lastSignal: 'SIGTERM',
    });
    env = {
      CATALOG_URL: await demo.line((line) => /(http:\/\/\S+\/)api\/images/.exec(line)?.[1]),
      TOKEN_URL: await demo.line((line) => /http:\/\/\S+\/oauth\/token/.exec(line)?.[0]),
    };
  });

  afterEach(() => example?.stop('SIGKILL'));

  after(async () => {
    await demo?.stop('SIGTERM');
    await folder?.remove();
  });

  async function requestTicket(settings: Readonly<Record<string, string>> = {}): Promise<Response> {
    example = NodeProcess.start([EXAMPLE, '0'], { cwd: PROJECT_FOLDER, env: { ...env, ...settings } });
    const url = await example.line((line) => (line.startsWith('http://') ? line : undefined));
    return await fetch(`${url}ticket`, { method: 'POST' });
  }

  it('gives a ticket that takes a picture', async () => {
    const response = await requestTicket();
    const { url } = (await response.json()) as { readonly url: string };
    const form = new FormData();
    form.set('file', new File([await readFile(CAT)], 'cat.png'));

    const upload = await fetch(url, { method: 'POST', body: form });

    expect([response.status, upload.status]).to.deep.equal([200, 201]);
  });

  it('responds with 503 and logs why if the identity provider refuses a token', async () => {
    const response = await requestTicket({ CLIENT_SECRET: 'wrong' });

    expect([response.status, response.headers.get('retry-after')]).to.deep.equal([503, '5']);
    expect(example.stderr).to.include('No token: 401').and.include('invalid_client');
  });
});
