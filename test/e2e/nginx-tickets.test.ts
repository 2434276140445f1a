import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { ImageCatalog, uploadByTicket } from '../../client/src/node.ts';
import { FORM_TYPE, filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { RawConnection, requestHead } from '../support/http/raw-connection.ts';
import { isNginxInstalled, Nginx } from '../support/servers/nginx.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import { describeIf } from '../support/skipped/skip-aloud.ts';
import { eventually } from '../support/time/eventually.ts';

const describeWithNginx = describeIf(isNginxInstalled(), 'nginx is not installed');
const WEB_URL = 'https://cats.example.com/';
const MIB = 1024 * 1024;
const BURST = 20;

describeWithNginx('deploy/nginx.conf with tickets', () => {
  let catalog: RunningCatalog;
  let nginx: Nginx;
  let images: ImageCatalog;
  let url: string;
  let png: Buffer<ArrayBuffer>;

  beforeEach(async () => {
    png = Buffer.from(await noisyPng(30, 20));
    const env = { WEB_HOST: '127.0.0.1', WEB_PORT: '0', WEB_URL };
    catalog = await RunningCatalog.start({ env });
    images = new ImageCatalog({ url: catalog.url, getToken: () => catalog.token() });
    const webPort = catalog.logged(({ msg }) => msg === 'web listening')[0]?.['port'];
    nginx = await Nginx.start({
      upstreams: [catalog.port],
      webUpstreams: [Number(webPort)],
      blobFolder: catalog.paths.blobs,
    });
    url = `http://127.0.0.1:${nginx.port}/`;
  });

  afterEach(async () => {
    await nginx.stop();
    await catalog.stop();
  });

  async function ticket(): Promise<string> {
    const { urls } = await images.createTickets({ metadata: { title: 'By ticket' } });
    return (urls[0] ?? '').replace(WEB_URL, url);
  }

  it('takes uploads, and logs no ticket', async () => {
    const address = await ticket();
    const { id } = await uploadByTicket(address, new Blob([png]));
    const preflight = await fetch(address, { method: 'OPTIONS' });
    await fetch(`${address}?a=b`, { method: 'POST' });
    await fetch(address.slice(0, -30), { method: 'POST' });
    const log = await eventually(
      () => readFile(join(nginx.folder, 'access.log'), 'utf8'),
      (text) => text.split('"/u/...').length > 4,
    );

    expect((await images.get(id)).title).to.equal('By ticket');
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).to.deep.equal([
      204,
      '*',
    ]);
    expect(log).not.to.include(new URL(address).pathname.slice(3, 20));
  });

  it('passes the body on as it comes: a large one is refused before it is sent', async () => {
    const connection = await RawConnection.open(nginx.port);
    const headers = { 'Content-Type': FORM_TYPE, 'Content-Length': 50 * MIB };
    connection.send(requestHead('POST', '/u/none', headers));
    const response = await connection.response();
    connection.abandon();

    expect([response.status, (JSON.parse(response.body) as { code: string }).code]).to.deep.equal([
      403,
      'ticket_invalid',
    ]);
    expect(response.headers).to.include({ 'access-control-allow-origin': '*' });
  });

  it('returns 429 with Retry-After, which pages can read, to an address that begins too many', async () => {
    const body = multipart([filePart(png)]);
    const requests = Array.from({ length: BURST + 20 }, async () => {
      const headers = { 'Content-Type': FORM_TYPE };
      return await fetch(`${url}u/none`, { method: 'POST', body: new Uint8Array(body), headers });
    });
    const responses = await Promise.all(requests);
    const refused = responses.find(({ status }) => status === 429);
    const preflights = await Promise.all(
      Array.from({ length: 10 }, () => fetch(`${url}u/none`, { method: 'OPTIONS' })),
    );

    expect(await refused?.json()).to.include({ code: 'too_many_requests' });
    expect(refused?.headers.get('retry-after')).to.equal('1');
    expect(refused?.headers.get('access-control-allow-origin')).to.equal('*');
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([403, 429]));
    expect(new Set(preflights.map(({ status }) => status))).to.deep.equal(new Set([204]));
  });
});
