import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { InvalidConfig } from '../../src/infrastructure/config/invalid-config.ts';
import { readEnvFile } from '../../src/infrastructure/config/read-env-file.ts';
import { readEnvironment } from '../../src/infrastructure/config/read-environment.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { runInThisProcess } from '../support/servers/command-in-process.ts';

const TEXT = '# für den Dienst\nIDP_AUDIENCE=Bücher\nPORT=3000\n';
const VALUES = { IDP_AUDIENCE: 'Bücher', PORT: '3000' };

let folder: TemporaryFolder;

async function write(content: string | Buffer): Promise<string> {
  const path = join(folder.path, '.env');
  await writeFile(path, content);
  return path;
}

async function problemOf(content: string | Buffer): Promise<string> {
  const path = await write(content);
  try {
    return JSON.stringify(readEnvFile(path));
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    return error.problems.join('\n').replace(path, '.env');
  }
}

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(() => folder.remove());

describe('The file .env', () => {
  const encodings: Readonly<Record<string, Buffer>> = {
    'UTF-8': Buffer.from(TEXT),
    'UTF-8 with a byte order mark': Buffer.from(`\ufeff${TEXT}`),
    'UTF-16LE with a byte order mark': Buffer.from(`\ufeff${TEXT}`, 'utf16le'),
    'UTF-16BE with a byte order mark': Buffer.from(`\ufeff${TEXT}`, 'utf16le').swap16(),
    'UTF-8 with the line ends of Windows': Buffer.from(TEXT.replaceAll('\n', '\r\n')),
    'UTF-8 with the line ends of old Macs': Buffer.from(TEXT.replaceAll('\n', '\r')),
  };
  for (const [encoding, bytes] of Object.entries(encodings)) {
    it(`is read in ${encoding}`, async () => {
      expect(readEnvFile(await write(bytes))).to.deep.equal(VALUES);
    });
  }

  it('may be missing', () => {
    expect(readEnvFile(join(folder.path, '.env'))).to.deep.equal({});
  });

  it('may have a comment that is not UTF-8', async () => {
    expect(readEnvFile(await write(Buffer.from('# für\nPORT=1', 'latin1')))).to.deep.equal({ PORT: '1' });
  });

  const refused: ReadonlyArray<readonly [what: string, content: string | Buffer, problem: RegExp]> = [
    ['in UTF-16 without a byte order mark', Buffer.from(TEXT, 'utf16le'), /^\.env is neither UTF-8 nor/],
    ['with a value in Latin-1', Buffer.from(TEXT, 'latin1'), /^\.env has characters in IDP_AUDIENCE that/],
    [
      'with a line without an equals sign',
      'A=1\n\nSECRET\nPORT=1\n',
      /^\.env has a line .*, line 3: correct/,
    ],
    [
      'with an equals sign missing in the last line',
      'A=1\nSECRET\n\n',
      /^\.env has a line .*, line 2: correct/,
    ],
    ['in the form of YAML', 'A: x\nB: y\nPORT=1\n', /^\.env has a line that is not NAME=value, line 1/],
  ];
  for (const [what, content, problem] of refused) {
    it(`is refused with one sentence ${what}`, async () => {
      const text = await problemOf(content);

      expect(text).to.match(problem);
      expect(text).to.not.include('SECRET');
    });
  }

  it('is refused with one sentence if it is a folder', async () => {
    const path = join(folder.path, '.env');
    await mkdir(path);

    expect(() => readEnvFile(path)).to.throw(InvalidConfig, /is a folder: .*Remove the folder/);
  });
});

describe('The environment', () => {
  const kept = { cwd: process.cwd(), env: process.env };

  afterEach(() => {
    process.chdir(kept.cwd);
    process.env = kept.env;
  });

  function read(env: NodeJS.ProcessEnv): ReturnType<typeof readEnvironment> {
    process.chdir(folder.path);
    process.env = { ...env };
    return readEnvironment();
  }

  it('has the values of the process before those of .env, all without white space at their ends', async () => {
    await write('A=1\nB=2\nCATALOG_TOKEN=" abc "\n');

    expect(read({ B: '3\n', CATALOG_CLIENT_SECRET: 's3cret\r\n', EMPTY: '\n' })).to.deep.equal({
      A: '1',
      B: '3',
      CATALOG_TOKEN: 'abc',
      CATALOG_CLIENT_SECRET: 's3cret',
      EMPTY: '',
    });
  });

  it('gives the libraries their variables, those of .env as well', async () => {
    await write('AWS_ACCESS_KEY_ID=key\nPGPASSWORD=file\nSECRET=x\n');

    read({ AWS_SECRET_ACCESS_KEY: 'secret\n', PGPASSWORD: 'process', AWS_PROFILE: '\n' });

    expect(process.env).to.deep.equal({
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      PGPASSWORD: 'process',
    });
  });

  it('has no target of a transfer in an empty variable', async () => {
    const env = { DATABASE_URL: 'sqlite:./other.sqlite', TRANSFER_TO_DATABASE: ' \n' };

    const { code, stderr } = await runInThisProcess(['transfer'], env, folder.path);

    expect(code).to.equal(64);
    expect(stderr).to.match(/^transfer needs --to-database, --to-blobs or both/);
  });
});
