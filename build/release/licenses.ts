import { type Component, nameOf } from './bom.ts';

/** As the packages write them: an expression is allowed by being listed. */
const PERMISSIVE: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  '(BSD-2-Clause OR MIT OR Apache-2.0)',
  '(MIT OR CC0-1.0)',
  '(MIT OR WTFPL)',
]);

/**
 * libvips: LGPL-3.0-or-later. npm installs these packages beside the service, which loads the library dynamically. No tarball
 * contains them.
 */
const LIBVIPS = /^@img\/sharp-(?:libvips|wasm32|win32)(?:-|$)/;
const LICENSES_OF_LIBVIPS: ReadonlySet<string> = new Set([
  'LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
]);

export function licenseOf({ licenses = [] }: Component): string {
  const names = licenses.map((entry) => {
    if ('expression' in entry) return entry.expression;
    return 'id' in entry.license ? entry.license.id : entry.license.name;
  });
  return names.join(' AND ') || 'unknown';
}

/** Returns a line for each component whose license is unknown or not permissive. */
export function refusedLicenses(components: readonly Component[]): readonly string[] {
  const refused = components.filter((component) => !isAllowed(component));
  return refused.map((component) => `${component['bom-ref']}: ${licenseOf(component)}`);
}

function isAllowed(component: Component): boolean {
  const license = licenseOf(component);
  const isLibvips = LIBVIPS.test(nameOf(component['bom-ref']));
  return PERMISSIVE.has(license) || (isLibvips && LICENSES_OF_LIBVIPS.has(license));
}
