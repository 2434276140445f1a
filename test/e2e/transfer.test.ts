import { spawnSync } from 'node:child_process';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { shardedPath } from '../../src/adapters/filesystem/walk-shards.ts';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { PreparedCatalogs } from '../support/servers/prepared-catalogs.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile, type NodeProcess } from '../support/servers/service-process.ts';
import { eventually } from '../support/time/eventually.ts';

const UUID_LENGTH = 36;

const catalogs = new PreparedCatalogs();
const otherCatalogs = new PreparedCatalogs();

let folder: ServiceFolder;
let there: string;
let toDatabase: string;
let toBlobs: string;

describe('the transfer command', () => {
  beforeEach(async () => {
    folder = await ServiceFolder.open();
    there = join(folder.path, 'there');
    toDatabase = `sqlite:${databaseFile(there)}`;
    toBlobs = `file:${blobFolder(there)}`;
  });

  afterEach(async () => {
    await folder.close();
  });

  after(async () => {
    await catalogs.remove();
    await otherCatalogs.remove();
  });

  it('copies the catalog and reports it in one line', async () => {
    const images = await catalogOf(3);

    const result = await transfer('--verify');

    expect(result).to.include({ code: 0, stderr: '' });
    expect(reportIn(result)).to.deep.include({
      outcome: 'complete',
      images: 3,
      findings: 0,
      verifyFindings: 0,
    });
    expect(result.stdout.split('\n')).to.have.length(1);
    expect(await listingOf({ DATABASE_URL: toDatabase, BLOB_STORE_URL: toBlobs })).to.deep.equal(images);
  });

  it('reads the target from variables, which are not visible to other users', async () => {
    const images = await catalogOf(2);

    const result = await folder.run(['transfer', '--verify'], { TRANSFER_TO_DATABASE: toDatabase });

    expect(result.code).to.equal(0);
    expect(reportIn(result)).to.include({ images: 2, bytes: 0 });
    expect(await listingOf({ DATABASE_URL: toDatabase })).to.deep.equal(images);
  });

  it('prints a table with --format table', async () => {
    await catalogOf(1);

    expect((await transfer('--format', 'table')).stdout).to.match(/^outcome +complete\n(?:.*\n)*images +1\n/);
  });

  it('moves the blobs alone', async () => {
    const images = await catalogOf(2);

    const result = await folder.run(['transfer', '--verify'], { TRANSFER_TO_BLOBS: toBlobs });

    expect(result.code).to.equal(0);
    expect(reportIn(result)).to.include({ images: 2 });
    await rm(blobFolder(folder.path), { recursive: true });
    const service = await folder.start({ BLOB_STORE_URL: toBlobs });
    for (const { id } of images) expect((await folder.images(service).file(id)).status).to.equal(200);
  });

  unreadableImages();

  rejectedTargets();

  interruptions();

  usageErrors();
});

function unreadableImages(): void {
  it('ends with 1 and one line for each image that cannot be copied, and copies the rest', async () => {
    const [lost] = await catalogOf(2);
    const uuid = lost?.filename.slice(0, UUID_LENGTH) ?? '';
    await rm(shardedPath(blobFolder(folder.path), parseBlobKey(uuid)));

    const result = await transfer();

    expect(result.code).to.equal(1);
    const [finding] = result.stdout.split('\n');
    expect(JSON.parse(finding ?? '')).to.include({ problem: 'missing', imageId: lost?.id, blobKey: uuid });
    expect(reportIn(result)).to.include({ outcome: 'complete', images: 1, findings: 1 });
  });
}

function rejectedTargets(): void {
  it('rejects a target that is not empty and continues with --resume', async () => {
    await catalogOf(1);
    expect((await transfer()).code).to.equal(0);

    const refused = await transfer();

    expect([refused.code, refused.stdout]).to.deep.equal([78, '']);
    expect(refused.stderr).to.include('--resume');
    expect((await transfer('--resume')).code).to.equal(0);
  });

  it('rejects a target with another catalog and keeps it', async () => {
    await catalogOf(1);
    const others = await otherCatalogs.copyTo(there, 1);

    const refused = await transfer('--resume');

    expect([refused.code, refused.stdout]).to.deep.equal([78, '']);
    expect(refused.stderr).to.include('another catalog').and.include('changed nothing');
    expect(await listingOf({ DATABASE_URL: toDatabase, BLOB_STORE_URL: toBlobs })).to.deep.equal(others);
  });
}

