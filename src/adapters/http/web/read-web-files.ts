import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { type WebFile, webFile } from '../response/web-file.ts';

/** By path of the URL. */
export type WebFiles = ReadonlyMap<string, WebFile>;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/**
 * Reads the built pages with their compressed variants, which are beside them as `.br` and `.gz`. All of them come from one build,
 * also while another one replaces the folder.
 *
 * @throws {Error} if the folder does not have the pages
 */
export async function readWebFiles(folder: string): Promise<WebFiles> {
  const names = new Set(await namesBelow(folder));
  if (!names.has('index.html')) throw new Error(`${folder} has no index.html: run "npm run build"`);
  const plain = [...names].filter((name) => Object.hasOwn(MEDIA_TYPES, extname(name)));
  const entries = plain.map(
    async (name) => [urlPathOf(name), await readWebFile(folder, name, names)] as const,
  );
  return new Map(await Promise.all(entries));
}

async function namesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'));
}

/** A folder stands for its `index.html`. */
function urlPathOf(name: string): string {
  return `/${name}`.replace(/\/index\.html$/, '/');
}

async function readWebFile(folder: string, name: string, names: ReadonlySet<string>): Promise<WebFile> {
  const read = async (path: string): Promise<Buffer | undefined> =>
    names.has(path) ? await readFile(join(folder, path)) : undefined;
  const [bytes, br, gzip] = await Promise.all([
    readFile(join(folder, name)),
    read(`${name}.br`),
    read(`${name}.gz`),
  ]);
  const compressed = { ...(br !== undefined && { br }), ...(gzip !== undefined && { gzip }) };
  return webFile(MEDIA_TYPES[extname(name)] ?? 'application/octet-stream', bytes, compressed);
}
