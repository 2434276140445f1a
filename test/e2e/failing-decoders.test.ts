import { expect } from 'chai';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { allDecodersOf, decodersOf, killOthers } from '../support/servers/decoder-processes.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const DECODERS = 2;
const CLIENTS = 12;
const UPLOADS = 240;
/** Responses between two kills. */
const KILL_EVERY = 8;

let catalog: RunningCatalog;
let picture: Uint8Array<ArrayBuffer>;

describe('A service whose decoders do not start', function () {
  before(async function () {
    if (process.platform !== 'linux') skipAloud(this, 'needs Linux');
    picture = new Uint8Array(await pngPicture(640, 480));
  });

  beforeEach(async () => {
    catalog = await RunningCatalog.start({
      env: { DECODERS: String(DECODERS), DECODERS_IDLE: String(DECODERS) },
    });
    await allReady();
  });

  afterEach(async () => await catalog?.stop());

  it('accepts 24 uploads at once with the one decoder that is well', async () => {
    const { pid } = catalog.process;
    const [survivor = 0] = decodersOf(pid);
    const end = killOthers(pid, survivor);
    await eventually(
      () => catalog.logged(({ msg }) => msg === 'decoder not started').length,
      (failed) => failed > 0,
    );
    const sent = await Promise.all(Array.from({ length: 24 }, () => upload()));
    end();

    expect(sent).to.deep.equal(Array(24).fill(201));
    expect(await allReady()).to.have.length(DECODERS);
  });

  it('refuses only uploads whose decoders were killed twice, while decoders are killed at any moment', async () => {
    const statuses: number[] = [];
    let kills = 0;
    const client = async (): Promise<void> => {
      for (let count = 0; count < UPLOADS / CLIENTS; count += 1) {
        statuses.push(await upload());
        if (statuses.length % KILL_EVERY !== 0) continue;
        const pids = allDecodersOf(catalog.process.pid);
        const victim = pids[kills % pids.length];
        if (victim === undefined) continue;
        process.kill(victim, 'SIGKILL');
        kills += 1;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    const refused = statuses.filter((status) => status === 503).length;
    console.log(`      ${JSON.stringify({ kills, refused })}`);

    expect(statuses.filter((status) => status !== 201 && status !== 503)).to.deep.equal([]);
    expect(refused).to.be.at.most(kills / 2);
    expect(await allReady()).to.have.length(DECODERS);
  });
});

async function upload(): Promise<number> {
  const { status } = await catalog.client().upload(picture, 'picture.png');
  return status;
}

async function allReady(): Promise<readonly number[]> {
  return await eventually(
    () => decodersOf(catalog.process.pid),
    (pids) => pids.length === DECODERS,
  );
}
