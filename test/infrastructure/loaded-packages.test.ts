import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Loading is most of the time of a start. */
const PRINT_PACKAGES = `
  import { createRequire } from 'node:module';
  process.once('exit', () => {
    const paths = Object.keys(createRequire(import.meta.url).cache);
    const names = paths.map((path) => /^.*node_modules.((?:@[^/]+.)?[^/]+)/.exec(path)?.[1]);
    console.log(JSON.stringify([...new Set(names.filter((name) => name !== undefined))]));
  });
`;

const OPEN_BLOBS = `
  const load = (name) => import(new URL('src/infrastructure/' + name + '.ts', process.argv[1]).href);
  const { createStorageContainer } = await load('storage-container');
  const { parseStorageConfig } = await load('config');
  const { TOKENS } = await load('tokens');
  const config = parseStorageConfig({ BLOB_STORE_URL: process.argv[2] });
  await createStorageContainer(config, console).get(TOKENS.blobs).ping().catch(() => {});
`;

/** Those in CommonJS except for the compiler, after a program on the sources has ended. */
function packagesLoadedBy(program: string, ...args: readonly string[]): readonly string[] {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      '--import',
      TSX,
      '--input-type=module',
      '--eval',
      PRINT_PACKAGES + program,
      pathToFileURL(PROJECT_FOLDER).href,
      ...args,
    ],
    { encoding: 'utf8' },
  );
  expect(status).to.equal(0);
  const names = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as string[];
  return names.filter((name) => !['tsx', 'esbuild'].includes(name));
}

function packagesOf(file: string, ...args: readonly string[]): readonly string[] {
  return packagesLoadedBy(
    `await import(new URL('src/infrastructure/${file}', process.argv[1]).href);`,
    ...args,
  );
}

describe('The packages that are loaded', function () {
  this.timeout(60_000);

  it('are none for the usage', () => {
    expect(packagesOf('main.ts', '--help')).to.deep.equal([]);
  });

  for (const name of ['verify', 'transfer', 'migrate']) {
    it(`include the database but not the web framework for the command ${name}`, () => {
      const loaded = packagesOf(`commands/${name}.ts`);

      expect(loaded).to.include('knex').and.not.include.members(['koa']);
      expect(loaded).to.not.include('multer');
    });
  }

  it('include the web framework but no progress bars for the service', () => {
    const loaded = packagesOf('commands/serve.ts');

    expect(loaded).to.include('koa-compose').and.not.include('cli-progress');
  });

  it('include no AWS SDK for blobs in a folder', () => {
    expect(packagesLoadedBy(OPEN_BLOBS, 'file:/')).to.not.include('@aws-sdk/client-s3');
  });

  it('include the AWS SDK for blobs in a bucket', () => {
    const url = 's3://no-such-bucket?region=us-east-1&endpoint=http://127.0.0.1:1';

    expect(packagesLoadedBy(OPEN_BLOBS, url)).to.include('@aws-sdk/client-s3');
  });
});
