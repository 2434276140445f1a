import { fileURLToPath } from 'node:url';
import { licenseOf } from './licenses.ts';
import { packageBoms } from './release.ts';

/** `npm run licenses`: prints the licenses of what a release contains or installs. Fails if one of them is not allowed. */

const boms = await packageBoms(fileURLToPath(new URL('../..', import.meta.url)));
const counts = new Map<string, number>();
for (const license of boms.flatMap(({ components }) => components.map(licenseOf))) {
  counts.set(license, (counts.get(license) ?? 0) + 1);
}
for (const [license, count] of [...counts].toSorted(([, a], [, b]) => b - a)) {
  console.log(`${String(count).padStart(4)} ${license}`);
}
