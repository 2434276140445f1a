import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Those of the project itself are its workspaces. */
const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+|^(?:client|web)(?=\/)/;

/** The folders of the packages that the files belong to, sorted. */
export function packageFolders(files: readonly string[]): readonly string[] {
  const folders = files.map((file) => PACKAGE_FOLDER.exec(file)?.[0]);
  return [...new Set(folders)].filter((folder) => folder !== undefined).toSorted();
}

/** Returns `name@version` of each package that the files belong to, sorted. */
export async function bundledPackages(project: string, files: readonly string[]): Promise<readonly string[]> {
  const packages = await Promise.all(
    packageFolders(files).map((folder) => readPackage(join(project, folder))),
  );
  return [...new Set(packages.map(({ name, version }) => `${name}@${version}`))].toSorted();
}

export async function readPackage(folder: string): Promise<Package> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Package;
}
