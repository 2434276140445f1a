import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInChromium, sharedChromium } from '../gallery/support/in-chromium.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { lastingPort } from '../support/servers/lasting-port.ts';
import { Relay } from '../support/servers/relay.ts';
import { json, ScriptedServer } from '../support/servers/scripted-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { NodeProcess, PROJECT_FOLDER, type RunningService } from '../support/servers/service-process.ts';
import { HANG_GUARD_MS } from '../support/time/hang-guard.ts';

const EXAMPLE = 'docs/examples/tickets/server.mjs';
const THANKS = /^Thank you! Your picture has the number (\d+)\.$/;
const PART = 100_000;

describeInChromium('the example of uploads by ticket', () => {
  let folder: ServiceFolder;
  let service: RunningService;
  let ports: Readonly<Record<'PORT' | 'WEB_PORT', string>>;
  let relay: Relay;
  let tokens: ScriptedServer;
  let example: NodeProcess;
  let exampleUrl: string;
  let page: Page;
  /** Of 360 KB, another one for each test. */
  let picture: Buffer;

  before(async () => {
    ports = { PORT: String(await lastingPort()), WEB_PORT: String(await lastingPort()) };
    folder = await ServiceFolder.open();
    relay = await Relay.to(`http://127.0.0.1:${ports.WEB_PORT}`);
    tokens = await ScriptedServer.start(json(200, { access_token: folder.token }));
    await startService();
    const env = { CATALOG_URL: service.url, TOKEN_URL: tokens.url };
    example = NodeProcess.start([EXAMPLE, '0'], { cwd: PROJECT_FOLDER, env });
    exampleUrl = await example.line((line) => (line.startsWith('http://') ? line : undefined));
  });

  beforeEach(async () => {
    picture = await noisyPng(400, 300);
    const context = await (await sharedChromium()).newContext();
    context.setDefaultTimeout(HANG_GUARD_MS);
    page = await context.newPage();
    await page.goto(exampleUrl);
  });

  afterEach(async () => {
    [relay.there, relay.back] = [(bytes) => bytes, (bytes) => bytes];
    await page.context().close();
  });

  after(async () => {
    await example?.stop('SIGKILL');
    await folder?.close();
    await tokens?.stop();
    await relay?.close();
  });

  async function startService(): Promise<void> {
    service = await folder.start({ ...ports, WEB_HOST: '127.0.0.1', WEB_URL: `${relay.endpoint}/` });
  }

  /** Resolves to the id that the page shows. */
  async function send(): Promise<number> {
    await page.locator('input').setInputFiles({ name: 'cat.png', mimeType: 'image/png', buffer: picture });
    const status = page.getByText(THANKS);
    await status.waitFor();
    return Number(THANKS.exec((await status.textContent()) ?? '')?.[1]);
  }

  async function expectOneImage(id: number): Promise<void> {
    const sha256 = createHash('sha256').update(picture).digest('hex');
    const records = (await folder.records(service)).filter((record) => record.sha256 === sha256);

    expect(records.map((record) => record.id)).to.deep.equal([id]);
    expect(records[0]).to.deep.include({ tags: ['from the example'], createdBy: 'alice' });
    expect(await page.locator('progress').getAttribute('value')).to.equal('1');
  }

  it('sends a picture from a page of another origin, without a token', async () => {
    await expectOneImage(await send());
  });

  it('goes on after the service is killed in the middle of an upload', async () => {
    let received = 0;
    let restarted: Promise<void> | undefined;
    relay.there = (bytes) => {
      received += bytes.length;
      if (restarted !== undefined || received < PART) return bytes;
      restarted = service.process.stop('SIGKILL').then(startService);
      return 'cut';
    };

    await expectOneImage(await send());
    await restarted;
    expect(received).to.be.greaterThan(PART + picture.length);
  });
});
