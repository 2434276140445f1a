import { expect } from 'chai';
import { COSTLY_FILES } from '../support/fixtures/costly-files.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { costOf } from '../support/servers/process-cost.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const MB = 1e6;
/** Of each outcome the first file and the last. An inspection of every file is measured with the decoder alone. */
const FILES = new Set([...oneOfEachOutcome(COSTLY_FILES.toReversed()), ...oneOfEachOutcome(COSTLY_FILES)]);

function oneOfEachOutcome(files: typeof COSTLY_FILES): typeof COSTLY_FILES {
  return [...new Map(files.map((file) => [file.expect, file])).values()];
}

/** Allows for slower and shared processors. */
const TOLERANCE = 2;
/** By the clock, of the service. */
const MAX_DECODE_MS = 30_000;

describe('An upload to the built service', () => {
  let running: RunningCatalog | undefined;

  before(function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
  });

  after(() => running?.stop());

  async function warmCatalog(): Promise<RunningCatalog> {
    running = await RunningCatalog.start({ env: { INPUT_FORMATS: 'jpeg,png,webp,gif' } });
    await upload(running, await pngPicture());
    return running;
  }

  /** Status and code. */
  async function upload(catalog: RunningCatalog, bytes: Buffer): Promise<string> {
    const response = await catalog.client().upload(new Uint8Array(bytes), 'costly');
    const { code } = (await response.json()) as { code?: string };
    return [response.status, ...(code === undefined ? [] : [code])].join(' ');
  }

  for (const { file, expect: expected, maxCpuSeconds, maxGrowthMb, read } of FILES) {
    it(`of ${file} is ${expected}, within ${maxCpuSeconds} s of CPU and ${maxGrowthMb} MB`, async function () {
      const bytes = read();
      const catalog = running ?? (await warmCatalog());
      const begun = performance.now();
      const { result, cost } = await costOf(catalog.process.pid, () => upload(catalog, bytes));
      const growthMb = cost.growthBytes / MB;
      console.log(`      ${cost.cpuSeconds.toFixed(2)} s of CPU, ${growthMb.toFixed(0)} MB, ${result}`);

      // A decoder keeps memory of a picture: the next one is measured with new decoders.
      if (result === '201') running = await catalog.stop().then(() => undefined);
      if (result === '503 overloaded' && performance.now() - begun > MAX_DECODE_MS) {
        skipAloud(this, 'the machine is too busy: the service ends a decoder after 30 s by the clock');
      }
      expect(result).to.be.oneOf(expected.split(' or '));
      expect(cost.cpuSeconds, 'seconds of CPU').to.be.at.most(TOLERANCE * maxCpuSeconds);
      expect(growthMb, 'MB').to.be.at.most(TOLERANCE * maxGrowthMb);
    });
  }
});
