import { type Comparison, compare, type Subject } from '../support/compare.ts';
import type { PhotoName } from '../support/make-photos.ts';
import type { Check, Outcome, Scenario } from '../support/scenario.ts';
import { type Server, WITHOUT_PRERENDERING } from '../support/server.ts';
import type { Workbench } from '../support/workbench.ts';

interface Uploads {
  readonly name: string;
  readonly photo: PhotoName;
  /** The target holds for this number of clients; missing if there is no target. */
  readonly targetConcurrency?: number;
  readonly concurrencies: readonly number[];
}

const UPLOADS: readonly Uploads[] = [
  { name: 'upload-100KB', photo: '100KB', targetConcurrency: 32, concurrencies: [1, 8, 32] },
  { name: 'upload-3MB', photo: '3MB', targetConcurrency: 8, concurrencies: [1, 8, 32] },
  { name: 'upload-8MB', photo: '8MB', concurrencies: [1, 8] },
];

async function run(uploads: Uploads, bench: Workbench): Promise<Outcome> {
  const service = await bench.startService(await bench.makeFolder('service'), { env: WITHOUT_PRERENDERING });
  const bare = await bench.startBaseline('upload', [await bench.makeFolder('bare')]);
  const decoding = await bench.startBaseline('upload', [await bench.makeFolder('decoding'), '--decode']);
  const comparisons: Comparison[] = [];
  for (const concurrency of concurrenciesOf(uploads, bench)) {
    const against = async (baseline: Server, title: string): Promise<Comparison> => {
      const subject = async (server: Server): Promise<Subject> => ({
        server,
        job: await bench.uploadJob(server, uploads.photo, {
          connections: concurrency,
          seconds: bench.seconds,
        }),
      });
      return await compare(bench, title, concurrency, await subject(service), await subject(baseline));
    };
    if (!bench.options.quick) comparisons.push(await against(bare, `${uploads.name} (a)`));
    comparisons.push(await against(decoding, `${uploads.name} (b)`));
  }
  return { comparisons, checks: comparisons.flatMap((comparison) => checksOf(uploads, comparison)) };
}

function concurrenciesOf({ targetConcurrency, concurrencies }: Uploads, bench: Workbench): readonly number[] {
  return bench.options.quick && targetConcurrency !== undefined ? [targetConcurrency] : concurrencies;
}

/** The targets compare with the baseline that decodes. */
function checksOf({ name, targetConcurrency }: Uploads, comparison: Comparison): readonly Check[] {
  if (comparison.concurrency !== targetConcurrency || !comparison.title.endsWith('(b)')) return [];
  const { throughputRatio, cpuRatio } = comparison;
  const what = `${name}, c=${targetConcurrency}`;
  return [
    {
      what: `${what}: throughput to the baseline's`,
      measured: throughputRatio.median,
      bound: 'at least',
      target: 0.8,
    },
    {
      what: `${what}: CPU per request to the baseline's`,
      measured: cpuRatio.median,
      bound: 'at most',
      target: 1.3,
    },
  ];
}

export const UPLOAD_SCENARIOS: readonly Scenario[] = UPLOADS.map((uploads) => ({
  name: uploads.name,
  isQuick: uploads.targetConcurrency !== undefined,
  run: (bench) => run(uploads, bench),
}));
