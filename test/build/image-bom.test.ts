import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Bom } from '../../build/release/bom.ts';
import { imageBom } from '../../build/release/image-bom.ts';
import { cyclonedxSchema } from '../support/fixtures/cyclonedx-schema.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';

const BUNDLED = [{ name: 'cdx:npm:package:bundled', value: 'true' }];

/** The lock has `sharp` for two platforms; `react` is bundled. */
const SERVICE: Bom & Readonly<Record<string, unknown>> = {
  $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    timestamp: '2026-01-02T03:04:05.000Z',
    lifecycles: [{ phase: 'build' }],
    tools: [],
    component: { 'bom-ref': 'service@1.0.0', type: 'application', name: 'service', version: '1.0.0' },
  },
  components: [
    { ...library('@img/sharp-libvips-linux-x64'), licenses: [{ license: { id: 'LGPL-3.0-or-later' } }] },
    library('@img/sharp-libvips-darwin-x64'),
    { ...library('react'), properties: BUNDLED },
  ],
  dependencies: [{ ref: 'service@1.0.0', dependsOn: ['react@1.0.0'] }],
};

const FILES = {
  'etc/os-release': 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n',
  'usr/local/include/node/node_version.h':
    '#define NODE_MAJOR_VERSION 22\n#define NODE_MINOR_VERSION 1\n#define NODE_PATCH_VERSION 3\n',
  'usr/local/lib/node_modules/npm/package.json':
    '{ "name": "npm", "version": "11.0.0", "license": "Artistic-2.0" }',
  'usr/local/lib/node_modules/npm/node_modules/@npmcli/fs/package.json':
    '{ "name": "@npmcli/fs", "version": "4.0.0", "license": "ISC" }',
  'app/package.json': '{ "name": "service", "version": "1.0.0" }',
  'app/node_modules/@img/sharp-libvips-linux-x64/package.json':
    '{ "name": "@img/sharp-libvips-linux-x64", "version": "1.0.0" }',
  'app/node_modules/@img/sharp-libvips-linux-x64/versions.json': '{ "webp": "1.6.0" }',
  'var/lib/dpkg/status': [
    'Package: libgcc-s1\nStatus: install ok installed\nArchitecture: amd64\nSource: gcc-12 (12.2.0-14)\nVersion: 1:12.2.0+14\nDescription: library\n Source: no field',
    'Package: gone\nStatus: deinstall ok config-files\nArchitecture: all\nVersion: 1',
  ].join('\n\n'),
};

function library(name: string): Bom['components'][number] {
  return { 'bom-ref': `${name}@1.0.0`, type: 'library', name, version: '1.0.0' };
}

describe('The contents of a container image', () => {
  let root: TemporaryFolder;
  let bom: Bom;

  before(async () => {
    root = await temporaryFolder();
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(root.path, path)), { recursive: true });
      await writeFile(join(root.path, path), text);
    }
    bom = await imageBom(root.path, SERVICE);
  });

  after(async () => {
    await root?.remove();
  });

  it('are its system, Node.js, its packages of npm, the bundled packages, and installed packages of Debian', () => {
    expect(bom.components.map((component) => component['bom-ref'])).to.deep.equal([
      'os:debian@12',
      'pkg:generic/node@22.1.3',
      '@img/sharp-libvips-linux-x64@1.0.0',
      'npm@11.0.0',
      '@npmcli/fs@4.0.0',
      'react@1.0.0',
      'pkg:deb/debian/libgcc-s1@1%3A12.2.0%2B14?arch=amd64&distro=debian-12&upstream=gcc-12',
    ]);
  });

  it('have the licenses of the lock, and the libraries that are compiled into libvips', () => {
    expect(bom.components.find(({ name }) => name === '@img/sharp-libvips-linux-x64')).to.deep.include({
      licenses: [{ license: { id: 'LGPL-3.0-or-later' } }],
      components: [
        {
          'bom-ref': '@img/sharp-libvips-linux-x64@1.0.0#webp',
          type: 'library',
          name: 'webp',
          version: '1.6.0',
          purl: 'pkg:generic/webp@1.6.0',
        },
      ],
    });
  });

  it('are a document of CycloneDX 1.5', async () => {
    const errorsOf = await cyclonedxSchema();

    expect(errorsOf(bom)).to.deep.equal([]);
    expect(errorsOf({ ...bom, components: [{ type: 'library' }] })).to.have.length.above(0);
  });
});
