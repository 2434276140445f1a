import { randomInt } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { FULL_STORMS } from '../support/full-storms.ts';
import { PostgresServer } from '../support/servers/postgres-server.ts';
import { s3ServerFor } from '../support/servers/s3-server.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';
import { type Place, runTransferStorm, type TransferReportLine } from './transfer-storm.ts';

// CONTRIBUTING.md shows how to copy many more.
const images = Number(process.env.TRANSFER_IMAGES ?? (FULL_STORMS ? 150 : 50));
const kills = Number(process.env.TRANSFER_KILLS ?? (FULL_STORMS ? 3 : 1));
/** TRANSFER_SEED repeats the choices of a run. */
const seed = Number(process.env.TRANSFER_SEED ?? randomInt(2 ** 32));

describe('a transfer of a catalog in use that is killed several times', function () {
  this.timeout(LONG_TEST_MS);

  const cleanUps: Array<() => Promise<unknown>> = [];

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });

  async function expectTransfer(target?: Place): Promise<void> {
    console.log(`      TRANSFER_SEED=${seed}`);
    const figures = await runTransferStorm({ images, kills, seed, target });

    console.log(`      ${JSON.stringify({ ...figures, reports: figures.reports.map(summary) })}`);
    expect(figures.kills).to.equal(kills);
    expect(figures.uploadsMeanwhile, 'uploads meanwhile').to.be.greaterThan(0);
    expect(figures.deletesMeanwhile, 'deletes meanwhile').to.be.greaterThan(0);
    expect(figures.images).to.be.at.least(images);
  }

  it('from files to files, results in the same catalog with continued ids, and can be reversed', async () => {
    await expectTransfer();
  });

  it('from files to Postgres and S3, results in the same catalog with continued ids, and can be reversed', async function () {
    await expectTransfer(await postgresAndS3(this));
  });

  async function postgresAndS3(test: Mocha.Context): Promise<Place> {
    const s3 = await s3ServerFor(test);
    const postgres = await PostgresServer.shared();
    if (postgres === undefined) return skipAloud(test, 'there is no Postgres server for this machine');
    const database = await postgres.newDatabase();
    cleanUps.push(() => database.drop());
    const bucket = await s3.makeBucket();
    cleanUps.push(() => bucket.remove());
    const folder = await temporaryFolder();
    cleanUps.push(() => folder.remove());
    const staging = join(folder.path, 'staging');
    await mkdir(staging);
    return {
      env: {
        ...s3.environment,
        DATABASE_URL: database.url,
        BLOB_STORE_URL: bucket.url,
        STAGING_URL: `file:${staging}`,
        RENDITION_CACHE_URL: bucket.url,
      },
      staging,
    };
  }
});

function summary({ outcome, images, removed, seconds }: TransferReportLine): string {
  return `${outcome}: +${images} -${removed} in ${seconds} s`;
}
