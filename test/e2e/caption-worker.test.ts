import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ImageCatalog, type ImageRecord } from '../../client/src/node.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { json, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { NodeProcess, PROJECT_FOLDER, type RunningService } from '../support/servers/service-process.ts';
import { WEBHOOK_SECRET } from '../support/servers/webhook-inbox.ts';
import { eventually } from '../support/time/eventually.ts';

const WORKER = 'docs/examples/captions/worker.mjs';
const SPACES = ['acme', 'café & co, Köln', '🐈'];
const SCOPES = {
  SCOPE_READ: 'images:read',
  SCOPE_WRITE: 'images:write',
  SCOPE_ALL_SPACES: 'images:all-spaces',
};

describe('docs/spaces.md', () => {
  let folder: ServiceFolder;
  let service: RunningService;
  const answers: Step[] = []; // What the model responds, in order.
  let model: ScriptedServer;
  let tokens: ScriptedServer;
  let worker: NodeProcess;

  before(async () => {
    folder = await ServiceFolder.open();
    const port = String(await lastingPort());
    service = await folder.start({
      ...SCOPES,
      SPACE_CLAIM: 'org',
      WEBHOOK_URLS: `http://127.0.0.1:${port}/`,
      WEBHOOK_SECRETS: WEBHOOK_SECRET,
    });
    model = await ScriptedServer.start((response, request) => answers.shift()?.(response, request));
    const scope = Object.values(SCOPES).join(' ');
    tokens = await ScriptedServer.start(
      json(503, {}),
      json(200, { access_token: folder.tokenWith({ sub: undefined, client_id: 'captions', scope }) }),
    );
    worker = NodeProcess.start([WORKER], {
      cwd: PROJECT_FOLDER,
      env: {
        CATALOG_URL: service.url,
        TOKEN_URL: tokens.url,
        CLIENT_ID: 'captions',
        CLIENT_SECRET: 'secret',
        AUDIENCE: 'images',
        WEBHOOK_SECRETS: WEBHOOK_SECRET,
        MODEL_URL: model.url,
        PORT: port,
      },
    });
    await worker.line((line) => (line.startsWith('http://') ? line : undefined));
  });

  after(async () => {
    await worker?.stop('SIGKILL');
    await folder?.close();
    await model?.stop();
    await tokens?.stop();
  });

  function catalogOf(org: string): ImageCatalog {
    const scope = `${SCOPES.SCOPE_READ} ${SCOPES.SCOPE_WRITE}`;
    return new ImageCatalog({ url: service.url, getToken: () => folder.tokenWith({ sub: org, scope, org }) });
  }

  it('has a worker that writes a text for each new picture into its own space, also if token endpoint and model fail once', async () => {
    const [first, ...others] = SPACES.map((space) => json(200, { text: `By ${space}` }));
    answers.push(first as Step, json(503, {}), ...others);
    const uploaded: ImageRecord[] = [];
    for (const [at, space] of SPACES.entries()) {
      const picture = new File([new Uint8Array(await noisyPng(20 + at, 20))], 'cat.png');
      uploaded.push(await catalogOf(space).upload(picture));
    }

    for (const [at, space] of SPACES.entries()) {
      const [image, ...more] = await eventually(
        () => collectAll(catalogOf(space).list()),
        ([only]) => only?.alt !== null,
      );
      expect(more).to.deep.equal([]);
      expect(image).to.deep.equal({ ...uploaded[at], alt: `By ${space}` });
    }
    // One token for all spaces after the refused one, and each picture as the bytes of a rendition.
    expect(tokens.seen).to.have.length(2);
    expect(worker.stderr).to.include(`No token: ${tokens.url} responded with 503`);
    expect(model.seen.map(({ headers }) => headers['content-type'])).to.deep.equal(
      Array(SPACES.length + 1).fill('image/jpeg'),
    );
  });

  it('has a worker that goes on after pictures which get no text, and keeps edits of other fields', async () => {
    const catalog = catalogOf('acme');
    const steps = unusualAnswers(catalog);
    answers.push(...Object.values(steps));

    for (const [at, name] of Object.keys(steps).entries()) {
      await catalog.upload(new File([new Uint8Array(await noisyPng(30 + at, 20))], name));
    }

    const long = await eventually(
      () => findByName(catalog, 'long.png'),
      (image) => typeof image?.alt === 'string',
    );
    expect(long?.alt).to.equal(`🐈 ${'🐈'.repeat(498)}`);
    expect(await findByName(catalog, 'edited.png')).to.include({ title: 'Tom', alt: 'A cat' });
    expect(await findByName(catalog, 'deleted.png')).to.equal(undefined);
    for (const name of ['refused.png', 'silent.png', 'blank.png']) {
      expect(await findByName(catalog, name), name).to.include({ alt: null });
    }
    expect(answers).to.deep.equal([]);
  });

  it('has a program that sets limits and reads usage', async () => {
    const page = await readFile(join(PROJECT_FOLDER, 'docs/spaces.md'), 'utf8');
    const program = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text).join('');
    await mkdir(join(folder.path, 'node_modules/@image-catalog'), { recursive: true });
    await symlink(join(PROJECT_FOLDER, 'client'), join(folder.path, 'node_modules/@image-catalog/client'));
    await writeFile(join(folder.path, 'bill.mjs'), program);
    const scope = Object.values(SCOPES).join(' ');
    const env = { CATALOG_URL: service.url, CATALOG_TOKEN: folder.tokenWith({ scope }) };

    const { stdout } = await promisify(execFile)(process.execPath, ['bill.mjs'], { cwd: folder.path, env });

    const { limits } = await catalogOf('acme').usage();
    expect(limits).to.deep.equal({ bytes: 100e9, images: null });
    const lines = stdout.trimEnd().split('\n');
    const billed = lines.map(
      (line) => JSON.parse(line) as { readonly space: string; readonly images: number },
    );
    expect(billed.map(({ space, images }) => [space, images])).to.deep.equal(
      SPACES.map((space) => [space, space === 'acme' ? 6 : 1]),
    );
  });
});

async function findByName(catalog: ImageCatalog, name: string): Promise<ImageRecord | undefined> {
  return (await collectAll(catalog.list())).find(({ originalName }) => originalName === name);
}

/** What the model responds for each picture. A person edits or deletes two of them before that. */
function unusualAnswers(catalog: ImageCatalog): Readonly<Record<string, Step>> {
  const idOf = async (name: string): Promise<number> => (await findByName(catalog, name))?.id ?? 0;
  const textAfter =
    (change: () => Promise<unknown>): Step =>
    (response, request) =>
      void change().then(() => json(200, { text: 'A cat' })(response, request));
  return {
    'edited.png': textAfter(async () => await catalog.edit(await idOf('edited.png'), { title: 'Tom' })),
    'deleted.png': textAfter(async () => await catalog.delete(await idOf('deleted.png'))),
    'refused.png': json(422, {}),
    'silent.png': json(200, {}),
    'blank.png': json(200, { text: ' \n' }),
    'long.png': json(200, { text: ` 🐈\n${'🐈'.repeat(500)}` }),
  };
}
