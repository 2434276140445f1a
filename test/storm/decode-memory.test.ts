import { expect } from 'chai';
import { type DecodeStorm, decodeStorm } from '../support/servers/decode-storm.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const MB = 1e6;
const DECODE_MEMORY_BYTES = 2 ** 30;
/** What the service uses apart from the decodes. */
const OTHER_BYTES = 200 * MB;

describe('The built service, decoding eight interlaced pictures of 50 megapixels concurrently', () => {
  let catalog: RunningCatalog;
  let storm: DecodeStorm;

  before(async function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
    // As many concurrent decodes as clients: only memory bounds them.
    const env = { DECODE_MEMORY_BYTES: String(DECODE_MEMORY_BYTES), RENDITION_CONCURRENCY: '8' };
    catalog = await RunningCatalog.start({ env });
    storm = await decodeStorm(catalog);
  });

  after(() => catalog?.stop());

  const cases = [
    { work: 'uploads', good: '201' },
    { work: 'renditions', good: '200' },
  ] as const;

  for (const { work, good } of cases) {
    it(`stays below its memory limit for ${work}`, () => {
      const { growthBytes, cpuSeconds } = storm[work];
      console.log(`      ${Math.round(growthBytes / MB)} MB, ${cpuSeconds.toFixed(1)} s of CPU`);
      expect(growthBytes).to.be.at.most(DECODE_MEMORY_BYTES + OTHER_BYTES);
    });

    it(`processes what fits for ${work} and returns 503 for the rest`, () => {
      const { statuses } = storm[work];
      console.log(`      ${JSON.stringify(statuses)}`);
      expect(Object.keys(statuses)).to.include(good);
      expect([good, '503 overloaded']).to.include.members(Object.keys(statuses));
    });
  }
});
