import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { packageFolders, readPackage } from './bundled-packages.ts';

/**
 * The licenses of the packages that the files belong to, and of those that a package has bundled into one of the files.
 *
 * @param files paths relative to the project
 */
export async function thirdPartyLicenses(project: string, files: readonly string[]): Promise<string> {
  const folders = packageFolders(files).filter((folder) => folder.includes('node_modules/'));
  const notices = await Promise.all([
    ...folders.map((folder) => noticeOf(join(project, folder))),
    ...files
      .map((file) => join(project, `${file}.LICENSE.txt`))
      .filter(existsSync)
      .map(noticeOfBundle),
  ]);
  return [...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** As webpack's terser plugin writes them. */
async function noticeOfBundle(path: string): Promise<string> {
  return `Packages in ${basename(path, '.LICENSE.txt')}\n\n${await readFile(path, 'utf8')}`;
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = await readPackage(folder);
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
