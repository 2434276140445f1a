import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { publint } from 'publint';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

interface Publication {
  readonly version: string;
  readonly files: ReadonlyArray<{ readonly path: string }>;
}

interface Manifest {
  readonly version: string;
  readonly private?: boolean;
}

/** Each must be there, and nothing else. Names of chunks change with their content. */
const SERVICE = [
  /^(?:CHANGELOG|README|SECURITY)\.md$/,
  /^LICENSE$/,
  /^package\.json$/,
  /^\.env\.example$/,
  /^bin\/(?:image-catalog|mapped-stack|require-node)\.cjs$/,
  /^demo\/cat-chelsea\.png$/,
  /^client\/README\.md$/,
  /^deploy\/image-catalog@?\.service$/,
  /^deploy\/[\w./-]+\.(?:conf|json|toml|vcl|ya?ml|env\.example|LICENSE)$/,
  /^docs\/[A-Za-z-]+\.md$/,
  /^docs\/openapi\.json$/,
  /^docs\/examples\/[\w./-]+\.(?:cs|css|go|html|java|js|json|jsx|md|mjs|php|py|vue)$/,
  /^docs\/adr\/\d{4}-[\w-]+\.md$/,
  /^docs\/images\/[\w-]+\.(?:svg|webp)$/,
  /^dist\/(?:main|demo)\.js(?:\.map)?$/,
  /^dist\/decoder\.cjs(?:\.map)?$/,
  /^dist\/[a-z-]+-[A-Z0-9]{8}\.js(?:\.map)?$/,
  /^dist\/(?:THIRD-PARTY-LICENSES\.txt|bundled-packages\.json)$/,
  /^dist\/web\/[\w./-]+\.(?:css|html|js|json|svg|txt|webmanifest)(?:\.br|\.gz)?$/,
  /^dist\/web\/icons\/[\w-]+\.png$/,
];

const MCP = [
  /^LICENSE$/,
  /^README\.md$/,
  /^package\.json$/,
  /^dist\/(?:main\.js|THIRD-PARTY-LICENSES\.txt|bundled-packages\.json)$/,
];

const CLIENT = [/^LICENSE$/, /^README\.md$/, /^package\.json$/, /^dist\/[a-z0-9/-]+\.(?:d\.ts|js)$/];

/** As `npm publish` would. A version before 1.0.0 needs a tag, so that nobody gets it without asking for it. */
async function publication(folder: string): Promise<Publication> {
  const args = ['publish', '--dry-run', '--ignore-scripts', '--tag=next', '--json'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder });
  const [first] = Object.values(JSON.parse(stdout) as Readonly<Record<string, Publication>>);
  if (first === undefined) throw new TypeError('npm publishes nothing');
  return first;
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}

for (const [name, folder, contents] of [
  ['service', PROJECT_FOLDER, SERVICE],
  ['client', join(PROJECT_FOLDER, 'client'), CLIENT],
  ['server for assistants', join(PROJECT_FOLDER, 'mcp'), MCP],
] as const) {
  describe(`The package of the ${name}`, function () {
    this.timeout(LONG_TEST_MS);

    it('contains what runs and its documentation, and nothing else', async () => {
      const { files } = await publication(folder);
      const paths = files.map(({ path }) => path);

      expect(paths.filter((path) => !contents.some((known) => known.test(path)))).to.deep.equal([]);
      expect(contents.filter((known) => !paths.some((path) => known.test(path)))).to.deep.equal([]);
    });

    it('can be published, with the version of the changelog and of the API', async () => {
      const { version, private: isPrivate } = await manifestOf(folder);
      const changelog = await readFile(join(PROJECT_FOLDER, 'CHANGELOG.md'), 'utf8');
      const api = JSON.parse(await readFile(join(PROJECT_FOLDER, 'docs/openapi.json'), 'utf8')) as {
        readonly info: { readonly version: string };
      };

      expect(isPrivate).to.equal(undefined);
      expect((await publication(folder)).version).to.equal(version);
      expect([/^## \[([^\]]+)\]/m.exec(changelog)?.[1], api.info.version]).to.deep.equal([version, version]);
    });

    it('has nothing that publint finds wrong', async () => {
      const { messages } = await publint({ pkgDir: folder, level: 'suggestion', strict: true, pack: 'npm' });

      expect(messages).to.deep.equal([]);
    });
  });
}

describe('The documentation', () => {
  it('names tarballs of this version', async () => {
    const { version } = await manifestOf(PROJECT_FOLDER);
    const names = [
      'README.md',
      'CONTRIBUTING.md',
      'docs/operations.md',
      'docs/assistants.md',
      'mcp/README.md',
    ];
    const pages = names.map((page) => join(PROJECT_FOLDER, page));
    const text = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).join('\n');
    const versions = [...text.matchAll(/image-catalog-[a-z]+-(\d[^\s/]*?)\.(?:tgz|cdx|image)/g)].map(
      ([, found]) => found,
    );

    expect(new Set(versions)).to.deep.equal(new Set([version]));
  });
});
