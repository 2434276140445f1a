import { COSTLY_FILES, type CostlyFile } from '../../test/support/fixtures/costly-files.ts';
import { costOf } from '../../test/support/servers/process-cost.ts';
import type { Check, Outcome, Scenario } from '../support/scenario.ts';
import { withCatalog } from '../support/with-catalog.ts';

const MB = 1e6;

/** Uploads each small file that is expensive to decode to a service of its own. `COST_DIR` names other files. */
export const costlyFiles: Scenario = { name: 'costly-files', run };

async function run(): Promise<Outcome> {
  const checks: Check[] = [];
  for (const file of COSTLY_FILES) checks.push(...(await checksOf(file)));
  return { checks };
}

async function checksOf(file: CostlyFile): Promise<readonly Check[]> {
  const bytes = new Uint8Array(file.read());
  const { result, cost } = await withCatalog(
    (catalog) =>
      costOf(catalog.process.pid, async () => (await catalog.client().upload(bytes, file.file)).status),
    { env: { INPUT_FORMATS: 'jpeg,png,webp,gif' } },
  );
  const check = (what: string, measured: number, target: number, unit?: string): Check => ({
    what: `${file.file}: ${what}`,
    measured,
    bound: unit === undefined ? 'exactly' : 'at most',
    target,
    ...(unit !== undefined && { unit }),
  });
  const statuses = file.expect.split(' or ').map((expected) => Number.parseInt(expected, 10));
  return [
    check('status', result, statuses.find((status) => status === result) ?? statuses[0] ?? 0),
    check('CPU', cost.cpuSeconds, file.maxCpuSeconds, 's'),
    check('memory above idle', cost.growthBytes / MB, file.maxGrowthMb, 'MB'),
  ];
}
