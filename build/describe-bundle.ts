import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';
import { thirdPartyLicenses } from './third-party-licenses.ts';

/**
 * Writes the licenses of the packages that a bundle is made of, and their list for the contents of a release or an image.
 *
 * @param folder of the bundle, relative to the project
 * @param files of which it is made, relative to the project
 */
export async function describeBundle(
  project: string,
  folder: string,
  files: readonly string[],
): Promise<void> {
  await writeFile(
    join(project, folder, 'THIRD-PARTY-LICENSES.txt'),
    await thirdPartyLicenses(project, files),
  );
  const packages = await bundledPackages(project, files);
  await writeFile(join(project, folder, 'bundled-packages.json'), `${JSON.stringify(packages, null, 2)}\n`);
}
