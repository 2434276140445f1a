import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { packageFolders, readPackage } from './bundled-packages.ts';

/** How rolldown names a file that it has bundled from a folder of pnpm. */
const BUNDLED_FILE = /^\/\/#region .*\/\.pnpm\/[^/]+?@(\d[^/_]*)[^/]*\/node_modules\/((?:@[^/]+\/)?[^/]+)/gm;

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
    ...(await bundledByPackages(project, files)).map(({ folder, version }) => noticeOf(folder, version)),
  ]);
  return [...new Set(notices)].join(`\n${'-'.repeat(80)}\n\n`);
}

/** As webpack's terser plugin writes them. */
async function noticeOfBundle(path: string): Promise<string> {
  return `Packages in ${basename(path, '.LICENSE.txt')}\n\n${await readFile(path, 'utf8')}`;
}

/** The packages that rolldown has bundled into the files. Their licenses are those of the installed packages of the same name. */
async function bundledByPackages(
  project: string,
  files: readonly string[],
): Promise<ReadonlyArray<{ readonly folder: string; readonly version: string }>> {
  const installed = files.filter((file) => /node_modules\/.*[.]m?js$/.test(file));
  const texts = await Promise.all(installed.map((file) => readFile(join(project, file), 'utf8')));
  const found = texts.flatMap((text) => [...text.matchAll(BUNDLED_FILE)]);
  return [...new Map(found.map(([, version = '', name = '']) => [name, version]))].map(([name, version]) => ({
    folder: join(project, 'node_modules', name),
    version,
  }));
}

async function noticeOf(folder: string, bundledVersion?: string): Promise<string> {
  const { name, version: installedVersion, license } = await readPackage(folder);
  const version = bundledVersion ?? installedVersion;
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
