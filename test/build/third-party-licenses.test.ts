import { expect } from 'chai';
import { thirdPartyLicenses } from '../../build/third-party-licenses.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { writeFiles } from '../support/fixtures/tiny-pictures.ts';

const manifest = (name: string, version: string): string => JSON.stringify({ name, version, license: 'MIT' });

describe('The licenses of the packages in a bundle', () => {
  let project: TemporaryFolder;

  beforeEach(async () => {
    project = await temporaryFolder();
  });

  afterEach(() => project.remove());

  it('include those of packages that a package has bundled into its files', async () => {
    await writeFiles(project.path, {
      'node_modules/library/package.json': manifest('library', '2.0.0'),
      'node_modules/library/LICENSE': 'Terms of the library',
      'node_modules/library/dist/main.mjs': [
        '//#region ../node_modules/.pnpm/inner@1.2.3/node_modules/inner/a.js',
        '//#region ../node_modules/.pnpm/@scope+inner@4.5.6_inner@1.2.3/node_modules/@scope/inner/b.js',
        '//#region src/own.ts',
      ].join('\n'),
      'node_modules/inner/package.json': manifest('inner', '1.9.9'),
      'node_modules/inner/LICENSE': 'Terms of the inner package',
      'node_modules/@scope/inner/package.json': manifest('@scope/inner', '4.9.9'),
      'node_modules/@scope/inner/LICENSE': 'Terms of the other inner package',
    });

    const licenses = await thirdPartyLicenses(project.path, ['node_modules/library/dist/main.mjs']);

    expect(licenses.match(/^\S+ [\d.]+ \(MIT\)$/gm)).to.deep.equal([
      'library 2.0.0 (MIT)',
      'inner 1.2.3 (MIT)',
      '@scope/inner 4.5.6 (MIT)',
    ]);
    expect(licenses.match(/^Terms .+$/gm)).to.have.lengthOf(3);
  });
});
