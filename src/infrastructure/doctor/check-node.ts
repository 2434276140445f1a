import { holesOf } from '../node-holes.ts';
import { type CheckResult, ok, warning } from './check-result.ts';

/** @param version such as `v20.19.0` */
export function checkNode(version: string): readonly CheckResult[] {
  const holes = holesOf(version);
  if (holes.length === 0) {
    return [ok(`Node.js ${version} has no security hole that this release of the service knows of`)];
  }
  return holes.map(({ cve, effect, upgradeTo }) =>
    warning(
      `Node.js ${version} has ${cve}: ${effect}`,
      `upgrade Node.js to ${upgradeTo} or later. Packages of a distribution may have the fix already: ask its security tracker`,
    ),
  );
}
