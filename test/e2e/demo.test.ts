import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { rejection } from '../support/fixtures/rejection.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { CookieBrowser } from '../support/http/cookie-browser.ts';
import {
  type Environment,
  NodeProcess,
  PROJECT_FOLDER,
  type StartOptions,
} from '../support/servers/service-process.ts';
import { WITHOUT_POWERS } from '../support/servers/without-powers.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const PROGRAM = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');
const VERIFIER = randomBytes(32).toString('base64url');
const run = promisify(execFile);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let demo: NodeProcess | undefined;

function start(env: Environment, options: Partial<StartOptions> = {}): NodeProcess {
  return NodeProcess.start([PROGRAM, 'demo'], {
    cwd: folder.path,
    env: { WEB_PORT: '0', ...env },
    lastSignal: 'SIGTERM',
    ...options,
  });
}

describe('the demo', function () {
  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(async () => {
    // Not SIGKILL: it would orphan the service that the demo started.
    await demo?.stop('SIGTERM');
    await folder.remove();
  });

  it('prints shell lines that upload, list, download and delete when pasted', async function () {
    if (!isInstalled('curl')) skipAloud(this, 'curl is not installed');
    demo = start({ PORT: '0' });

    const { stdout } = await run('sh', ['-c', await pasteableLines(demo)]);

    const lines = stdout.split('\n');
    expect(lines.filter((line) => line.startsWith('HTTP/')).map((line) => line.split(' ')[1])).to.deep.equal([
      '401',
      '204',
      '404',
    ]);
    const records = lines.filter((line) => line.includes('"originalName":"cat-chelsea.png"'));
    expect(records, 'uploaded, listed and fetched').to.have.length(3);
    expect(lines).to.include('201').and.to.include('the same bytes');
  });

  it('says first what it waits for, and puts its sample picture where the documentation looks for it', async () => {
    demo = start({ PORT: '0' });
    await galleryUrl(demo);

    expect(demo.stdout.split('\n').find((line) => line !== '' && !line.startsWith('Port '))).to.match(
      /^Starting .* with the catalog in .*data …$/,
    );
    const [copy, original] = await Promise.all(
      [join(folder.path, 'data/cat-chelsea.png'), join(PROJECT_FOLDER, 'demo/cat-chelsea.png')].map((path) =>
        readFile(path),
      ),
    );
    expect(copy?.equals(original ?? Buffer.of())).to.equal(true);
  });

  galleryOfTheDemo();

  it('stops the service and the identity provider on SIGINT with exit code 0', async () => {
    demo = start({ PORT: '0' });
    const lines = await pasteableLines(demo);
    const urls = [/http:\/\/\S+(?=api\/images)/, /http:\/\/\S+(?=oauth\/token)/].map(
      (url) => url.exec(lines)?.[0] ?? '',
    );
    await Promise.all(urls.map((url) => fetch(url)));

    expect(await demo.stop('SIGINT')).to.deep.equal({ code: 0, signal: null });

    for (const url of urls) expect(await rejection(fetch(url)), url).to.be.instanceOf(TypeError);
    // SQLite removes its log when the last connection closes; a killed process leaves the log.
    expect(await readdir(join(folder.path, 'data')))
      .to.include('catalog.sqlite')
      .and.not.to.include('catalog.sqlite-wal');
    expect(demo.stderr).to.equal('');
  });

  it('accepts connections from this machine only', async () => {
    demo = start({ HOST: '0.0.0.0', PORT: '0' });

    expect(await demo.exited).to.deep.equal({ code: 78, signal: null });
    expect(demo.stderr).to.include('HOST=0.0.0.0').and.to.include('loopback');
    expect(demo.stdout).to.equal('');
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  failingStarts();
});

function failingStarts(): void {
  it('names the port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    demo = start({ PORT: String(port) });
    const exit = await demo.exited;
    other.close();

    expect(exit).to.deep.equal({ code: 78, signal: null });
    expect(demo.stderr).to.equal(
      `Port ${port} on 127.0.0.1 is taken: set PORT to another one, such as PORT=3005.\n`,
    );
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('says what DEMO_ORIGIN must be if it is not an origin', async () => {
    for (const value of ['localhost:5173', 'http://127.0.0.1:5173/', 'http://127.0.0.1:5173/app']) {
      demo = start({ PORT: '0', DEMO_ORIGIN: value });

      expect(await demo.exited, value).to.deep.equal({ code: 78, signal: null });
      expect(demo.stderr).to.equal(
        `DEMO_ORIGIN=${value}: it must be the origin of your page, such as http://127.0.0.1:5173 (no path, no slash at the end).\n`,
      );
    }
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('says in one sentence that its folder cannot be written to', async () => {
    await chmod(folder.path, 0o555);
    demo = start({ PORT: '0' }, { through: WITHOUT_POWERS });
    const exit = await demo.exited;
    await chmod(folder.path, 0o755);

    expect([exit.code, demo.stdout]).to.deep.equal([78, '']);
    expect(demo.stderr).to.equal(
      `The demo keeps its catalog in ./data, and ${folder.path} cannot be written to: run it in a folder of your own.\n`,
    );
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('says in one sentence that there is no loopback network', async function () {
    if (!isInstalled('unshare', ['-n', 'true'])) skipAloud(this, 'unshare is not permitted');
    demo = start({ PORT: '0' }, { through: ['unshare', '-n'] });

    expect(await demo.exited).to.deep.equal({ code: 69, signal: null });
    expect(demo.stderr).to.match(/^This machine cannot reach itself at 127\.0\.0\.1: set its .*\n$/);
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('ends with the exit code of the service and its error if the service cannot start', async () => {
    demo = start({ PORT: '0', DATABASE_URL: 'sqlite:/dev/null/catalog.sqlite' });

    expect(await demo.exited).to.deep.equal({ code: 78, signal: null });
    expect(demo.stderr).to.include('DATABASE_URL').and.to.include('ended by itself');
  });
}

function galleryOfTheDemo(): void {
  it('prints the address of the gallery first, and lets it sign in and use the API', async () => {
    demo = start({ PORT: '0' });
    const gallery = await galleryUrl(demo);
    // Ports that are taken are reported before.
    const addresses = demo.stdout.split('\n').filter((line) => / {2,}http/.test(line));
    expect(addresses[0]).to.include(gallery).and.to.include('click Sign in');

    const { apiUrl, issuer, clientId, audience, scope } = await configOf(gallery);

    const browser = new CookieBrowser();
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: gallery,
      response_type: 'code',
      scope,
      audience,
      code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const page = await browser.open(`${issuer}auth?${query.toString()}`, new URL(issuer).origin);
    const code = new URL((await browser.press(page)).url).searchParams.get('code') ?? '';
    const tokens = await fetch(`${issuer}oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: clientId,
        code,
        code_verifier: VERIFIER,
        redirect_uri: gallery,
      }),
    });
    const { access_token: token } = (await tokens.json()) as { access_token: string };
    const origin = new URL(gallery).origin;
    const images = await fetch(`${apiUrl}api/images`, {
      headers: { authorization: `Bearer ${token}`, origin },
    });
    expect(images.status).to.equal(200);
    expect(images.headers.get('access-control-allow-origin')).to.be.oneOf(['*', origin]);
  });

  it('puts the gallery on another port if its port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    demo = start({ PORT: '0', WEB_PORT: String(port) });
    const gallery = await galleryUrl(demo);
    other.close();

    expect(demo.stdout).to.include(`Port ${port} is taken`);
    expect(new URL(gallery).port).to.not.equal(String(port));
    expect((await fetch(gallery)).status).to.equal(200);
  });
}

async function galleryUrl(demo: NodeProcess): Promise<string> {
  return await demo.line((line) => /^Gallery: +(\S+)/.exec(line)?.[1]);
}

interface GalleryConfig {
  readonly apiUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly audience: string;
  readonly scope: string;
}

async function configOf(gallery: string): Promise<GalleryConfig> {
  return (await (await fetch(`${gallery}config.json`)).json()) as GalleryConfig;
}

/** The lines for a new user to paste, from the first comment on. */
async function pasteableLines(demo: NodeProcess): Promise<string> {
  await demo.line((line) => (line.startsWith('curl -sSi -X DELETE') ? line : undefined));
  await demo.line((line) => (line.startsWith('curl -sSi -H') ? line : undefined));
  return demo.stdout.slice(demo.stdout.indexOf('\n# '));
}
