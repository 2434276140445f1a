import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { editDistance } from '../../src/infrastructure/config/edit-distance.ts';
import { environmentWarnings } from '../../src/infrastructure/config/environment-warnings.ts';
import { readEnvironment } from '../../src/infrastructure/config/read-environment.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { runInThisProcess } from '../support/servers/command-in-process.ts';

const kept = { cwd: process.cwd(), env: process.env };

let folder: TemporaryFolder;

async function warnings(file: string, env: NodeJS.ProcessEnv = {}): Promise<readonly string[]> {
  await writeFile(join(folder.path, '.env'), file);
  process.chdir(folder.path);
  process.env = env;
  return environmentWarnings(readEnvironment()).map(({ text, change }) => `${text}: ${change}`);
}

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  process.chdir(kept.cwd);
  process.env = kept.env;
  await folder.remove();
});

describe('Warnings about the environment', () => {
  for (const [wrong, right] of [
    ['SCOPE_DELTE', 'SCOPE_DELETE'],
    ['SCOPE_DELEET', 'SCOPE_DELETE'],
    ['SCOP_DELET', 'SCOPE_DELETE'],
    ['scope_delete', 'SCOPE_DELETE'],
    ['SCOPE-DELETE', 'SCOPE_DELETE'],
    ['CORS_ORIGINS', 'CORS_ORIGIN'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['PROT', 'PORT'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['CATALOG_TOKN', 'CATALOG_TOKEN'],
    ['TRANSFER_TO_DATABSE', 'TRANSFER_TO_DATABASE'],
    ['MANAGEMENT_POT', 'MANAGEMENT_PORT'],
    ['OTEL_SERVICE_NAM', 'OTEL_SERVICE_NAME'],
  ]) {
    it(`name ${wrong} in .env, and ${right}`, async () => {
      expect(await warnings(`${wrong}=images:delete\n`)).to.deep.equal([
        `${wrong} in .env has no effect, because no setting has this name: write ${right} if that is meant`,
      ]);
    });
  }

  it('name no setting, no variable of another program, and none that is far from all of them', async () => {
    const names = `PORT HOST WEB_URL API_URL SCOPE_READ CATALOG_TOKEN TRANSFER_TO_BLOBS PGPORT PGHOST AWS_REGION
      NODE_ENV OTEL_TRACES_SAMPLER HOME PATH APP_URL APP_PORT DB_URL POSTGRES_PASSWORD ALL_PROXY TZ
      SCOPE DELETE_SCOPE LOG PORTS_OPEN COMPOSE_PROJECT_NAME`;

    expect(await warnings(names.trim().replace(/\s+|$/g, '=1\n'))).to.deep.equal([]);
  });

  it('name no variable of the process, where other programs have theirs', async () => {
    expect(await warnings('', { SCOPE_DELTE: 'images:delete' })).to.deep.equal([]);
  });

  it('name values with quotes that Docker has kept', async () => {
    const env = { IDP_AUDIENCE: '"images"\n', SCOPE_READ: "'read'", WEB_TITLE: 'The "Best"', OTHER: '"x"' };

    const found = await warnings('IDP_DOMAIN="https://id.example.com/"\n', env);

    expect(found.map((text) => text.replace(/, which.*/, ''))).to.deep.equal([
      'IDP_AUDIENCE has quotes at both ends',
      'SCOPE_READ has quotes at both ends',
    ]);
  });

  for (const command of ['doctor', 'serve']) {
    it(`are shown by ${command}, also if another variable is missing`, async () => {
      await writeFile(join(folder.path, '.env'), 'IDP_DOMIAN=https://id.example.com/\nSCOPE_DELTE=x\n');

      const { code, stdout, stderr } = await runInThisProcess([command], { IDP_AUDIENCE: 'x' }, folder.path);

      expect(code).to.equal(command === 'doctor' ? 1 : 78);
      expect(stdout + stderr).to.match(/IDP_DOMAIN is required/);
      expect(stdout + stderr).to.match(/IDP_DOMIAN in \.env has no effect[^]*write IDP_DOMAIN/);
      expect(stdout + stderr).to.match(/SCOPE_DELTE in \.env has no effect[^]*write SCOPE_DELETE/);
    });

    it(`give way to one sentence of ${command} if .env cannot be read`, async () => {
      await writeFile(join(folder.path, '.env'), Buffer.from('PORT=1\n', 'utf16le'));

      const { code, stdout, stderr } = await runInThisProcess([command], {}, folder.path);

      expect(code).to.equal(command === 'doctor' ? 1 : 78);
      expect(stdout + stderr).to.match(/\.env is neither UTF-8 nor UTF-16 .*: save it as UTF-8/);
    });
  }
});

describe('The edit distance', () => {
  for (const [from, to, expected] of [
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'abd', 1],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ] as const) {
    it(`of "${from}" and "${to}" is ${expected}`, () => {
      expect(editDistance(from, to)).to.equal(expected);
      expect(editDistance(from, to, expected)).to.equal(expected);
      expect(editDistance(from, to, expected - 1)).to.equal(Number.POSITIVE_INFINITY);
    });
  }
});
