import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { FULL_STORMS } from '../support/full-storms.ts';
import { logTenth, runStormOnFiles, type StormFigures } from './crash-storm.ts';

// CONTRIBUTING.md shows how to run many more.
const ROUNDS = Number(process.env.STORM_ROUNDS ?? (FULL_STORMS ? 20 : 5));

describe('the built service, in a storm of crashes', () => {
  // STORM_SEED repeats the choices of a run.
  const seed = Number(process.env.STORM_SEED ?? randomInt(2 ** 32));

  it('keeps acknowledged images, leaves no orphaned files, and makes one image for each key', async () => {
    console.log(`      STORM_SEED=${seed}`);
    const folder = await temporaryFolder();
    try {
      const figures = await runStormOnFiles(folder.path, { rounds: ROUNDS, seed, onRound: logTenth });

      console.log(`      ${JSON.stringify(figures)}`);
      expect(figures.kills.service, 'kills').to.be.at.least(ROUNDS);
      expect(figures.uploads, 'acknowledged uploads').to.be.greaterThan(ROUNDS);
      const { deletes, edits, names } = figures;
      // Of a few rounds, some have no edit: 6 to 12 come in five.
      expect(deletes + edits + names.sets, 'acknowledged changes').to.be.greaterThan(0);
      if (FULL_STORMS) expectRareEffects(figures);
    } finally {
      await folder.remove();
    }
  });
});

function expectRareEffects(figures: StormFigures): void {
  const { decoders, retries, stagedFilesLeft, restores, erasures, deletes, edits, names } = figures;
  expect(Math.min(deletes, edits, names.sets + names.uploads), 'changes of each kind').to.be.greaterThan(0);
  expect(figures.ticketUploads, 'acknowledged uploads by ticket').to.be.greaterThan(0);
  expect(restores, 'images taken out of the trash').to.be.greaterThan(0);
  expect(erasures, 'images erased from the trash').to.be.greaterThan(0);
  expect(retries, 'keys sent again after a kill').to.be.greaterThan(0);
  expect(stagedFilesLeft, 'staged files of killed processes').to.be.greaterThan(0);
  if (process.platform !== 'linux') return;
  expect(decoders.killed, 'killed decoders').to.be.greaterThan(0);
  expect(decoders.stopped, 'stopped decoders').to.be.greaterThan(0);
}
