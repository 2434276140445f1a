import { createHash, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { tinyPng, writeFiles } from '../support/fixtures/tiny-pictures.ts';
import { FULL_STORMS } from '../support/full-storms.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import type { NodeProcess, RunningService } from '../support/servers/service-process.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';
import { repeat } from '../support/time/repeat.ts';

// CONTRIBUTING.md shows how to import many more.
const files = Number(process.env.IMPORT_FILES ?? (FULL_STORMS ? 600 : 200));
const kills = Number(process.env.IMPORT_KILLS ?? (FULL_STORMS ? 4 : 2));
/** IMPORT_SEED repeats the choices of a run. */
const seed = Number(process.env.IMPORT_SEED ?? randomInt(2 ** 32));

const FILES_PER_FOLDER = 500;
const MAX_RSS_BYTES = 150e6;

interface Report {
  readonly found: number;
  readonly created: number;
  readonly present: number;
  readonly refused: number;
  readonly failed: number;
}

describe('an import that is killed several times', function () {
  this.timeout(LONG_TEST_MS);

  let folder: ServiceFolder;
  let service: RunningService;
  let pictures: string;

  before(async () => {
    console.log(`      IMPORT_SEED=${seed}`);
    folder = await ServiceFolder.open();
    pictures = join(folder.path, 'pictures');
    for (let number = 0; number < files; number += 1) {
      const path = `${Math.floor(number / FILES_PER_FOLDER)}/${number}.png`;
      await writeFiles(pictures, { [path]: tinyPng(number) });
    }
    service = await folder.start();
  });

  after(() => folder?.close());

  it('uploads each picture once, and nothing in a further run, in bounded memory', async () => {
    const random = randomNumbers(seed);
    for (let kill = 0; kill < kills; kill += 1) {
      const left = files - (await folder.records(service)).length;
      await killAfter(1 + Math.floor((random() * 2 * left) / (kills - kill + 1)));
    }
    const interrupted = (await folder.records(service)).length;
    const rest = await complete();
    const again = await complete();

    const records = await folder.records(service);
    console.log(
      `      ${interrupted} of ${files} uploaded before the last run; peaks ${rest.peak}, ${again.peak} bytes`,
    );
    expect(interrupted).to.be.greaterThan(0);
    expect(records.map(({ sha256 }) => sha256).toSorted()).to.deep.equal(digests());
    expect(rest.report).to.include({ found: files, refused: 0, failed: 0 });
    expect(rest.report.created + rest.report.present).to.equal(files);
    expect(again.report).to.include({ found: files, created: 0, present: files });
    expect(Math.max(rest.peak, again.peak)).to.be.at.most(MAX_RSS_BYTES);
  });

  function start(): NodeProcess {
    const env = { CATALOG_URL: service.url, CATALOG_TOKEN: folder.token };
    return folder.spawnCommand(['import', pictures, '--journal', join(folder.path, 'journal')], env);
  }

  /** An import that has nothing left to do ends before it is killed. */
  async function killAfter(created: number): Promise<void> {
    const running = start();
    let seen = 0;
    const reached = running.line((line) => {
      if (line.includes('"created"')) seen += 1;
      return seen >= created || undefined;
    });
    await Promise.race([reached.catch(() => undefined), running.exited]);
    running.kill('SIGKILL');
    await running.exited;
  }

  async function complete(): Promise<{ readonly report: Report; readonly peak: number }> {
    const running = start();
    let peak = 0;
    const stopSampling = repeat(100, () => {
      void peakOf(running.pid).then((bytes) => {
        peak = Math.max(peak, bytes);
      });
    });
    const { code } = await running.exited;
    stopSampling();
    expect(code, running.stderr).to.equal(0);
    const { report } = JSON.parse(running.stdout.trim().split('\n').at(-1) ?? '') as { report: Report };
    return { report, peak };
  }
});

function digests(): readonly string[] {
  return Array.from({ length: files }, (_, number) =>
    createHash('sha256').update(tinyPng(number)).digest('hex'),
  ).toSorted();
}

/** Bytes; 0 if the process has ended. */
async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0);
}
