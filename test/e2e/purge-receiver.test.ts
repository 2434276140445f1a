import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { json, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';
import { NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { WEBHOOK_SECRET } from '../support/servers/webhook-inbox.ts';
import { eventually } from '../support/time/eventually.ts';

const RECEIVER = join(PROJECT_FOLDER, 'docs/examples/purge/serve.mjs');
const OK = json(200, {});

let folder: TemporaryFolder;
let cache: ScriptedServer;
let catalog: ScriptedServer | undefined;
let receiver: NodeProcess;
let url: string;

async function start(
  env: Readonly<Record<string, string>> = {},
  steps: readonly [Step, ...Step[]] = [OK],
): Promise<void> {
  cache = await ScriptedServer.start(...steps);
  receiver = NodeProcess.start([RECEIVER], {
    cwd: folder.path,
    env: { PORT: '0', WEBHOOK_SECRETS: `whsec_AAAA ${WEBHOOK_SECRET}`, CACHE_URLS: cache.url, ...env },
  });
  url = await receiver.line((line) => (line.startsWith('http://') ? line : undefined));
}

async function startBehind(cursor: string, ...steps: readonly Step[]): Promise<void> {
  await writeFile(stateFile(), cursor);
  catalog = await ScriptedServer.start(...steps);
  await start({ CATALOG_URL: `${catalog.url}/`, CATALOG_TOKEN: 'token' });
}

function stateFile(): string {
  return join(folder.path, 'purged-up-to');
}

interface Sent {
  readonly secret?: string;
  readonly at?: Date;
}

async function send(
  type: string,
  data: object | null,
  { secret = WEBHOOK_SECRET, at = new Date() }: Sent = {},
): Promise<number> {
  const body = JSON.stringify({ type, timestamp: at.toISOString(), data });
  const headers = {
    'webhook-id': '1-2',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('1-2', at, body),
  };
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

/** Tags in the order of their purges; `undefined` for a purge of everything. */
function purged(): readonly (string | string[] | undefined)[] {
  return cache.seen.map(({ headers }) => headers['xkey']);
}

describe('docs/examples/purge', () => {
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(async () => {
    await receiver.stop();
    await cache.stop();
    await catalog?.stop();
    catalog = undefined;
    await folder.remove();
  });

  it('purges by the tags of what has changed, and all if changes were lost', async () => {
    await start();
    const messages = [
      ['image.created', { id: 1, cursor: 'a' }],
      ['image.deleted', { id: 1, cursor: 'b' }],
      ['image.trashed', { id: 2, cursor: 'c' }],
      ['name.set', { id: 3, name: 'hero', number: 7, cursor: 'd' }],
      ['name.removed', { id: 3, name: 'hero', number: 7, cursor: 'e' }],
      // Its space was removed.
      ['name.removed', { id: 3, name: 'hero', cursor: 'f' }],
      ['of.later', { id: 4, cursor: 'g' }],
      ['changes.lost', null],
    ] as const;
    for (const [type, data] of messages) expect(await send(type, data), type).to.equal(204);

    // What was purged at the start, before it was known what is in the cache, comes first.
    expect(purged()).to.deep.equal([undefined, 'image-1', 'image-2', 'name-7', 'name-7', undefined]);
    expect(new Set(cache.seen.map(({ method }) => method))).to.deep.equal(new Set(['PURGE']));
  });

  it('purges again later, and remembers then how far it came', async () => {
    await writeFile(stateFile(), 'a');
    catalog = await ScriptedServer.start(json(200, { changes: [], next: 'a', more: false }));
    await start({ REPEAT_SECONDS: '1', CATALOG_URL: `${catalog.url}/` });
    await send('image.deleted', { id: 1, cursor: 'b' });
    await send('image.deleted', { id: 2, cursor: 'c' });

    const state = await eventually(
      () => readFile(stateFile(), 'utf8'),
      (text) => text === 'c',
    );
    expect(state).to.equal('c');
    // The second purge of one may come before the first of the other.
    const tags = purged().flatMap((sent) => String(sent).split(' '));
    expect(tags.toSorted()).to.deep.equal(['image-1', 'image-1', 'image-2', 'image-2']);
  });

  it('responds with 503 if the cache is unavailable, so that the message comes again', async () => {
    await start({}, [OK, json(503, {}), OK]);

    expect(await send('image.deleted', { id: 1, cursor: 'a' })).to.equal(503);
    expect(await send('image.deleted', { id: 1, cursor: 'a' })).to.equal(204);
  });

  it('takes nothing that the catalog has not signed, nor an old message', async () => {
    await start();
    const foreign = { secret: `whsec_${Buffer.alloc(24, 6).toString('base64')}` };
    const old = { at: new Date(Date.now() - 301_000) };

    expect(await send('image.deleted', { id: 1 }, foreign)).to.equal(401);
    expect(await send('image.deleted', { id: 1 }, old)).to.equal(401);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).to.equal(401);
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(70_000) })).status).to.equal(413);
    expect(purged()).to.deep.equal([undefined]);
  });

  it('purges at the start what the feed has behind the last change that it remembers', async () => {
    const page = (changes: readonly object[], next: string, more: boolean): Step =>
      json(200, { changes, next, more });
    await startBehind(
      'a',
      page(
        [
          { type: 'image.deleted', id: 1 },
          { type: 'image.created', id: 2 },
        ],
        'b',
        true,
      ),
      page([{ type: 'name.set', id: 2, number: 7 }], 'c', false),
    );

    expect(purged()).to.deep.equal(['image-1', 'name-7']);
    expect(catalog?.seen.map((request) => [request.url, request.headers.authorization])).to.deep.equal([
      ['/api/changes?limit=1000&after=a', 'Bearer token'],
      ['/api/changes?limit=1000&after=b', 'Bearer token'],
    ]);
  });

  it('purges all at the start if the feed does not reach back so far', async () => {
    await startBehind('a', json(410, { code: 'cursor_expired' }));

    expect(purged()).to.deep.equal([undefined]);
  });
});
