import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseConfig } from '../../src/infrastructure/config/config.ts';

const PAGE = new URL('../../docs/storage.md', import.meta.url);
const ROW = /^\| ([^|]+) \| `(s3:[^`]+)` \| ([^|]+) \| ([^|]+) \|$/gm;
const IDP = { IDP_DOMAIN: 'https://tenant.example.com/', IDP_AUDIENCE: 'images' };

const section = /^### S3 servers\n(.*?)^## /ms.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
const rows = [...section.matchAll(ROW)].map(([, server = '', url = '', , tried = '']) => ({
  server,
  url,
  tried,
}));

describe('The S3 servers of docs/storage.md', () => {
  it('are eight, of which the tests run on Ceph alone', () => {
    expect(rows.map(({ server }) => server.split(' ')[0])).to.have.members([
      'AWS',
      'Cloudflare',
      'Backblaze',
      'Garage',
      'RustFS',
      'SeaweedFS',
      'Ceph',
      'MinIO',
    ]);
    expect(rows.filter(({ tried }) => !tried.startsWith('no')).map(({ server }) => server)).to.deep.equal([
      'Ceph (RGW)',
    ]);
  });

  for (const { server, url } of rows) {
    it(`has a valid address of ${server}, with its region`, () => {
      const { location } = parseConfig({ ...IDP, BLOB_STORE_URL: url }).blobStore as unknown as {
        readonly location: Readonly<Record<string, unknown>>;
      };

      expect(location).to.include({ bucket: 'images' });
      expect(location.region).to.be.a('string');
    });
  }
});
