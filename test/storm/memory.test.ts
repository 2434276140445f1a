import { expect } from 'chai';
import { jpegOfSize } from '../support/fixtures/pictures.ts';
import { streamUpload } from '../support/http/streamed-upload.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';

const MIB = 1024 * 1024;
const UPLOADS = 12;
const UPLOAD_BYTES = 20 * MIB;
/** Half of the size of all uploads. `npm run bench -- --suite memory` measures more and larger ones. */
const MAX_GROWTH_BYTES = (UPLOADS * UPLOAD_BYTES) / 2;

describe(`the built service, under ${UPLOADS} concurrent uploads of ${UPLOAD_BYTES / MIB} MiB`, function () {
  this.timeout(120_000);

  let catalog: RunningCatalog;
  let growth: number;
  let statuses: readonly number[];

  before(async () => {
    catalog = await RunningCatalog.start();
    const picture = await jpegOfSize(UPLOAD_BYTES);
    await streamUpload(catalog, await jpegOfSize(MIB));
    const idle = catalog.rss();
    catalog.forgetPeakRss();
    statuses = await Promise.all(
      Array.from({ length: UPLOADS }, async () => await streamUpload(catalog, picture)),
    );
    growth = catalog.peakRss() - idle;
  });

  after(async () => {
    await catalog?.stop();
  });

  it('stores all of them', () => {
    expect(statuses).to.deep.equal(Array.from({ length: UPLOADS }, () => 201));
  });

  it('does not hold them in memory', () => {
    console.log(`      ${Math.round(growth / MIB)} MiB above idle`);
    expect(growth).to.be.below(MAX_GROWTH_BYTES);
  });
});
