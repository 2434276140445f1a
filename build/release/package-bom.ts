import { type Bom, type Component, nameOf } from './bom.ts';
import { run } from './run.ts';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Defined by the taxonomy of CycloneDX for npm. */
const BUNDLED = { name: 'cdx:npm:package:bundled', value: 'true' };

/**
 * All packages of package-lock.json, for all platforms.
 *
 * The lock has no licenses in the old form (`licenses: [{ type }]`): these come from node_modules.
 *
 * @throws if node_modules lacks a package, or has one that does not fit
 */
export async function readLock(project: string): Promise<Bom> {
  const [locked, installed] = await Promise.all([sbom(project, ['--package-lock-only']), sbom(project, [])]);
  const licenses = new Map(
    installed.components.map((component) => [component['bom-ref'], component.licenses]),
  );
  const components = locked.components.map((component) => {
    const found = component.licenses ?? licenses.get(component['bom-ref']);
    return found === undefined ? component : { ...component, licenses: found };
  });
  return { ...locked, components };
}

async function sbom(project: string, options: readonly string[]): Promise<Bom> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--offline', ...options];
  return JSON.parse(await run(project, 'npm', args)) as Bom;
}

/**
 * The contents of a tarball, and all that npm installs with it.
 *
 * `npm sbom --omit=dev` is not used: bundled packages can be development dependencies, and npm leaves out packages that both kinds
 * of dependencies need (https://github.com/npm/cli/issues/7909).
 *
 * @param bundled `name@version` of packages whose code is in the tarball
 * @param time of the commit, so that each run makes the same bytes
 */
export function packageBom(lock: Bom, manifest: Manifest, bundled: readonly string[], time: Date): Bom {
  const root = `${manifest.name}@${manifest.version}`;
  const contents = new Set([...installedPackages(lock, manifest), ...bundled]);
  const unknown = bundled.filter((ref) => !lock.components.some((component) => component['bom-ref'] === ref));
  if (unknown.length > 0) throw new Error(`Not in package-lock.json: ${unknown.join(', ')}. Run npm ci`);
  const known = [lock.metadata.component, ...lock.components];
  const components = known.map((component) => describe(component, bundled));
  const component = components.find((component) => component['bom-ref'] === root);
  if (component === undefined) throw new Error(`Not in package-lock.json: ${root}`);
  return {
    ...withoutSerialNumber(lock),
    metadata: { ...metadataOf(lock, time), component },
    components: components.filter((component) => contents.has(component['bom-ref'])),
    dependencies: lock.dependencies
      .filter(({ ref }) => ref === root || contents.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => contents.has(other)) })),
  };
}

/** What npm installs with the tarball: its dependencies, and theirs. */
function installedPackages(lock: Bom, { name, version, ...manifest }: Manifest): ReadonlySet<string> {
  const dependencies = new Map(lock.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const direct = { ...manifest.dependencies, ...manifest.optionalDependencies };
  const found = new Set(
    (dependencies.get(`${name}@${version}`) ?? []).filter((ref) => Object.hasOwn(direct, nameOf(ref))),
  );
  // A set that grows while it is read.
  for (const ref of found) for (const next of dependencies.get(ref) ?? []) found.add(next);
  return found;
}

/** npm names a component after its folder. */
function describe(component: Component, bundled: readonly string[]): Component {
  const named = { ...component, name: nameOf(component['bom-ref']) };
  const isBundled = bundled.includes(component['bom-ref']);
  return isBundled ? { ...named, scope: 'required', properties: [BUNDLED] } : { ...named, properties: [] };
}

/** The same commit makes the same bytes only with the same versions of Node.js and npm. */
function metadataOf({ metadata }: Bom, time: Date): Bom['metadata'] {
  const node = { vendor: 'OpenJS Foundation', name: 'node', version: process.versions.node };
  return {
    ...metadata,
    timestamp: time.toISOString(),
    lifecycles: [{ phase: 'build' }],
    tools: [...metadata.tools, node],
  };
}

/** npm makes a random one. */
function withoutSerialNumber(bom: Bom & { readonly serialNumber?: string }): Bom {
  const { serialNumber: _random, ...rest } = bom;
  return rest;
}