function interruptions(): void {
  it('stops on SIGTERM with a report and can be resumed', async () => {
    await catalogOf(40);
    const stopped = spawnTransfer('--jobs', '1');
    await someAreCopied();
    stopped.kill('SIGTERM');
    const { code } = await stopped.exited;
    const report = JSON.parse(stopped.stdout) as { readonly outcome: string; readonly images: number };

    expect([code, report.outcome], stopped.output).to.deep.equal([143, 'stopped']);
    expect(report.images).to.be.within(1, 39);
    expect(reportIn(await transfer('--resume', '--verify'))).to.include({
      outcome: 'complete',
      images: 40 - report.images,
      verifyFindings: 0,
    });
  });

  it('goes on after a kill', async () => {
    const images = await catalogOf(40);
    const killed = spawnTransfer('--jobs', '1');
    await someAreCopied();
    expect(await killed.stop('SIGKILL')).to.deep.equal({ code: null, signal: 'SIGKILL' });

    expect(reportIn(await transfer('--resume', '--verify'))).to.include({
      outcome: 'complete',
      verifyFindings: 0,
    });
    expect(await listingOf({ DATABASE_URL: toDatabase, BLOB_STORE_URL: toBlobs })).to.deep.equal(images);
  });

  it('stops on SIGTERM during verification without reporting it as verified', async () => {
    const [first] = await catalogOf(40);
    expect((await transfer()).code).to.equal(0);
    const blob = shardedPath(blobFolder(there), parseBlobKey(first?.filename.slice(0, UUID_LENGTH) ?? ''));
    await rm(blob);
    // Opening it blocks until it is opened for writing.
    spawnSync('mkfifo', [blob]);
    const stopped = spawnTransfer('--resume', '--verify');
    const fifo = await open(blob, 'w');
    stopped.kill('SIGTERM');
    await fifo.close();

    expect((await stopped.exited).code, stopped.output).to.equal(143);
    const report = reportIn(stopped);
    expect(report).to.include({ outcome: 'complete' }).and.not.have.property('verifyFindings');
    expect(stopped.stderr).to.include('Stopped during the verification of the target');
  });
}

function usageErrors(): void {
  it('rejects the source as its target with 64', async () => {
    const same = ['--to-database', `sqlite:${databaseFile(folder.path)}`];

    expect((await folder.run(['transfer', ...same])).code).to.equal(64);
  });

  it('ends with 78 and creates nothing if there is no catalog', async () => {
    const result = await transfer();

    expect(result.code).to.equal(78);
    expect(result.stderr).to.include('DATABASE_URL');
    expect(await readdir(folder.path)).to.deep.equal([]);
  });

  it('ends with 78 and names the flag if the target cannot be used', async () => {
    await catalogOf(1);

    const wrong = await folder.run(['transfer', '--to-database', 'nothing:here']);
    const unusable = await folder.run(['transfer', '--to-blobs', `file:${databaseFile(folder.path)}/blobs`]);

    expect([wrong.code, unusable.code]).to.deep.equal([78, 78]);
    expect(wrong.stderr).to.include('--to-database must be');
    expect(unusable.stderr).to.include('--to-blobs cannot be used');
  });
}

/** A catalog of some images without a running service. */
async function catalogOf(count: number): Promise<readonly ImageRecord[]> {
  return await catalogs.copyTo(folder.path, count);
}

async function transfer(...flags: readonly string[]): Promise<CommandResult> {
  return await folder.run(['transfer', '--to-database', toDatabase, '--to-blobs', toBlobs, ...flags]);
}

async function listingOf(env: Readonly<Record<string, string>>): Promise<readonly ImageRecord[]> {
  const service = await folder.start(env);
  return await folder.records(service);
}

function reportIn({ stdout }: Pick<CommandResult, 'stdout'>): unknown {
  return JSON.parse(stdout.split('\n').at(-1) ?? '');
}

function spawnTransfer(...flags: readonly string[]): NodeProcess {
  return folder.spawnCommand(['transfer', '--to-database', toDatabase, '--to-blobs', toBlobs, ...flags]);
}

async function someAreCopied(): Promise<void> {
  await eventually(
    () => readdir(blobFolder(there)).catch(() => []),
    // The staging folder, the owner note, and the first blobs.
    (entries) => entries.length > 3,
  );
}
