import { expect } from 'chai';
import { jpegOfSize } from '../support/fixtures/pictures.ts';
import { streamUpload } from '../support/http/streamed-upload.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';

const MIB = 1024 * 1024;
const UPLOADS = 12;
const UPLOAD_BYTES = 20 * MIB;
/** Half of the size of all uploads. `npm run bench -- --suite memory` measures more and larger ones. */
const MAX_GROWTH_BYTES = (UPLOADS * UPLOAD_BYTES) / 2;
const DECODERS = 3;
/** Of a decoder that has one of them, which has few pixels. */
const MAX_DECODER_BYTES = 64 * MIB + UPLOAD_BYTES;

describe(`the built service, under ${UPLOADS} concurrent uploads of ${UPLOAD_BYTES / MIB} MiB`, () => {
  let catalog: RunningCatalog;
  let growth: number;
  let decoderGrowth: number;
  let statuses: readonly number[];

  before(async () => {
    catalog = await RunningCatalog.start({
      env: { DECODERS: String(DECODERS), DECODERS_IDLE: String(DECODERS) },
    });
    const picture = await jpegOfSize(UPLOAD_BYTES);
    await streamUpload(catalog, await jpegOfSize(MIB));
    catalog.forgetPeakRss();
    const idle = catalog.peakRss();
    const ownIdle = catalog.ownPeakRss();
    statuses = await Promise.all(
      Array.from({ length: UPLOADS }, async () => await streamUpload(catalog, picture)),
    );
    growth = catalog.ownPeakRss() - ownIdle;
    decoderGrowth = catalog.peakRss() - idle - growth;
  });

  after(() => catalog?.stop());

  it('stores all of them', () => {
    expect(statuses).to.deep.equal(Array.from({ length: UPLOADS }, () => 201));
  });

  it('does not hold them in memory, and each decoder one at most', () => {
    console.log(
      `      ${Math.round(growth / MIB)} MiB above idle, ${Math.round(decoderGrowth / MIB)} MiB of its decoders`,
    );
    expect(growth).to.be.below(MAX_GROWTH_BYTES);
    expect(decoderGrowth).to.be.below(DECODERS * MAX_DECODER_BYTES);
  });
});
