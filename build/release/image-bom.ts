import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readPackage } from '../bundled-packages.ts';
import type { Bom, Component } from './bom.ts';

/** The service's folder and npm's own. */
const NPM_FOLDERS = ['app', 'usr/local/lib'];
const PACKAGE_FILE = /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/;
const LIBVIPS = /^@img\/sharp-libvips-/;

/**
 * The contents of a container image: Node.js, packages of npm and Debian, and the libraries in libvips.
 *
 * @param root folder with the files of the image
 * @param service its bundled packages are in the image as well
 */
export async function imageBom(root: string, service: Bom): Promise<Bom> {
  const { name, version } = service.metadata.component;
  const distribution = fields(await readFile(join(root, 'etc/os-release'), 'utf8'), '=');
  const installed = await npmPackages(root, service);
  const bundled = service.components.filter(
    ({ properties = [], ...component }) =>
      properties.length > 0 && !installed.some((other) => other['bom-ref'] === component['bom-ref']),
  );
  const components = [
    operatingSystem(distribution),
    await nodeBinary(root),
    ...installed,
    ...bundled,
    ...(await debianPackages(root, distribution)),
  ];
  const component = { 'bom-ref': `${name}@${version}`, type: 'container', name, version };
  return { ...service, metadata: { ...service.metadata, component }, components, dependencies: [] };
}

/** `NAME=value` or `Name: value` lines. */
function fields(text: string, separator: '=' | ':'): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter((line) => /^\w/.test(line));
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(separator);
      return [
        line.slice(0, at),
        line
          .slice(at + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ];
    }),
  );
}

function operatingSystem(distribution: ReadonlyMap<string, string>): Component {
  const [name, version] = [distribution.get('ID') ?? 'linux', distribution.get('VERSION_ID') ?? ''];
  return { 'bom-ref': `os:${name}@${version}`, type: 'operating-system', name, version };
}

async function nodeBinary(root: string): Promise<Component> {
  const header = await readFile(join(root, 'usr/local/include/node/node_version.h'), 'utf8');
  const version = ['MAJOR', 'MINOR', 'PATCH']
    .map((part) => new RegExp(`define NODE_${part}_VERSION (\\d+)`).exec(header)?.[1])
    .join('.');
  const purl = `pkg:generic/node@${version}`;
  return { 'bom-ref': purl, type: 'platform', name: 'node', version, purl };
}

/** As the lock describes them. Packages that are not in the lock are those of the base image. */
async function npmPackages(root: string, service: Bom): Promise<readonly Component[]> {
  const known = new Map(service.components.map((component) => [component['bom-ref'], component]));
  const found = new Map<string, Component>();
  for (const folder of await packageFoldersOf(root)) {
    const { name, version, license = 'unknown' } = await readPackage(folder);
    const ref = `${name}@${version}`;
    const component = known.get(ref) ?? {
      'bom-ref': ref,
      type: 'library',
      name,
      version,
      purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      licenses: [{ license: { name: license } }],
    };
    found.set(ref, LIBVIPS.test(name) ? await withLibraries(component, folder) : component);
  }
  return [...found.values()];
}

async function packageFoldersOf(root: string): Promise<readonly string[]> {
  const files = await Promise.all(
    NPM_FOLDERS.map(async (folder) => {
      const paths = await readdir(join(root, folder), { recursive: true });
      return paths.filter((path) => PACKAGE_FILE.test(path)).map((path) => join(root, folder, path));
    }),
  );
  return files.flat().map(dirname).toSorted();
}

/** They are compiled into libvips. */
async function withLibraries(component: Component, folder: string): Promise<Component> {
  const text = await readFile(join(folder, 'versions.json'), 'utf8');
  const libraries = Object.entries(JSON.parse(text) as Readonly<Record<string, string>>);
  const components = libraries.map(([name, version]) => {
    const purl = `pkg:generic/${name}@${version}`;
    return { 'bom-ref': `${component['bom-ref']}#${name}`, type: 'library', name, version, purl };
  });
  return { ...component, components };
}

async function debianPackages(
  root: string,
  distribution: ReadonlyMap<string, string>,
): Promise<readonly Component[]> {
  const status = await readFile(join(root, 'var/lib/dpkg/status'), 'utf8');
  const packages = status.split('\n\n').map((paragraph) => fields(paragraph, ':'));
  return packages
    .filter((paragraph) => paragraph.get('Status')?.endsWith(' installed'))
    .map((paragraph) => debianPackage(paragraph, distribution));
}

/** Scanners compare `upstream`, the source package, with the advisories of Debian. */
function debianPackage(
  paragraph: ReadonlyMap<string, string>,
  distribution: ReadonlyMap<string, string>,
): Component {
  const field = (key: string): string => paragraph.get(key) ?? '';
  const [name, version] = [field('Package'), field('Version')];
  const [id, number] = [distribution.get('ID') ?? '', distribution.get('VERSION_ID') ?? ''];
  const [upstream = name] = (paragraph.get('Source') ?? name).split(' ');
  const qualifiers = [`arch=${field('Architecture')}`, `distro=${id}-${number}`, `upstream=${upstream}`];
  const purl = `pkg:deb/${id}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers.join('&')}`;
  return { 'bom-ref': purl, type: 'library', name, version, purl };
}
