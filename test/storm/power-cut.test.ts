import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { randomNumbers } from '../support/fixtures/random-numbers.ts';
import { noise } from '../support/http/busy-clients.ts';
import { sha256Of, uploadedId } from '../support/http/catalog-client.ts';
import { LoopFileSystem } from '../support/servers/loop-file-system.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import type { RunningService } from '../support/servers/service-process.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

describe('the built service, after a power cut at the moment of a response', function () {
  const random = randomNumbers(2);
  let folder: ServiceFolder;
  let disk: LoopFileSystem | undefined;

  before(async function () {
    folder = await ServiceFolder.open();
    try {
      disk = await LoopFileSystem.create(folder.path);
    } catch (error) {
      skipAloud(this, error instanceof Error ? error.message : String(error));
    }
  });

  after(async () => {
    await folder?.stopAll();
    disk?.unmount();
    await folder?.close();
  });

  /** The disk at the moment of a response, and what the clients had been told by then. */
  interface Cut {
    readonly restore: () => Promise<LoopFileSystem>;
    readonly kept: ReadonlyMap<number, string>;
    readonly deleted: readonly number[];
  }

  it('has everything that was acknowledged and nothing that was only in memory', async () => {
    if (disk === undefined) throw new TypeError('There is no disk');
    const service = await folder.start({}, { folder: disk.path });
    const cuts = await workAndCut(service, disk);
    await service.process.stop('SIGKILL');

    for (const cut of cuts) await expectWhole(cut);
  });

  async function workAndCut(service: RunningService, from: LoopFileSystem): Promise<readonly Cut[]> {
    const client = folder.client(service);
    const [kept, deleted, cuts] = [new Map<number, string>(), [] as number[], [] as Cut[]];
    const cut = async (): Promise<void> => {
      const restore = await from.cutPower(String(cuts.length));
      cuts.push({ restore, kept: new Map(kept), deleted: [...deleted] });
    };
    await writeFile(join(from.path, 'never-synced'), 'x'.repeat(100_000));
    for (let number = 0; number < 2; number += 1) {
      const { bytes, name, sha256 } = await noise(random, 200_000);
      const headers = number === 0 ? {} : { 'idempotency-key': `key-${number}` };
      const response = await client.upload(bytes, name, headers);
      expect(response.status).to.equal(201);
      kept.set(uploadedId(response), sha256);
      await cut();
    }
    const [first = 0] = kept.keys();
    expect((await client.delete(first)).status).to.equal(204);
    kept.delete(first);
    deleted.push(first);
    await cut();
    return cuts;
  }

  async function expectWhole({ restore, kept, deleted }: Cut): Promise<void> {
    const restored = await restore();
    try {
      const lost = await readFile(join(restored.path, 'never-synced'), 'utf8').catch(() => '');
      expect(lost, 'the cut loses what was not synced').to.equal('');
      const service = await folder.start({}, { folder: restored.path });
      const client = folder.client(service);
      const listed = new Map((await client.list()).map(({ id, sha256 }) => [id, sha256]));
      expect(listed).to.deep.equal(kept);
      for (const [id, sha256] of kept) expect(await sha256Of(await client.file(id))).to.equal(sha256);
      for (const id of deleted) expect((await client.get(id)).status).to.equal(404);
      await service.process.stop('SIGTERM');
      expect(await folder.run(['verify'], {}, restored.path)).to.deep.include({ code: 0, stdout: '' });
    } finally {
      await folder.stopAll();
      restored.unmount();
    }
  }
});
