import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { tinyPng } from '../support/fixtures/tiny-pictures.ts';
import { type CommandResult, runInThisProcess } from '../support/servers/command-in-process.ts';
import { json, refusal, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';

const MB = 1024 * 1024;
const BYTES = tinyPng(1);
const SHA256 = createHash('sha256').update(BYTES).digest('hex');
const RECORD = { id: 1, originalName: 'cat.png', mediaType: 'image/png', size: BYTES.length, sha256: SHA256 };
const NEXT = { link: '</api/images?after=1>; rel="next"' };

let folder: TemporaryFolder;
let target: string;
let server: ScriptedServer | undefined;

async function run(...args: readonly string[]): Promise<CommandResult> {
  const env = { CATALOG_URL: server?.url ?? '', CATALOG_TOKEN: 'token', HOME: folder.path };
  return await runInThisProcess(args, env, folder.path);
}

beforeEach(async () => {
  folder = await temporaryFolder();
  target = join(folder.path, 'target');
  await mkdir(target);
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  await folder.remove();
});

/** A service that lists these records on one page, unless a step says otherwise. */
async function serve({
  list = json(200, [RECORD]),
  file = send(BYTES),
  metadata = json(200, {}),
}): Promise<void> {
  server = await ScriptedServer.start((response, request) => {
    if (request.url.startsWith('/api/images')) return list(response, request);
    return request.url.endsWith('/file') ? file(response, request) : metadata(response, request);
  });
}

function send(bytes: Uint8Array): Step {
  return (response) => response.end(bytes);
}

/** Writes until the client has left, at most this many bytes. */
function endless(bytes: number, chunk = Buffer.alloc(MB, '[')): Step {
  return (response) => {
    let left = bytes;
    const write = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  };
}

/** A sentence, and no trace of the stack. */
function expectSentence({ code, stderr }: CommandResult, exitCode: number): void {
  expect(code, stderr).to.equal(exitCode);
  expect(stderr).to.match(/^[\p{Lu}/][^\p{Cc}]{8,2100}\n$/u);
}

async function exported(): Promise<CommandResult> {
  return await run('export', target, '--format', 'json');
}

describe('export from a hostile service', () => {
  for (const [what, change] of [
    ['an unknown media type', { mediaType: 'image/avif' }],
    ['the media type constructor', { mediaType: 'constructor' }],
    ['the media type __proto__', { mediaType: '__proto__' }],
    ['a list as a media type', { mediaType: ['image/png'] }],
    ['a number as a name', { originalName: 7 }],
    ['no name', { originalName: undefined }],
    ['a path as an id', { id: '../../x' }],
    ['a fraction as an id', { id: 1.5 }],
    ['a list as an id', { id: ['/../x'] }],
    ['no digest', { sha256: undefined }],
    ['a path as a digest', { sha256: '../../x' }],
    ['a negative size', { size: -1 }],
    ['a size in words', { size: '1e9' }],
  ] as const) {
    it(`ends in a sentence for a record with ${what}`, async () => {
      await serve({ list: json(200, [{ ...RECORD, ...change }]) });

      expectSentence(await exported(), 75);
      expect(await readdir(target)).to.deep.equal(['records.ndjson']);
      expect(server?.seen).to.have.lengthOf(1);
    });
  }

  for (const [what, list] of [
    ['null instead of a page', json(200, null)],
    ['an object instead of a page', json(200, { length: 1 })],
    ['null instead of a record', json(200, [null])],
    ['the same image twice', json(200, [RECORD, RECORD])],
    ['the same page for ever', json(200, [], NEXT)],
    ['a page of 200 MB', endless(200 * MB)],
    ['an error of 200 MB', (response, request) => endless(200 * MB)(response.writeHead(418), request)],
    [
      'an error with a code and a message that are objects',
      json(418, { code: { toString: 1 }, message: [{ toString: 1 }] }),
    ],
    ['an error with the code constructor', json(418, { code: 'constructor', message: 'No tea today' })],
    [
      'an error with line feeds and escapes',
      json(418, { code: 'a\nb', message: 'Cats and dogs\n\u001b[2J\u009b2J' }),
    ],
    ['an error with a message of a megabyte', json(418, { code: 'x', message: 'M'.repeat(MB) })],
  ] as const satisfies ReadonlyArray<readonly [string, Step]>) {
    it(`ends in a sentence for ${what}`, async () => {
      await serve({ list });

      const result = await exported();

      expectSentence(
        result,
        result.stderr.startsWith('The service has sent') || result.stderr.includes('(constructor)') ? 75 : 64,
      );
    });
  }

  for (const [what, metadata] of [
    ['deep metadata', send(Buffer.from(`{"title":${'['.repeat(MB / 4)}${']'.repeat(MB / 4)}}`))],
    ['metadata of 2 MB', json(200, { title: 'x'.repeat(2 * MB) })],
  ] as const) {
    it(`ends in a sentence for ${what}, which no import could read`, async () => {
      await serve({ metadata });

      expectSentence(await exported(), 75);
    });
  }

  it('keeps the record if the metadata has fields of the record', async () => {
    await serve({
      metadata: send(Buffer.from('{"file":"../x","sha256":"x","id":9,"__proto__":{"file":"y"}}')),
    });

    expect((await exported()).code).to.equal(0);
    const line = JSON.parse(await readFile(join(target, 'records.ndjson'), 'utf8')) as object;
    expect(line).to.include({ ...RECORD, file: 'cat.png' });
  });

  it('stops a download at the size of the record', async () => {
    await serve({ file: endless(200 * MB) });

    const { code, stdout } = await exported();

    expect(code).to.equal(1);
    expect(stdout).to.include('"outcome":"damaged"');
    expect(await readdir(target)).to.deep.equal(['records.ndjson']);
  });

  it('does not give its token to another server', async () => {
    const other = await ScriptedServer.start(send(BYTES));
    await serve({ file: (response) => response.writeHead(302, { location: `${other.url}/x` }).end() });

    const { code } = await exported();
    await other.stop();

    expect(code).to.equal(0);
    expect(other.seen.map(({ headers }) => headers.authorization)).to.deep.equal([undefined]);
  });

  for (const originalName of [
    '../x.png',
    '/etc/x.png',
    '..',
    '.',
    '',
    '\0.png',
    'a/../../x',
    'records.ndjson',
  ]) {
    it(`writes the name ${JSON.stringify(originalName)} into the folder`, async () => {
      await serve({ list: json(200, [{ ...RECORD, originalName }]) });

      expect((await exported()).code).to.equal(0);
      expect(await readdir(target)).to.have.lengthOf(2);
      expect(await readdir(folder.path)).to.deep.equal(['target']);
    });
  }
});

describe('export into a folder that somebody else has written', () => {
  const precious = (): string => join(folder.path, 'precious');

  beforeEach(async () => {
    await writeFile(precious(), BYTES);
    await serve({});
  });

  afterEach(async () => {
    expect(await readFile(precious())).to.deep.equal(Buffer.from(BYTES));
    expect((await readdir(folder.path)).toSorted()).to.deep.equal(['precious', 'target']);
  });

  it('refuses a list of records that is a link', async () => {
    await symlink(precious(), join(target, 'records.ndjson'));

    expectSentence(await exported(), 73);
  });

  it('refuses a list of records that is a pipe', async () => {
    spawnSync('mkfifo', [join(target, 'records.ndjson')]);

    expectSentence(await exported(), 73);
  });

  for (const [what, destination] of [
    ['to a file with the same bytes', 'precious'],
    ['to nothing', 'nothing'],
  ] as const) {
    it(`leaves a link ${what} alone, and takes another name`, async () => {
      const path = join(folder.path, destination);
      await symlink(path, join(target, 'cat.png'));

      expect((await exported()).code).to.equal(0);
      expect(await readlink(join(target, 'cat.png'))).to.equal(path);
      expect((await lstat(join(target, 'cat (1).png'))).isFile()).to.equal(true);
    });
  }

  it('takes another name than that of a pipe or a folder', async () => {
    spawnSync('mkfifo', [join(target, 'cat.png')]);
    await mkdir(join(target, 'cat (1).png'));

    expect((await exported()).code).to.equal(0);
    expect((await lstat(join(target, 'cat (1-1).png'))).isFile()).to.equal(true);
  });

  for (const file of ['../precious', 'link.png', '..']) {
    it(`exports an image whose line names ${file}`, async () => {
      await symlink(precious(), join(target, 'link.png'));
      await writeFile(join(target, 'records.ndjson'), `${JSON.stringify({ ...RECORD, file })}\n`);

      const { stdout } = await exported();

      expect(stdout).to.include('"file":"cat.png","outcome":"written"');
    });
  }
});

describe('import into a hostile service', () => {
  beforeEach(() => writeFile(join(target, 'cat.png'), BYTES));

  async function imported(): Promise<CommandResult> {
    return await run('import', target, '--journal', join(folder.path, 'journal'), '--format', 'json');
  }

  async function journal(): Promise<string> {
    return await readFile(join(folder.path, 'journal'), 'utf8').catch(() => '');
  }

  /** @param lookup of digests other than that of the first request */
  async function respond(lookup: Step, upload: Step = json(201, { id: 1 })): Promise<void> {
    let isFirst = true;
    server = await ScriptedServer.start((response, request) => {
      const isLookup = request.url === '/api/images/lookup';
      const step = isLookup && isFirst ? json(200, {}) : isLookup ? lookup : upload;
      isFirst = false;
      step(response, request);
    });
  }

  for (const [what, ids] of [
    ['a text', '1'],
    ['a number', 1],
    ['null', null],
    ['an empty list', []],
    ['a line feed', ['1\n{"path":"x"}']],
    ['a fraction', [0.5]],
    ['an object', { __proto__: null, length: 1 }],
  ] as const) {
    it(`counts a file as failed if the ids of its digest are ${what}`, async () => {
      await respond(json(200, { [SHA256]: ids }));

      const { code, stdout } = await imported();

      expect(code).to.equal(1);
      expect(stdout).to.include('"outcome":"failed","code":"unexpected_response"');
      expect(await journal()).to.equal('');
    });
  }

  it('ignores digests that it has not asked for', async () => {
    const others = send(Buffer.from(`{"__proto__":[1],"constructor":7,"${'0'.repeat(64)}":"x"}`));
    await respond(others);

    const { code, stdout } = await imported();

    expect(code).to.equal(0);
    expect(stdout).to.include('"outcome":"created","id":1');
  });

  for (const [what, upload] of [
    ['null', json(201, null)],
    ['an object without an id', json(201, {})],
    ['a line feed in the id', json(201, { id: '1\n{}' })],
    ['the id 0', json(201, { id: 0 })],
    ['200 MB', endless(200 * MB)],
  ] as const satisfies ReadonlyArray<readonly [string, Step]>) {
    it(`counts a file as failed if the response to its upload is ${what}`, async () => {
      await respond(json(200, {}), upload);

      const { code, stdout } = await imported();

      expect(code).to.equal(1);
      expect(stdout).to.include('"outcome":"failed","code":"unexpected_response"');
      expect(await journal()).to.equal('');
    });
  }

  it('does not try keys for ever', async () => {
    await respond(json(200, {}), refusal(404, 'image_not_found'));

    const { stdout } = await imported();

    expect(stdout).to.include('"outcome":"refused","code":"image_not_found"');
  });

  it('keeps a refusal in one line of the journal, and of the output', async () => {
    await respond(
      json(200, {}),
      json(400, { code: 'invalid_image', message: `a\n{"path":"x"}${'m'.repeat(MB)}` }),
    );

    const { stdout } = await imported();

    expect(stdout.split('\n')).to.have.lengthOf(2);
    expect((await journal()).trim().split('\n')).to.have.lengthOf(1);
    expect(stdout.length).to.be.below(4000);
  });
});

describe('import from a folder that somebody else has written', () => {
  beforeEach(async () => {
    await writeFile(join(target, 'cat.png'), BYTES);
    server = await ScriptedServer.start((response, request) =>
      (request.url === '/api/images/lookup' ? json(200, {}) : json(201, { id: 1 }))(response, request),
    );
  });

  async function imported(): Promise<CommandResult> {
    return await run('import', target, '--journal', join(folder.path, 'journal'), '--format', 'json');
  }

  it('reads no file that only the list of records names', async () => {
    await writeFile(join(folder.path, 'secret.png'), tinyPng(2));
    await symlink(join(folder.path, 'secret.png'), join(target, 'link.png'));
    const paths = ['../secret.png', join(folder.path, 'secret.png'), 'link.png', '__proto__'];
    const lines = paths.map((file) => JSON.stringify({ ...RECORD, file }));
    await writeFile(join(target, 'records.ndjson'), lines.join('\n'));

    const { code, stdout } = await imported();

    expect(code).to.equal(0);
    expect(stdout).to.include('"found":1,"created":1').and.to.include('"skipped":1');
  });

  it('refuses a list of records that is a link', async () => {
    await symlink(join(folder.path, 'elsewhere'), join(target, 'records.ndjson'));
    await writeFile(join(folder.path, 'elsewhere'), JSON.stringify({ ...RECORD, file: 'cat.png' }));

    const { code, stderr } = await imported();

    expect(code).to.equal(64);
    expect(stderr).to.match(/^FOLDER cannot be read: .*records\.ndjson is a symbolic link/);
  });

  it('waits for no pipe', async () => {
    spawnSync('mkfifo', [join(target, 'records.ndjson')]);

    expect((await imported()).code).to.equal(0);
  });

  it('skips lines that are too long, nested too deeply or no objects', async () => {
    const deep = `{"file":"cat.png","originalName":"deep.png","metadata":${'['.repeat(MB)}${']'.repeat(MB)}}`;
    const long = JSON.stringify({ ...RECORD, file: 'cat.png', originalName: 'x'.repeat(5 * MB) });
    const right = JSON.stringify({ ...RECORD, file: 'cat.png', originalName: 'dog.png' });
    await writeFile(join(target, 'records.ndjson'), [deep, right, long, 'null', '7', '[]', ''].join('\n'));

    expect((await imported()).code).to.equal(0);
    expect(server?.seen.at(-1)?.body.toString('latin1')).to.include('filename="dog.png"');
  });
});
