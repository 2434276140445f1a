import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { hangUp, json, refusal, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';
import { NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { WEBHOOK_SECRET } from '../support/servers/webhook-inbox.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { printedLines } from './paste-blocks.ts';

const EXAMPLES = join(PROJECT_FOLDER, 'docs/examples/languages');
const CAT = join(PROJECT_FOLDER, 'demo/cat-chelsea.png');
const EXIT_TEMPORARY = 75;

interface Language {
  readonly name: string;
  /** How to see that it is installed, with all that the example needs. */
  readonly probe: readonly [string, ...string[]];
  readonly command: readonly [string, ...string[]];
  /** A command that comes before all others, in their folder. */
  readonly build?: readonly [string, ...string[]];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  python: {
    name: 'Python',
    probe: ['python3', '--version'],
    command: ['python3', join(EXAMPLES, 'catalog.py')],
  },
  php: {
    name: 'PHP',
    probe: ['php', '-r', 'exit((int) !extension_loaded("curl"));'],
    command: ['php', join(EXAMPLES, 'catalog.php')],
  },
  go: {
    name: 'Go',
    probe: ['go', 'version'],
    build: ['go', 'build', '-o', 'catalog', join(EXAMPLES, 'catalog.go')],
    command: ['./catalog'],
  },
  java: {
    name: 'Java',
    probe: ['javac', '--version'],
    build: ['javac', '-d', '.', join(EXAMPLES, 'Catalog.java')],
    command: ['java', '-cp', '.', 'Catalog'],
  },
};

/** `.ci/run full` names those that need a compiler. */
const names = process.env.EXAMPLE_LANGUAGES?.split(',') ?? ['python', 'php'];

interface Outcome {
  readonly code: number | null;
  readonly stdout: readonly string[];
  readonly stderr: string;
}

let folder: TemporaryFolder;

async function run(
  [program, ...args]: Language['command'],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<Outcome> {
  const child = spawn(program, args, {
    cwd: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path, GO111MODULE: 'off', GOFLAGS: '', ...env },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { ...output, code, stdout: output.stdout.trim().split(/\r?\n/) };
}

for (const { name, probe, build, command } of names.map(languageOf)) {
  describe(`The example in ${name}`, function () {
    before(async function () {
      const [program, ...args] = probe;
      if (!isInstalled(program, args)) skipAloud(this, `${name} is not installed`);
      folder = await temporaryFolder();
      if (build === undefined) return;
      const { code, stderr } = await run(build, {});
      expect(code, stderr).to.equal(0);
    });

    after(() => folder?.remove());

    withTheDemo(command);
    withFaults(command);
    withWebhooks(command);
  });
}

function languageOf(name: string): Language {
  const language = LANGUAGES[name];
  if (language === undefined) throw new Error(`EXAMPLE_LANGUAGES: there is no example in ${name}`);
  return language;
}

function withTheDemo(command: Language['command']): void {
  it('uploads, pages and saves a rendition, and another run makes no second image', async () => {
    await copyFile(CAT, join(folder.path, 'cat "1".png'));
    await writeFile(join(folder.path, 'noise.png'), await noisyPng(40, 30));
    await writeFile(join(folder.path, 'text.png'), 'no picture');
    const demo = NodeProcess.start([join(PROJECT_FOLDER, 'bin/image-catalog.cjs'), 'demo'], {
      cwd: folder.path,
      env: { PORT: '0', WEB_PORT: '0', DECODERS: '2' },
      lastSignal: 'SIGTERM',
    });
    try {
      const printed = await printedLines(demo);
      const env = {
        CATALOG_URL: `${/(http:\/\/\S+)\/api\/images/.exec(printed)?.[1]}/`,
        TOKEN_URL: `${/http:\/\/\S+\/oauth\/token/.exec(printed)?.[0]}`,
      };
      const files = ['cat "1".png', 'text.png', 'noise.png'];

      const [first, second] = [
        await run([...command, ...files], env),
        await run([...command, ...files], env),
      ];

      const lines = ['uploaded 1 cat "1".png', 'uploaded 2 noise.png', 'listed 2', 'saved preview.webp'];
      expect(first).to.deep.include({ code: 1, stdout: lines });
      expect(first.stderr).to.include('refused text.png: 415 unsupported_media_type');
      expect(second.stdout).to.deep.equal(lines);
      const preview = await readFile(join(folder.path, 'preview.webp'));
      expect(preview.subarray(8, 12).toString()).to.equal('WEBP');
    } finally {
      await demo.stop('SIGTERM');
    }
  });
}

function withFaults(command: Language['command']): void {
  let tokens: ScriptedServer;
  let service: ScriptedServer | undefined;

  beforeEach(async () => {
    tokens = await ScriptedServer.start(json(200, { access_token: 'a' }), json(200, { access_token: 'b' }));
    await copyFile(CAT, join(folder.path, 'cat.png'));
  });

  afterEach(async () => {
    await service?.stop();
    await tokens.stop();
  });

  async function upload(files: readonly string[], ...steps: readonly Step[]): Promise<Outcome> {
    service = await ScriptedServer.start(...steps);
    return await run([...command, ...files], { CATALOG_URL: `${service.url}/`, TOKEN_URL: tokens.url });
  }

  it('repeats the same upload after 401, 503, 409 and a lost connection, and follows the pages', async () => {
    const soon = { 'retry-after': '0' };
    const next = { link: '<?limit=100&after=abc>; rel="next"' };
    const outcome = await upload(
      ['cat.png'],
      refusal(401, 'invalid_token'),
      refusal(503, 'overloaded', soon),
      refusal(409, 'idempotency_key_in_use', soon),
      hangUp,
      json(201, { id: 7 }),
      json(200, [{ id: 1 }, { id: 2 }], next),
      json(200, []),
      (response) => response.writeHead(200, { 'content-type': 'image/webp' }).end('a picture'),
    );

    expect(outcome).to.deep.include({
      code: 0,
      stdout: ['uploaded 7 cat.png', 'listed 2', 'saved preview.webp'],
    });
    const seen = service?.seen ?? [];
    const digest = createHash('sha256')
      .update(await readFile(CAT))
      .digest('hex');
    for (const { headers, body } of seen.slice(0, 5)) {
      expect([headers['x-content-sha256'], headers['idempotency-key']]).to.deep.equal([digest, digest]);
      expect(body.includes(await readFile(CAT))).to.equal(true);
    }
    expect(seen.map(({ headers }) => headers.authorization).slice(0, 2)).to.deep.equal([
      'Bearer a',
      'Bearer b',
    ]);
    expect(seen.slice(5).map(({ url }) => url)).to.deep.equal([
      '/api/images?limit=100',
      '/api/images?limit=100&after=abc',
      '/api/image/7/file?width=320&format=webp',
    ]);
    expect(await readFile(join(folder.path, 'preview.webp'), 'utf8')).to.equal('a picture');
  });

  it('reports a refused file and those that it cannot read once, and goes on with the others', async () => {
    await copyFile(CAT, join(folder.path, 'cat2.png'));
    const outcome = await upload(
      ['cat.png', 'missing.png', '.', 'cat2.png'],
      refusal(422, 'invalid_image'),
      json(201, { id: 8 }),
      json(200, []),
    );

    expect(outcome.code).to.equal(1);
    expect(outcome.stdout).to.include('uploaded 8 cat2.png');
    const refused = outcome.stderr.split(/\r?\n/).filter((line) => line.startsWith('refused '));
    expect(refused.map((line) => line.slice(0, line.indexOf(':')))).to.deep.equal([
      'refused cat.png',
      'refused missing.png',
      'refused .',
    ]);
    expect(refused[0]).to.include('422 invalid_image');
  });

  it('waits as long as without a Retry-After if it is a date', async () => {
    const outcome = await upload(
      ['cat.png'],
      refusal(503, 'overloaded', { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }),
      json(201, { id: 7 }),
      json(200, []),
    );

    expect(outcome).to.deep.include({ code: 0 });
    expect(outcome.stderr).to.include('again in 0.5 s: 503 overloaded');
  });

  it('stops with 75, and without an upload, if the token endpoint refuses the client', async () => {
    for (const status of [400, 401, 500]) {
      await tokens.stop();
      tokens = await ScriptedServer.start(
        json(429, {}, { 'retry-after': '0' }),
        json(status, { error: 'invalid_client' }),
      );
      const outcome = await upload(['cat.png'], json(201, { id: 7 }));
      await service?.stop();

      expect(outcome.code).to.equal(EXIT_TEMPORARY);
      expect(outcome.stderr).to.include(`run it again: `).and.include(`no token: ${status}`);
      expect(outcome.stderr).to.include('invalid_client').and.not.include('refused cat.png');
      expect([tokens.seen.length, service?.seen.length]).to.deep.equal([2, 0]);
    }
  });

  it('stops with 75 if the service stays unavailable or the token is refused twice', async () => {
    const away = await upload(['cat.png'], refusal(503, 'read_only', { 'retry-after': '3600' }));
    await service?.stop();
    const refused = await upload(['cat.png'], refusal(401, 'invalid_token'));

    expect([away.code, refused.code]).to.deep.equal([EXIT_TEMPORARY, EXIT_TEMPORARY]);
    expect(away.stderr).to.include('run it again').and.include('503 read_only');
    expect(refused.stderr).to.include('run it again').and.include('401 invalid_token');
    expect(service?.seen).to.have.length(2);
  });
}

function withWebhooks(command: Language['command']): void {
  it('accepts genuine webhooks alone', async () => {
    const body = '{"type":"image.created","data":{"id":17}}';
    const now = new Date();
    const seconds = (date: Date): string => String(Math.floor(date.getTime() / 1000));
    const old = new Date(now.getTime() - 3_600_000);
    const webhook = new Webhook(WEBHOOK_SECRET);
    const verify = async (date: Date, signature: string, text = body): Promise<number | null> => {
      const call = [...command, 'verify', 'msg_1', seconds(date), signature] as const;
      return (await run(call, { WEBHOOK_SECRET }, text)).code;
    };

    expect({
      genuine: await verify(now, webhook.sign('msg_1', now, body)),
      withSeveralSecrets: await verify(now, `v1,AAAA ${webhook.sign('msg_1', now, body)}`),
      changed: await verify(now, webhook.sign('msg_1', now, body), body.replace('17', '18')),
      outdated: await verify(old, webhook.sign('msg_1', old, body)),
    }).to.deep.equal({ genuine: 0, withSeveralSecrets: 0, changed: 1, outdated: 1 });
  });
}
