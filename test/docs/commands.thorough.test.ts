import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { COMMANDS } from '../../src/infrastructure/commands/commands.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { type CommandBlock, commandBlocks } from './command-blocks.ts';

const PROGRAM = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');
const PICTURE = 'cat-chelsea.png';
const AUDIENCE = 'https://image-catalog.example/';
const CREDENTIALS = {
  client_id: 'demo',
  client_secret: 'demo-secret',
  audience: AUDIENCE,
  grant_type: 'client_credentials',
};
/** A call of a command, in a block or in a sentence. */
const CALL = /(?<![/\w-])image-catalog ([a-z][a-z-]*)\b([^\n|;&#)`]*)/g;
const OPTION = /(?<=\s)--([a-z][a-z-]+)/g;
const run = promisify(execFile);

/** Before all blocks of a page: a refused request is a failure, and commands are those of this checkout. */
const PREAMBLE = `set -euo pipefail
curl() { case " $* " in *' --fail'*) set -- "$@" ;; *) set -- --fail-with-body "$@" ;; esac; command curl --max-time 60 "$@"; }
npx() { [ "$1 $2 $3" = '--no -- image-catalog' ] && shift 3 && '${process.execPath}' '${PROGRAM}' "$@"; }
`;

interface Page {
  readonly page: string;
  readonly markdown: string;
  readonly blocks: readonly CommandBlock[];
}

const pages: readonly Page[] = await Promise.all(
  ['README.md', ...(await readdir(join(PROJECT_FOLDER, 'docs'))).map((name) => `docs/${name}`)]
    .filter((page) => page.endsWith('.md'))
    .map(readPage),
);
const all = pages.flatMap(({ blocks }) => blocks);
const notRun = all.filter((block) => block.notRun !== undefined);

describe(`${all.length} blocks of commands in docs/*.md and README.md`, () => {
  describe(`the ${all.length - notRun.length} that can be run`, () => {
    let folder: TemporaryFolder;
    let demo: NodeProcess;

    beforeEach(async () => {
      folder = await temporaryFolder();
      await mkdir(join(folder.path, 'demo'));
      for (const name of [PICTURE, `demo/${PICTURE}`]) {
        await copyFile(join(PROJECT_FOLDER, 'demo', PICTURE), join(folder.path, name));
      }
      demo = NodeProcess.start([PROGRAM, 'demo'], {
        cwd: folder.path,
        env: { PORT: '0', WEB_PORT: '0', DECODERS: '2' },
        lastSignal: 'SIGTERM',
      });
    });

    afterEach(async () => {
      await demo.stop('SIGTERM');
      await folder.remove();
    });

    for (const { page, blocks } of pages) {
      const script = blocks.filter((block) => block.notRun === undefined);
      if (script.length > 0) it(`those of ${page}, in their order`, () => runAll(script, folder.path, demo));
    }
  });

  it(`the ${notRun.length} that are not run are shell, and say why not`, async () => {
    for (const { place, text } of notRun) {
      const { stderr } = await run('bash', ['-n', '-c', text]);
      expect(stderr, place).to.equal('');
    }
  });

  it('name commands and options that exist', async () => {
    const calls = pages.flatMap(({ page, markdown }) =>
      [...markdown.replaceAll('\\\n', ' ').matchAll(CALL)].map(([, command = '', rest = '']) => ({
        page,
        command,
        options: [...rest.matchAll(OPTION)].map(([, option = '']) => option),
      })),
    );

    expect(calls).to.have.length.above(10);
    for (const { page, command, options } of calls) {
      expect(COMMANDS, page).to.have.property(command);
      expect(await optionsOf(command), `${page}: ${command}`).to.include.members(options);
    }
  });
});

async function readPage(page: string): Promise<Page> {
  const markdown = await readFile(join(PROJECT_FOLDER, page), 'utf8');
  return { page, markdown, blocks: commandBlocks(page, markdown) };
}

/** The catalog had an image before the first block: a page that does not take ids from responses fails. */
async function runAll(blocks: readonly CommandBlock[], folder: string, demo: NodeProcess): Promise<void> {
  const api = await demo.line((line) => /(http:\/\/\S+)\/api\/images/.exec(line)?.[1]);
  const provider = await demo.line((line) => /(http:\/\/\S+)\/oauth\/token/.exec(line)?.[1]);
  const token = await tokenOf(provider);
  const form = new FormData();
  form.set('file', new File([await readFile(join(folder, PICTURE))], PICTURE));
  const headers = { authorization: `Bearer ${token}` };
  const upload = await fetch(`${api}/api/upload`, { method: 'POST', headers, body: form });
  const { id } = (await upload.json()) as { readonly id: number };
  for (const path of ['image', 'trash']) {
    const { status } = await fetch(`${api}/api/${path}/${id}`, { method: 'DELETE', headers });
    expect(status).to.equal(204);
  }

  const text = blocks.map(({ place, text }) => `echo '### ${place}'\n${text}`).join('\n');
  const here = text
    .replaceAll('http://127.0.0.1:3000', api)
    .replaceAll('http://127.0.0.1:3001', provider)
    .replaceAll(/(?<=[\s:])\/(?=(?:backups|srv)\/)/g, `${folder}/`);
  await writeFile(join(folder, 'page.sh'), PREAMBLE + here);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    API: api,
    TOKEN: token,
    IDP_DOMAIN: `${provider}/`,
    IDP_AUDIENCE: AUDIENCE,
    TRASH_DAYS: '30',
    SWEEP_GRACE_SECONDS: '0',
    DECODERS: '2',
  };
  const failure = await run('bash', ['page.sh'], { cwd: folder, env }).then(
    () => undefined,
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
      `${stdout.slice(stdout.lastIndexOf('###'))}\n${stderr}`,
  );

  expect(failure).to.equal(undefined);
}

async function tokenOf(provider: string): Promise<string> {
  const response = await fetch(`${provider}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(CREDENTIALS),
  });
  return ((await response.json()) as { readonly access_token: string }).access_token;
}

/** Those of the command and its actions, as they are written. */
async function optionsOf(name: string): Promise<readonly string[]> {
  const command = await COMMANDS[name]?.();
  const calls = command === undefined ? [] : [command, ...Object.values(command.actions)];
  const options = calls.flatMap((call) => Object.keys(call.options));
  return options.map((option) => option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
}
