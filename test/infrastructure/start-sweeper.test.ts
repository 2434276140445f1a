import { expect } from 'chai';
import type { BlobSweep, SweepBlobs } from '../../src/application/maintenance/sweep-blobs.ts';
import type { OwnSweep, SweepOrphans } from '../../src/application/maintenance/sweep-orphans.ts';
import { startSweeper } from '../../src/infrastructure/start/start-sweeper.ts';
import { CapturedLog } from '../support/doubles/captured-log.ts';

const OWN: OwnSweep = {
  stagedFiles: 1,
  renditions: 0,
  idempotencyKeys: 0,
  changes: 0,
  changeCounts: 0,
  names: 0,
  trashed: 0,
  foreign: [],
};
const BLOBS: BlobSweep = { blobs: 2, blobsWatched: 0, renditions: 0, foreign: ['notes.txt'] };
const LONG_MS = 2_000_000_000;

type Answer = BlobSweep | undefined | Error;

describe('startSweeper', () => {
  let log: CapturedLog;
  let stop: () => Promise<void>;

  beforeEach(() => {
    log = new CapturedLog();
  });

  /** Resolves when the blobs were asked for as often as there are answers. */
  async function sweepWith(answers: readonly Answer[], intervalMs = LONG_MS): Promise<void> {
    const left = [...answers];
    const sweepOrphans = { sweepOwn: async () => OWN } as unknown as SweepOrphans;
    await new Promise<void>((resolve) => {
      const sweepDue = async (): Promise<BlobSweep | undefined> => {
        const answer = left.shift();
        if (left.length === 0) resolve();
        if (answer instanceof Error) throw answer;
        return answer;
      };
      const sweepBlobs = { sweepDue } as unknown as SweepBlobs;
      stop = startSweeper({ sweepOrphans, sweepBlobs }, intervalMs, log.logger);
    });
    await stop();
  }

  function messages(): readonly unknown[] {
    return log.entries.map(({ msg }) => msg);
  }

  it('sweeps one slice after the other until none is due', async () => {
    await sweepWith([BLOBS, BLOBS, undefined]);

    expect(messages()).to.have.members(['swept', 'swept blobs']);
    const sum = log.entries.find(({ msg }) => msg === 'swept blobs');
    expect(sum).to.deep.include({ turns: 2, blobs: 4, foreign: 2 });
  });

  it('looks again after the interval, also if a sweep has failed', async () => {
    await sweepWith([undefined, new Error('gone'), BLOBS, undefined], 1);

    expect(messages()).to.include.members(['sweep failed', 'swept blobs']);
  });
});
