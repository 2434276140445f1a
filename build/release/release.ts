import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bom } from './bom.ts';
import { imageBom } from './image-bom.ts';
import { refusedLicenses } from './licenses.ts';
import { type Manifest, packageBom, readLock } from './package-bom.ts';
import type { Repository } from './repository.ts';
import { run } from './run.ts';

const BUNDLED = 'dist/bundled-packages.json';
/** Of the packages. */
const FOLDERS = ['', 'client', 'mcp'];

export interface ReleaseOptions {
  /** Folder with the files of a container image of the same commit. */
  readonly image: string | undefined;
  /** Becomes the `repository` of the packages, which provenance requires. */
  readonly repository: Repository | undefined;
}

/** Makes tarballs, their lists of contents and `SHA256SUMS` of the current commit, in a folder that is empty or missing. */
export async function release(
  project: string,
  out: string,
  { image, repository }: ReleaseOptions,
): Promise<void> {
  await requireCommit(project);
  await requireEmpty(out);
  await build(project);
  const packages = await packageBoms(project);
  const images = image === undefined ? [] : [await imageBomOf(project, image, packages[0])];
  await pack(project, out, repository);
  for (const bom of [...packages, ...images]) await writeBom(out, bom);
  await writeSums(out);
}

/** The contents of the tarballs. Needs the build. */
export async function packageBoms(project: string): Promise<readonly [service: Bom, client: Bom, mcp: Bom]> {
  const lock = await readLock(project);
  const seconds = await run(project, 'git', ['log', '-1', '--format=%ct']);
  const time = new Date(Number(seconds) * 1000);
  const bomOf = async (folder: string, bundled: readonly string[]): Promise<Bom> =>
    packageBom(lock, await readJson<Manifest>(join(project, folder, 'package.json')), bundled, time);
  const boms = await Promise.all([
    bomOf('', await readJson(join(project, BUNDLED))),
    bomOf('client', []),
    bomOf('mcp', await readJson(join(project, 'mcp', BUNDLED))),
  ]);
  const refused = boms.flatMap(({ components }) => refusedLicenses(components));
  if (refused.length > 0) throw new Error(`Licenses that are not allowed:\n${refused.join('\n')}`);
  return boms;
}

async function requireCommit(project: string): Promise<void> {
  const changes = await run(project, 'git', ['status', '--porcelain']);
  if (changes !== '') throw new Error(`A release is made of a commit. Commit or remove:\n${changes}`);
}

async function requireEmpty(out: string): Promise<void> {
  await mkdir(out, { recursive: true });
  if ((await readdir(out)).length > 0) throw new Error(`${out} is not empty`);
}

/** The compiler would leave files of earlier builds in the client's folder. */
async function build(project: string): Promise<void> {
  await rm(join(project, 'client/dist'), { recursive: true, force: true });
  await run(project, 'npm', ['run', 'build']);
}

/** From a copy of the commit, without ignored files. Tarballs have the modes of files, which depend on the umask of the clone. */
async function pack(project: string, out: string, repository: Repository | undefined): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'image-catalog-release-'));
  try {
    await run(project, 'git', ['checkout-index', '--all', `--prefix=${copy}/`]);
    for (const folder of FOLDERS) {
      await cp(join(project, folder, 'dist'), join(copy, folder, 'dist'), { recursive: true });
      if (repository !== undefined) await setRepository(join(copy, folder), repository, folder);
    }
    await run(copy, 'chmod', ['-R', 'u=rwX,go=rX', '.']);
    for (const folder of FOLDERS) {
      await run(join(copy, folder), 'npm', ['pack', '--ignore-scripts', '--pack-destination', out]);
    }
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** `directory` tells readers of the registry where the package is in the repository. */
async function setRepository(folder: string, repository: Repository, directory: string): Promise<void> {
  const path = join(folder, 'package.json');
  const manifest = await readJson<Readonly<Record<string, unknown>>>(path);
  const field = directory === '' ? repository : { ...repository, directory };
  await writeFile(path, `${JSON.stringify({ ...manifest, repository: field }, null, 2)}\n`);
}

/** esbuild makes the same bundle of the same sources, whatever the version of Node.js. */
async function imageBomOf(project: string, image: string, service: Bom): Promise<Bom> {
  for (const file of ['dist/main.js', BUNDLED]) {
    const [ours, theirs] = await Promise.all([
      readFile(join(project, file)),
      readFile(join(image, 'app', file)),
    ]);
    if (!ours.equals(theirs)) throw new Error(`The image is of another commit: ${file} differs`);
  }
  return await imageBom(image, service);
}

async function writeBom(out: string, bom: Bom): Promise<void> {
  const { name, version, type } = bom.metadata.component;
  const base = `${name.replace(/^@/, '').replace('/', '-')}-${version}`;
  const file = type === 'container' ? `${base}.image.cdx.json` : `${base}.cdx.json`;
  await writeFile(join(out, file), `${JSON.stringify(bom, null, 2)}\n`);
}

/** As `sha256sum` writes them. */
async function writeSums(out: string): Promise<void> {
  const lines = (await readdir(out)).toSorted().map(async (file) => {
    const digest = createHash('sha256').update(await readFile(join(out, file)));
    return `${digest.digest('hex')}  ${file}\n`;
  });
  await writeFile(join(out, 'SHA256SUMS'), (await Promise.all(lines)).join(''));
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
