import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { runTransferStorm } from './transfer-storm.ts';

const IMAGES = 300;
const KILLS = 4;

describe('a transfer that is killed on the way, of a catalog that is in use', function () {
  this.timeout(300_000);

  // TRANSFER_SEED repeats the choices of a run. Many more images: `node --import tsx test/e2e/transfer-storm.ts --images 5000`.
  const seed = Number(process.env.TRANSFER_SEED ?? randomInt(2 ** 32));

  it('ends with the same catalog on the other side, from where the ids go on, and comes back', async () => {
    console.log(`      TRANSFER_SEED=${seed}`);
    const { kills, reports, uploadsMeanwhile, deletesMeanwhile, images } = await runTransferStorm({
      images: IMAGES,
      kills: KILLS,
      seed,
    });

    const gained = reports.map((report) => report.images);
    console.log(`      ${JSON.stringify({ kills, uploadsMeanwhile, deletesMeanwhile, images, gained })}`);
    expect(kills).to.equal(KILLS);
    expect(uploadsMeanwhile).to.be.greaterThan(0);
    expect(deletesMeanwhile).to.be.greaterThan(0);
    expect(images).to.be.at.least(IMAGES);
  });
});
