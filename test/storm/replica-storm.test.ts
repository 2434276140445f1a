import { randomInt } from 'node:crypto';
import { expect } from 'chai';
import { MissingPart } from '../support/clusters/replica-cluster.ts';
import { FULL_STORMS } from '../support/full-storms.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { logTenth, runStormOnReplicas, type StormFigures } from './crash-storm.ts';

// CONTRIBUTING.md shows how to run many more.
const ROUNDS = Number(process.env.STORM_ROUNDS ?? (FULL_STORMS ? 10 : 4));
const KILLS_OF_A_KIND = FULL_STORMS ? 4 : 1;

describe('three replicas behind nginx on Postgres and S3, in a storm of crashes of all of them', () => {
  // STORM_SEED repeats the choices of a run.
  const seed = Number(process.env.STORM_SEED ?? randomInt(2 ** 32));

  it('keep acknowledged images, assign each id once, leave no orphaned files, and recover', async function () {
    console.log(`      STORM_SEED=${seed}`);
    const figures = await unlessMissing(this, () =>
      runStormOnReplicas({ rounds: ROUNDS, seed, onRound: logTenth }),
    );

    console.log(`      ${JSON.stringify(figures)}`);
    for (const [kind, kills] of Object.entries(figures.kills)) {
      expect(kills, `kills of a ${kind}`).to.be.at.least(KILLS_OF_A_KIND);
    }
    expect(figures.uploads, 'acknowledged uploads').to.be.greaterThan(ROUNDS);
    expect(figures.deletes + figures.edits, 'acknowledged changes').to.be.greaterThan(0);
    expect(figures.refused, 'requests with a 503 response').to.be.greaterThan(ROUNDS);
    if (FULL_STORMS) expect(figures.retries, 'keys sent again after a kill').to.be.greaterThan(0);
  });
});

async function unlessMissing(test: Mocha.Context, run: () => Promise<StormFigures>): Promise<StormFigures> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof MissingPart) skipAloud(test, error.message);
    throw error;
  }
}
