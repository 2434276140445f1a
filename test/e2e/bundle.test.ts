import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { PROJECT_FOLDER, startService } from '../support/servers/service-process.ts';
import { respond, SigningKeyServer } from '../support/servers/signing-key-server.ts';

const DIST = join(PROJECT_FOLDER, 'dist');

/** The packages that are loaded with a chunk: those in it and in the chunks that it imports, except dynamically. */
function packagesOf(chunk: string): ReadonlySet<string> {
  const chunks = [...chunksOf(chunk)];
  const imported = chunks.flatMap(importsOf).filter((name) => !name.startsWith('./'));
  const contained = chunks.flatMap(sourcesOf).map((source) => packageOf(source) ?? 'own');
  return new Set([...imported, ...contained]);
}

/** A chunk, and those that are loaded with it. */
function chunksOf(chunk: string): ReadonlySet<string> {
  const chunks = new Set([chunk]);
  for (const name of chunks) {
    for (const imported of importsOf(name)) if (imported.startsWith('./')) chunks.add(imported);
  }
  return chunks;
}

function importsOf(chunk: string): readonly string[] {
  const code = readFileSync(join(DIST, chunk), 'utf8');
  const imports = code.matchAll(/\b(?:from\s*|import\s*|require\()"([\w@./:-]+)"/g);
  return [...imports].map(([, imported = '']) => imported);
}

function sourcesOf(chunk: string): readonly string[] {
  const map = readFileSync(join(DIST, `${chunk}.map`), 'utf8');
  return (JSON.parse(map) as { readonly sources: readonly string[] }).sources;
}

function packageOf(source: string): string | undefined {
  return /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
}

function packagesOfCommand(name: string): ReadonlySet<string> {
  return packagesOf(chunkOf(name));
}

function chunkOf(command: string): string {
  return readdirSync(DIST).find((file) => file.startsWith(`${command}-`) && file.endsWith('.js')) ?? 'none';
}

function stackOf(line: string): string | undefined {
  return (JSON.parse(line) as { readonly err?: { readonly stack: string } }).err?.stack;
}

describe('The bundle', () => {
  it('loads no package for the usage but Zod, which checks the options', () => {
    expect([...packagesOf('main.js')]).to.have.members(['own', 'zod']);
  });

  for (const name of ['migrate', 'verify', 'sweep', 'backup', 'transfer']) {
    it(`loads the database but neither its driver nor the web framework for the command ${name}`, () => {
      expect(packagesOfCommand(name)).to.include('knex').and.not.include('sqlite3').and.not.include('koa');
    });
  }

  it('loads the web framework but no progress bar and no image library for the service', () => {
    const packages = packagesOfCommand('serve');
    expect(packages).to.include('koa');
    expect(packages).to.not.include('cli-progress').and.not.include('sharp');
  });

  it('loads no validator of JSON schemas, no languages of zod and one list of media types for the service', () => {
    const sources = [...chunksOf(chunkOf('serve'))].flatMap(sourcesOf);
    const unused = /node_modules\/(?:ajv|zod\/v4\/locales\/(?!en\.))/;
    expect(sources.filter((source) => unused.test(source))).to.deep.equal([]);
    expect(sources.filter((source) => source.endsWith('/mime-db/db.json'))).to.have.length(1);
  });

  it('loads the image library, a parser of XML and no other package for a decoder', () => {
    const packages = [...packagesOf('decoder.cjs')].filter((name) => !name.startsWith('node:'));
    expect(packages.toSorted()).to.deep.equal(['own', 'saxes', 'sharp', 'xmlchars']);
  });

  it('loads no AWS SDK before it is used', () => {
    expect([...packagesOfCommand('serve')].filter((name) => name.startsWith('@aws-sdk'))).to.deep.equal([]);
  });

  it('has stack traces that name files and lines of the sources', async () => {
    const provider = await SigningKeyServer.start(respond(500, ''));
    const folder = await temporaryFolder();
    const env = { IDP_DOMAIN: provider.domain, IDP_AUDIENCE: 'images' };
    const service = await startService({ folder: folder.path, env });

    const stack = await service.process.line(stackOf);
    await service.process.stop();
    await provider.stop();
    await folder.remove();

    expect(stack).to.match(/fetchJwks \(\S+\/src\/adapters\/http\/auth\/fetch-jwks\.ts:\d+:\d+\)/);
  });

  it('responds with objects, bytes and streams without loading undici', async () => {
    const folder = await ServiceFolder.open();
    const report = "process.on('exit', () => console.log(process.moduleLoadList.join()))";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(report)}`;
    const service = await folder.start({ NODE_OPTIONS });
    const client = folder.client(service);

    const statuses = [];
    for (const path of ['api/image/1', 'api/images', 'api/images?limit=1']) {
      statuses.push((await client.read(path)).status);
    }
    await service.process.stop();
    await folder.close();

    expect(statuses).to.deep.equal([404, 200, 200]);
    expect(service.process.stdout).to.include('NativeModule http').and.not.include('undici');
  });

  it('keeps the names of the classes, which are in logs', async () => {
    const own = new Set((await codeIn('src', '.ts')).flatMap((code) => namesIn(code, /\bclass (\w+)/g)));
    const bundled = (await codeIn('dist', '.js')).flatMap((code) =>
      namesIn(code, /(?:\bclass (\w+)|\b(\w+)=class\b)/g),
    );

    // esbuild tells equal names of a file apart by a number.
    const renamed = bundled.filter((name) => !own.has(name) && own.has(name.replace(/\d+$/, '')));
    expect(bundled).to.include('DomainError');
    expect(renamed).to.deep.equal([]);
  });

  it('comes with the licenses of its packages', async () => {
    const licenses = await readFile(join(DIST, 'THIRD-PARTY-LICENSES.txt'), 'utf8');

    expect(licenses).to.match(/^koa [\d.]+ \(MIT\)\n\n\(The MIT License\)/m);
    expect(licenses).to.match(/^reflect-metadata [\d.]+ \(Apache-2\.0\)/m);
    expect(licenses).to.not.match(/^(?:mocha|undefined) /m);
  });
});

async function codeIn(folder: string, ending: string): Promise<readonly string[]> {
  const names = await readdir(join(PROJECT_FOLDER, folder), { recursive: true });
  const files = names.filter((name) => name.endsWith(ending) && !name.startsWith('web'));
  return await Promise.all(files.map((name) => readFile(join(PROJECT_FOLDER, folder, name), 'utf8')));
}

function namesIn(code: string, pattern: RegExp): readonly string[] {
  return [...code.matchAll(pattern)].flatMap(([, declared, assigned]) => declared ?? assigned ?? []);
}
