import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type Browser, chromium } from 'playwright-core';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { roundTripWith } from '../support/http/round-trip.ts';
import { TestService } from '../support/http/test-service.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';
import { ScriptedServer } from '../support/servers/scripted-server.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { HANG_GUARD_MS } from '../support/time/hang-guard.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const ROOT = new URL('../../', import.meta.url);

describe('the built client in Chromium', () => {
  let service: TestService;
  let pages: Server;
  let browser: Browser;

  before(async function () {
    if (!(await isThere(CHROMIUM))) skipAloud(this, `There is no ${CHROMIUM}`);
    service = await TestService.start();
    pages = await servePages();
    browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox'],
      timeout: HANG_GUARD_MS,
    });
  });

  after(async () => {
    await browser?.close();
    pages?.close();
    await service?.stop();
  });

  it('uploads, lists, fetches and deletes from a page of another origin', async () => {
    const { picture, tokens, expected } = await roundTripWith(service);
    const options = { url: service.url, tokens, base64: picture.toString('base64') };

    expect(await inPage('usesEveryCall', options)).to.deep.equal(expected);
  });

  it('ends an upload when the page aborts, with the reason of the signal', async () => {
    const options = { url: service.url, token: service.token() };

    expect(await inPage('abortsUpload', options)).to.equal('enough');
  });

  it('reports an upload to an address where nothing listens', async () => {
    const nothing = await ScriptedServer.start();
    await nothing.stop();

    expect(await inPage('reachesNothing', { url: nothing.url })).to.deep.equal({
      code: 'network_error',
      status: 0,
    });
  });

  it('says that a token is too long, without a retry', async () => {
    const { refusals, retries } = (await inPage('sendsLongToken', { url: service.url })) as {
      readonly refusals: readonly Readonly<Record<string, unknown>>[];
      readonly retries: number;
    };

    expect(retries).to.equal(0);
    expect(refusals).to.have.length(2);
    for (const { message, ...facts } of refusals) {
      expect(facts).to.deep.equal({ kind: 'refused', status: 431 });
      expect(message).to.match(/^The request headers are larger than 16384 bytes: send a shorter token/);
    }
  });

  it('uploads by a ticket from a page of another origin, without a token', async () => {
    const tickets = await TicketedService.start();
    const picture = await noisyPng(40, 30);
    const path = await tickets.ticket();
    const url = `http://127.0.0.1:${tickets.web.port}${path}`;
    const shown = await inPage('uploadsByTicket', { url, base64: picture.toString('base64') });
    const records = await tickets.service.records();
    await tickets.stop();

    const { first, second, last } = shown as Readonly<Record<'first' | 'second' | 'last', object>>;
    expect(first).to.include({ mediaType: 'image/png', size: picture.length, width: 40 });
    expect(second).to.deep.equal(first);
    expect(last).to.deep.equal({ loaded: picture.length, total: picture.length });
    expect(records).to.equal(1);
  });

  /** Calls a function of `programs/in-page.mjs`. */
  async function inPage(name: string, options: object): Promise<unknown> {
    const page = await browser.newPage();
    page.setDefaultTimeout(HANG_GUARD_MS);
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    return await page.evaluate(
      `import('/test/client/programs/in-page.mjs').then(({ ${name} }) => ${name}(${JSON.stringify(options)}))`,
    );
  }
});

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}

/** An empty page, and the modules of this project. */
async function servePages(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (!/\.m?js$/.test(path)) {
      return void response.setHeader('content-type', 'text/html').end('<title>x</title>');
    }
    readFile(new URL(`.${path}`, ROOT)).then(
      (bytes) => response.setHeader('content-type', 'text/javascript').end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
