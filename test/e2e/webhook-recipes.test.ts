import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { type CatalogClient, uploadedId } from '../support/http/catalog-client.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { json, ScriptedServer } from '../support/servers/scripted-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { PROJECT_FOLDER, type RunningService } from '../support/servers/service-process.ts';
import { WEBHOOK_SECRET } from '../support/servers/webhook-inbox.ts';
import { eventually } from '../support/time/eventually.ts';

describe('the recipes of docs/webhooks.md', () => {
  let folder: ServiceFolder;
  let service: RunningService;
  let client: CatalogClient;
  let recipes: readonly ChildProcess[];
  let model: ScriptedServer;
  let cache: ScriptedServer;

  before(async () => {
    folder = await ServiceFolder.open();
    const captions = ['a cat', ' ', 'a dog'].map((caption) => json(200, { caption }));
    model = await ScriptedServer.start(json(503, {}), ...captions);
    cache = await ScriptedServer.start(json(200, {}));
    await installPackages(folder.path);
    const ports = [await lastingPort(), await lastingPort()];
    service = await folder.start({
      WEB_PORT: '0',
      WEBHOOK_URLS: ports.map((port) => `http://127.0.0.1:${port}/`).join(','),
      WEBHOOK_SECRETS: WEBHOOK_SECRET,
    });
    client = folder.client(service);
    const programs = await programsOf('docs/webhooks.md');
    recipes = await Promise.all(programs.map((text, at) => start(text, ports[at] ?? 0)));
  });

  after(async () => {
    for (const recipe of recipes ?? []) {
      recipe.kill('SIGKILL');
      await once(recipe, 'close');
    }
    await folder?.close();
    await model?.stop();
    await cache?.stop();
  });

  async function start(text: string, port: number): Promise<ChildProcess> {
    const file = join(folder.path, `recipe-${port}.mjs`);
    await writeFile(file, text);
    const env = {
      CATALOG_URL: service.url,
      CATALOG_TOKEN: folder.token,
      WEBHOOK_SECRET,
      MODEL_URL: model.url,
      CACHE_URL: cache.url,
      PORT: String(port),
    };
    return spawn(process.execPath, [file], { cwd: folder.path, env, stdio: 'ignore' });
  }

  async function captionOf(id: number): Promise<string | null> {
    const response = await client.read(`api/image/${id}/metadata`);
    return ((await response.json()) as { readonly description: string | null }).description;
  }

  it('caption new pictures, also if the model fails once, and purge what has changed', async () => {
    const id = uploadedId(await client.upload(new Uint8Array(await noisyPng(16, 16)), 'a.png'));
    const caption = await eventually(
      () => captionOf(id),
      (text) => text !== null,
    );
    await client.delete(id);
    const purged = await eventually(
      () => cache.seen,
      ({ length }) => length >= 2,
    );

    expect(caption).to.equal('a cat');
    const asked = model.seen.map(({ body }) => JSON.parse(String(body)) as { readonly image: string });
    expect(asked).to.have.length(2);
    expect(new URL(asked[1]?.image ?? '').pathname).to.match(/^\/d\//);
    expect(purged.map(({ method, url }) => [method, url])).to.deep.equal([
      ['PURGE', `/pictures/${id}`],
      ['PURGE', `/pictures/${id}`],
    ]);
  });

  it('go on after a picture whose caption the service refuses', async () => {
    const refused = uploadedId(await client.upload(new Uint8Array(await noisyPng(17, 16)), 'b.png'));
    const next = uploadedId(await client.upload(new Uint8Array(await noisyPng(18, 16)), 'c.png'));

    const caption = await eventually(
      () => captionOf(next),
      (text) => text !== null,
    );
    expect([await captionOf(refused), caption]).to.deep.equal([null, 'a dog']);
  });
});

async function programsOf(page: string): Promise<readonly string[]> {
  const text = await readFile(join(PROJECT_FOLDER, page), 'utf8');
  return [...text.matchAll(/```js\n(.*?)```/gs)].map(([, program = '']) => program);
}

async function installPackages(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@image-catalog'), { recursive: true });
  await symlink(join(PROJECT_FOLDER, 'client'), join(modules, '@image-catalog/client'));
  await symlink(join(PROJECT_FOLDER, 'node_modules/standardwebhooks'), join(modules, 'standardwebhooks'));
}
