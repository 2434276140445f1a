import { readdir } from 'node:fs/promises';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { RcloneMount } from '../support/servers/rclone-mount.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

describe('A database in a folder that rclone mounts without a cache', () => {
  let folder: ServiceFolder;
  let disk: TemporaryFolder;
  let mount: RcloneMount | undefined;

  before(async function () {
    if (!isInstalled('rclone')) skipAloud(this, 'rclone is not installed');
    [folder, disk] = await Promise.all([ServiceFolder.open(), temporaryFolder()]);
    mount = await RcloneMount.mount(disk.path).catch(() => skipAloud(this, 'rclone cannot mount here'));
  });

  after(async () => {
    await mount?.unmount();
    await Promise.all([folder?.close(), disk?.remove()]);
  });

  it('is a problem that doctor names before the first start, and leaves nothing', async () => {
    const { code, stdout } = await folder.run(['doctor'], { ...folder.env, DATABASE_URL: database() });

    expect(stdout).to.match(/PROBLEM {2}DATABASE_URL: a database in \S+ would fail: .*local disk/);
    expect(code).to.equal(1);
    expect(await readdir(mount?.path ?? '')).to.deep.equal([]);
  });

  it('ends the service with 78 and a sentence', async () => {
    const service = folder.spawn({ DATABASE_URL: database() });
    const { code } = await service.exited;

    expect(service.stderr).to.match(
      /^DATABASE_URL cannot be used: \S+ is on a file system without the locks/,
    );
    expect(code).to.equal(78);
  });

  const database = (): string => `sqlite:${mount?.path}/catalog.sqlite`;
});
