import { randomNumbers } from '../../test/support/fixtures/random-numbers.ts';
import { streamUpload } from '../../test/support/http/streamed-upload.ts';
import type { RunningCatalog } from '../../test/support/servers/running-catalog.ts';
import { InvalidRun } from '../support/measure.ts';
import { noisePicture } from '../support/noise-picture.ts';
import type { Outcome, Scenario } from '../support/scenario.ts';
import { withCatalog } from '../support/with-catalog.ts';
import type { Workbench } from '../support/workbench.ts';

const MB = 1e6;
const UPLOADS = 32;
const UPLOAD_BYTES = 40 * MB;
const MAX_GROWTH_MB = 200;

/** Peak memory under concurrent uploads whose total size is far larger. */
export const largeUploads: Scenario = {
  name: 'large-uploads',
  run: (bench) => withCatalog((catalog) => run(bench, catalog)),
};

async function run({ options }: Workbench, catalog: RunningCatalog): Promise<Outcome> {
  const random = randomNumbers(options.seed);
  const picture = await noisePicture(random, UPLOAD_BYTES);
  await streamUpload(catalog, await noisePicture(random, MB)); // A warm-up.
  const idle = catalog.rss();
  const rounds = options.quick ? 1 : options.rounds;
  const peaks: number[] = [];
  for (let round = 0; round < rounds; round += 1) peaks.push(await peakRss(catalog, picture));
  const what = `${UPLOADS} concurrent uploads of ${UPLOAD_BYTES / MB} MB: peak RSS above idle`;
  const measured = (Math.max(...peaks) - idle) / MB;
  const target = MAX_GROWTH_MB;
  return {
    checks: [{ what, measured, bound: 'at most', target, limit: target, unit: 'MB' }],
    notes: [{ what: 'RSS of the idle service', measured: idle / MB, unit: 'MB' }],
  };
}

/**
 * @returns bytes
 * @throws {InvalidRun} if an upload fails
 */
async function peakRss(catalog: RunningCatalog, picture: Buffer): Promise<number> {
  catalog.forgetPeakRss();
  const uploads = Array.from({ length: UPLOADS }, () => streamUpload(catalog, picture));
  const statuses = await Promise.all(uploads);
  if (statuses.some((status) => status !== 201)) throw new InvalidRun('large-uploads', [statuses.join(' ')]);
  return catalog.peakRss();
}
