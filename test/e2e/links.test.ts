import { expect } from 'chai';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { linkOf, never, pathOf, statusesOf, uploadTo, WITH_WEB } from '../support/servers/signed-links.ts';
import { eventually } from '../support/time/eventually.ts';

let folder: ServiceFolder;

describe('signed links of the built service', () => {
  beforeEach(async () => {
    folder = await ServiceFolder.open();
  });

  afterEach(() => folder.close());

  it('stay good when the key is rotated; all processes sign with the new one', async () => {
    const services = [await folder.start(WITH_WEB), await folder.start(WITH_WEB)];
    const id = await uploadTo(folder, services[0] ?? never());
    const old = await linkOf(folder, services[0] ?? never(), id);

    const result = await folder.run(['rotate-link-key']);

    expect(result).to.deep.equal({
      code: 0,
      stdout: '{"revoked":false,"formerKeys":1}',
      stderr: '',
    });
    for (const service of services) {
      const link = await eventually(
        () => linkOf(folder, service, id),
        (made) => pathOf(made) !== pathOf(old),
      );
      expect(pathOf(link)).not.to.equal(pathOf(old));
      expect(await statusesOf(services, [old, link])).to.deep.equal([200, 200, 200, 200]);
    }
  });

  it('end in every process when the key is revoked', async () => {
    const services = [await folder.start(WITH_WEB), await folder.start(WITH_WEB)];
    const id = await uploadTo(folder, services[0] ?? never());
    const old = await linkOf(folder, services[0] ?? never(), id);
    expect(await statusesOf(services, [old])).to.deep.equal([200, 200]);

    const result = await folder.run(['rotate-link-key', '--revoke']);

    expect(result).to.deep.equal({ code: 0, stdout: '{"revoked":true,"formerKeys":0}', stderr: '' });
    const statuses = await eventually(
      () => statusesOf(services, [old]),
      (seen) => seen.every((status) => status === 403),
    );
    expect(statuses).to.deep.equal([403, 403]);
    const link = await linkOf(folder, services[1] ?? never(), id);
    expect(await statusesOf(services, [link])).to.deep.equal([200, 200]);
  });

  it('can be rotated before the first one was made, but not without a catalog', async () => {
    const missing = await folder.run(['rotate-link-key']);
    expect([missing.code, missing.stdout]).to.deep.equal([78, '']);
    expect(missing.stderr).to.match(/^DATABASE_URL/);

    await folder.start();
    const made = await folder.run(['rotate-link-key']);
    expect(made).to.include({ code: 0, stdout: '{"revoked":false,"formerKeys":0}' });
  });
});
