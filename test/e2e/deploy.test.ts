import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import type { SqliteLocation } from '../../src/adapters/sql/sqlite/sqlite-location.ts';
import { FORM_OVERHEAD_BYTES } from '../../src/application/upload/incoming-file.ts';
import { parseConfig, variableNames } from '../../src/infrastructure/config/config.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

/** The service ends at the latest this long after its grace period, even if a native thread is busy. */
const HANG_MS = 5_000;

const REQUIRED = { IDP_DOMAIN: 'https://tenant.example.com/', IDP_AUDIENCE: 'images' };

const defaults = parseConfig(REQUIRED);

const MB = 1_000_000;
const GIB = 1024 ** 3;

/** On a machine with six cores. */
const DECODERS = 7;

/** Memory that the service needs: idle, decoders, `DECODE_MEMORY_BYTES`, other work, uploads; see docs/operations.md. */
const NEEDED_MEMORY = 110 * MB + DECODERS * 85 * MB + GIB + 200 * MB + defaults.upload.concurrency * 2 * MB;

/** Of the service, and of each of as many decoders as there may be. */
const MOST_THREADS = 23 + 64 * 12;

async function delivered(name: string): Promise<string> {
  return await readFile(join(PROJECT_FOLDER, name), 'utf8');
}

/** The only group of every match. */
function allOf(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The number of a directive. */
function numberOf(text: string, directive: string): number {
  const found = new RegExp(`^\\s*${directive}[ =](\\d+)`, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`There is no ${directive}`);
  return Number(found);
}

/** The variables that the service reads: those of its configuration and those that its libraries read. */
function knownVariables(): readonly string[] {
  const own = variableNames();
  expect(own).to.include.members(['IDP_DOMAIN', 'DATABASE_URL', 'MANAGEMENT_PORT']);
  return [...own, 'NODE_ENV', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
}

describe('deploy/Containerfile', () => {
  let text: string;

  before(async () => {
    text = await delivered('deploy/Containerfile');
  });

  it('copies only files that exist and are not ignored', async () => {
    const copied = allOf(text, /^COPY (?!--from)(.+) \S+$/gm).flatMap((sources) => sources.split(' '));
    const kept = allOf(await delivered('.containerignore'), /^!(.+)$/gm);
    expect(copied).to.include.members(['bin', 'src', 'migrations', 'package.json']);
    for (const path of copied) expect(existsSync(join(PROJECT_FOLDER, path)), path).to.equal(true);
    expect(new Set(copied)).to.deep.equal(new Set(kept));
  });

  it('sets only known variables', async () => {
    const blocks = allOf(text, /^ENV ((?:.*\\\n)*.*)$/gm).join('\n');
    const set = allOf(blocks, /\b([A-Z_]+)=/g);
    expect(set).to.include('MANAGEMENT_PORT');
    expect(knownVariables()).to.include.members([...set]);
  });

  it('stores everything in its volume by default', () => {
    const workingFolder = allOf(text, /^WORKDIR (.+)$/gm).at(-1) ?? '';
    const volume = allOf(text, /^VOLUME (.+)$/gm).at(-1) ?? 'none';
    const { database, blobStore, renditions } = defaults;
    const { stagingPath } = parseConfig({ ...REQUIRED, BLOB_STORE_URL: 's3://my-bucket' });

    const { file } = database as SqliteLocation;
    for (const place of [{ path: file }, blobStore, renditions.cache, { path: stagingPath }]) {
      expect(resolve(workingFolder, 'path' in place ? place.path : '')).to.match(new RegExp(`^${volume}/`));
    }
  });

  it('starts the service directly, as a user other than root', () => {
    expect(text).to.contain('ENTRYPOINT ["node", "/app/bin/image-catalog.cjs"]');
    expect(text.indexOf('USER node')).to.be.above(text.lastIndexOf('FROM '));
  });
});

/** By which a decoder could reach the service, or leave memory behind. */
const FORBIDDEN_CALLS = ['process_vm_readv', 'process_vm_writev', 'ptrace', 'shmget', 'msgget'];

describe('deploy/compose.yaml', () => {
  let text: string;

  before(async () => {
    text = await delivered('deploy/compose.yaml');
  });

  it('sets only known variables', async () => {
    const block = /&catalog-environment\n([^]*?)\n {2}(?=\S|# Above)/.exec(text)?.[1] ?? '';
    const set = allOf(block, /^ {4}([A-Z_]+):/gm);
    expect(set).to.include('BLOB_STORE_URL');
    expect(knownVariables()).to.include.members([...set]);
  });

  it('sets only valid values', () => {
    const values = [...text.matchAll(/^ {4}([A-Z_]+): '?(.*?)'?$/gm)].map(([, name = '', value = '']) => [
      name,
      value
        .replace(/\$\{(?:IDP_DOMAIN|PUBLIC_URL):\?\}/, 'https://tenant.example.com/')
        .replace('${WEB_SCOPE:-openid}', 'openid')
        .replaceAll(/\$\{\w+:\?\}/g, 'c0ffee'),
    ]);
    const { database, blobStore, management, web } = parseConfig(Object.fromEntries(values));
    expect([database, blobStore].map(({ constructor }) => constructor.name)).to.deep.equal([
      'PostgresLocation',
      'S3StoreLocation',
    ]);
    expect(management?.port).to.equal(9100);
    expect(web).to.include({ url: 'https://tenant.example.com/', clientId: 'c0ffee' });
  });

  it('requires what compose.env.example lists', async () => {
    const wanted = new Set(allOf(text, /\$\{([A-Z0-9_]+)/g));
    const listed = new Set(allOf(await delivered('deploy/compose.env.example'), /^([A-Z0-9_]+)=/gm));
    expect(wanted).to.deep.equal(listed);
  });

  it('mounts only files that exist', () => {
    const files = allOf(text, /'\.\/([^:]+):/g);
    expect(files).to.include('nginx.conf');
    for (const file of files) expect(existsSync(join(PROJECT_FOLDER, 'deploy', file)), file).to.equal(true);
  });

  it('names a seccomp profile that exists, and that forbids calls on the memory of other processes', async () => {
    const [file = ''] = allOf(text, /'seccomp=([^']+)'/g);
    const { defaultAction, syscalls } = JSON.parse(await delivered(`deploy/${file}`)) as {
      readonly defaultAction: string;
      readonly syscalls: readonly { readonly names: readonly string[]; readonly action: string }[];
    };
    const permitted = syscalls
      .filter(({ action }) => action === 'SCMP_ACT_ALLOW')
      .flatMap(({ names }) => names);

    expect(defaultAction).to.equal('SCMP_ACT_ERRNO');
    for (const call of FORBIDDEN_CALLS) expect(permitted).to.not.include(call);
  });

  it('runs the processes that nginx.conf names', async () => {
    const webPort = Number(allOf(text, /WEB_PORT: '(\d+)'/g)[0]);
    for (const port of [defaults.listener.port, webPort]) {
      const upstreams = allOf(
        await delivered('deploy/nginx.conf'),
        new RegExp(`server (catalog-\\d):${port}`, 'g'),
      );
      expect(allOf(text, /^ {2}(catalog-\d):$/gm)).to.include.members([...upstreams]);
      expect(upstreams).to.have.length(3);
    }
  });

  it('allows each process the memory that it needs', () => {
    expect(text).to.match(/^ {2}mem_limit: \d+g$/m);
    expect(numberOf(text, 'mem_limit:') * GIB).to.be.above(NEEDED_MEMORY);
  });

  it('has an init as process 1, so that a signal can end the service', () => {
    expect(/^x-catalog: [^]*?\n\n/m.exec(text)?.[0]).to.match(/^ {2}init: true$/m);
  });

  it('has a longer stop timeout than the service', () => {
    expect(numberOf(text, 'stop_grace_period:') * 1000).to.be.above(defaults.shutdownGraceMs + HANG_MS);
  });
});

describe('deploy/nginx.conf, compared with the defaults of the service', () => {
  let text: string;

  before(async () => {
    text = await delivered('deploy/nginx.conf');
  });

  it('allows the same request sizes as the service', () => {
    const bytes = numberOf(text, 'client_max_body_size') * 1024 * 1024;
    expect(bytes).to.equal(defaults.upload.maxBytes + FORM_OVERHEAD_BYTES);
  });

  it('has enough file descriptors for its connections', () => {
    expect(numberOf(text, 'worker_rlimit_nofile')).to.be.above(2 * numberOf(text, 'worker_connections'));
  });

  it('has longer timeouts than the service', () => {
    expect(numberOf(text, 'proxy_read_timeout') * 1000).to.be.above(defaults.requestTimeoutMs);
    expect(numberOf(text, 'client_body_timeout') * 1000).to.be.above(defaults.upload.stallTimeoutMs);
  });
});

describe('deploy/image-catalog@.service', () => {
  it('is the unit of one process, with a port that others use', async () => {
    const unitOf = async (name: string): Promise<readonly string[]> => {
      const lines = (await delivered(`deploy/${name}`)).split('\n');
      return lines.filter((line) => !/^(#|Description=)/.test(line));
    };
    const [one, template] = [await unitOf('image-catalog.service'), await unitOf('image-catalog@.service')];

    const added = template.filter((line) => !one.includes(line));
    expect(added).to.deep.equal(['Environment=REUSE_PORT=true', 'Environment=MANAGEMENT_PORT=%i']);
    expect(one.filter((line) => !template.includes(line))).to.deep.equal([]);
  });
});

describe('deploy/image-catalog.service', () => {
  let text: string;

  before(async () => {
    text = await delivered('deploy/image-catalog.service');
  });

  it('sets only known variables', async () => {
    const set = allOf(text, /^Environment=([A-Z_]+)=/gm);
    expect(set).to.include('DATABASE_URL');
    expect(knownVariables()).to.include.members([...set]);
  });

  it('allows the process the memory that it needs', () => {
    expect(text).to.match(/^MemoryMax=\d+G$/m);
    expect(numberOf(text, 'MemoryMax') * GIB).to.be.above(NEEDED_MEMORY);
  });

  it('allows the threads of as many decoders as there may be', () => {
    expect(numberOf(text, 'TasksMax')).to.be.above(MOST_THREADS);
  });

  it('keeps the service running if the kernel kills a decoder for its memory', () => {
    expect(text).to.match(/^OOMPolicy=continue$/m);
  });

  it('has a longer stop timeout than the service', () => {
    expect(numberOf(text, 'TimeoutStopSec') * 1000).to.be.above(defaults.shutdownGraceMs + HANG_MS);
  });

  it('restarts the service if the database is unavailable when the machine starts', () => {
    expect(text).to.match(/^Restart=on-failure$/m);
    expect(text).to.match(/^RestartPreventExitStatus=64$/m);
    // Longer than the interval of five starts in ten seconds after which systemd stops restarting.
    expect(numberOf(text, 'RestartSec')).to.be.above(2);
  });
});
