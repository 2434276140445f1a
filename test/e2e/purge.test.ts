import { join } from 'node:path';
import { expect } from 'chai';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { NodeProcess, PROJECT_FOLDER, type RunningService } from '../support/servers/service-process.ts';
import { WITH_WEB } from '../support/servers/signed-links.ts';
import { isVarnishInstalled, Varnish } from '../support/servers/varnish.ts';
import { WEBHOOK_SECRET } from '../support/servers/webhook-inbox.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const describeWithVarnish = describeIf(isVarnishInstalled(), 'varnishd is not installed');

const RECEIVER = join(PROJECT_FOLDER, 'docs/examples/purge/serve.mjs');

let folder: ServiceFolder;
let service: RunningService;
let varnish: Varnish;
let receiver: NodeProcess;
let receiverPort: number;
let red: number;
let blue: number;
/** By the tag of the bytes. */
const idOf = new Map<string, number>();

async function startReceiver(env: Readonly<Record<string, string>> = {}): Promise<NodeProcess> {
  const started = NodeProcess.start([RECEIVER], {
    cwd: folder.path,
    env: {
      PORT: String(receiverPort),
      WEBHOOK_SECRETS: WEBHOOK_SECRET,
      CACHE_URLS: varnish.purgeUrl,
      CATALOG_URL: service.url,
      CATALOG_TOKEN: folder.token,
      ...env,
    },
  });
  await started.line((line) => (line.startsWith('http://') ? line : undefined));
  return started;
}

async function upload(): Promise<number> {
  const picture = new File([new Uint8Array(await noisyPng(8, 8))], 'cat.png');
  const { id, sha256 } = await folder.images(service).upload(picture);
  idOf.set(`"${sha256}"`, id);
  return id;
}

/** Resolves when the response was sent: from then on the move counts. */
async function point(name: string, id: number, isPublic?: boolean): Promise<void> {
  const response = await folder.client(service).read(`api/names/${name}`, {
    method: 'PUT',
    body: JSON.stringify({ id, public: isPublic }),
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).to.be.oneOf([200, 201]);
}

/** On Varnish. */
async function linkTo(names: readonly string[], linked: readonly number[] = []): Promise<readonly string[]> {
  const response = await folder.client(service).read('api/images/links', {
    method: 'POST',
    body: JSON.stringify({ names, ...(linked.length > 0 && { ids: linked }) }),
    headers: { 'content-type': 'application/json' },
  });
  const links = (await response.json()) as Record<'names' | 'images', Record<string, string[]> | undefined>;
  const urls = [
    ...names.map((name) => links.names?.[name]?.[0]),
    ...linked.map((id) => links.images?.[id]?.[0]),
  ];
  return urls.map((url) => varnish.url + new URL(url ?? '').pathname);
}

/** The id of the picture that is shown; the status if there is none. */
async function shown(url: string | undefined): Promise<number | string> {
  const response = await fetch(url ?? '');
  await response.arrayBuffer();
  if (response.status !== 200) return `status ${response.status}`;
  return idOf.get(response.headers.get('etag') ?? '') ?? 'another picture';
}

/** What is shown as soon as it is expected. */
async function becomes(url: string | undefined, expected: number | string): Promise<number | string> {
  return await eventually(
    () => shown(url),
    (seen) => seen === expected,
  );
}

describeWithVarnish('pictures in Varnish, purged by docs/examples/purge', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    const webPort = await lastingPort();
    receiverPort = await lastingPort();
    service = await folder.start({
      ...WITH_WEB,
      WEB_PORT: String(webPort),
      CACHE_TAG_HEADER: 'xkey',
      PUBLISH_NAMES: 'true',
      WEBHOOK_URLS: `http://127.0.0.1:${receiverPort}/`,
      WEBHOOK_SECRETS: WEBHOOK_SECRET,
    });
    varnish = await Varnish.start(webPort);
    receiver = await startReceiver();
  });

  beforeEach(async () => {
    [red, blue] = [await upload(), await upload()];
    await point('hero', red);
    const [hero] = await linkTo(['hero']);
    expect(await becomes(hero, red)).to.equal(red);
  });

  after(async () => {
    await receiver?.stop();
    await varnish?.stop();
    await folder?.close();
  });

  it('are replaced after the move of their name', async () => {
    const [hero] = await linkTo(['hero']);
    expect([await shown(hero), await shown(hero)]).to.deep.equal([red, red]);
    await point('hero', blue);

    expect(await becomes(hero, blue)).to.equal(blue);
  });

  it('are gone after their delete, under every address', async () => {
    const links = await linkTo(['hero'], [red, blue]);
    expect(await Promise.all(links.map(shown))).to.deep.equal([red, red, blue]);
    await folder.client(service).delete(red);

    expect(await becomes(links[0], 'status 404')).to.equal('status 404');
    expect(await becomes(links[1], 'status 404')).to.equal('status 404');
    expect(await shown(links[2])).to.equal(blue);
  });

  describe('of a public name', publicName);
});

function publicName(): void {
  let address: string;

  /** The bytes that are shown, or the status if there are none. */
  async function picture(): Promise<string> {
    const response = await fetch(address);
    const bytes = Buffer.from(await response.arrayBuffer());
    return response.ok ? bytes.toString('base64') : `status ${response.status}`;
  }

  beforeEach(async () => {
    await point('hero', red, true);
    const { number } = (await (await folder.client(service).read('api/names/hero')).json()) as {
      readonly number: number;
    };
    address = `${varnish.url}/p/${number}/hero?width=16`;
  });

  it('are gone after it is not public any more', async () => {
    expect(await picture()).not.to.match(/^status/);
    await point('hero', red, false);

    expect(await eventually(picture, (seen) => seen === 'status 404')).to.equal('status 404');
  });

  it('are replaced after its move', async () => {
    const first = await picture();
    await point('hero', blue);

    expect(await eventually(picture, (seen) => seen !== first)).not.to.match(/^status/);
  });
}
