import { expect } from 'chai';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { type CatalogClient, uploadedId } from '../support/http/catalog-client.ts';
import { Scrape } from '../support/http/scrape.ts';
import { ScriptedServer } from '../support/servers/scripted-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { databaseFile, type NodeProcess, type RunningService } from '../support/servers/service-process.ts';
import { WEBHOOK_SECRET, WebhookInbox } from '../support/servers/webhook-inbox.ts';
import { eventually } from '../support/time/eventually.ts';

const UNKNOWN_CURSOR = 'AAAAAAAAAAAAAAAAAAAAAA';

let folder: ServiceFolder;
let inbox: WebhookInbox;
let picture: Uint8Array<ArrayBuffer>;

async function uploadTo(client: CatalogClient): Promise<number> {
  return uploadedId(await client.upload(picture, 'a.png'));
}

function idsIn(): readonly (number | undefined)[] {
  return inbox.messages.map(({ body }) => body.data?.id);
}

async function scrapeOf({ process }: { readonly process: NodeProcess }): Promise<Scrape> {
  const port = await process.line((line) => /"port":(\d+),"msg":"management listening"/.exec(line)?.[1]);
  return new Scrape(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
}

interface Listed {
  readonly number: number;
  readonly url: string;
  readonly state: string;
  readonly lagSeconds: number;
  readonly lastError: string | null;
}

async function listed(): Promise<readonly Listed[]> {
  const { stdout } = await folder.run(['webhooks', '--format', 'json']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Listed);
}

describe('webhooks of the built service', () => {
  before(async () => {
    picture = new Uint8Array(await noisyPng(16, 16));
  });

  beforeEach(async () => {
    folder = await ServiceFolder.open();
    inbox = await WebhookInbox.open();
  });

  afterEach(async () => {
    await folder.close();
    await inbox.close();
  });

  describe('one process', oneProcess);
  describe('several processes', severalProcesses);
  describe('the command', command);
});

function oneProcess(): void {
  it('get every change as the feed has it, signed', async () => {
    const service = await folder.start(inbox.env);
    const client = folder.client(service);
    const id = await uploadTo(client);
    await client.patch(id, { title: 'cat' });
    await client.delete(id);
    const received = await inbox.whenReceived(3);
    const { changes } = (await (await client.read('api/changes')).json()) as {
      readonly changes: ReadonlyArray<{ readonly type: string; readonly at: string }>;
    };

    expect(received.map(({ body }) => body)).to.deep.equal(
      changes.map((change) => ({ type: change.type, timestamp: change.at, data: change })),
    );
    expect(changes.map(({ type }) => type)).to.deep.equal([
      'image.created',
      'image.updated',
      'image.deleted',
    ]);
    expect(inbox.invalid).to.deep.equal([]);
  });

  it('carry the space of each change if tokens name one, also in a replay', async () => {
    const service = await folder.start({ ...inbox.env, SPACE_CLAIM: 'tenant' });
    for (const tenant of ['alpha', 'beta']) {
      await uploadTo(folder.client(service, folder.tokenWith({ tenant })));
    }
    const first = [...(await inbox.whenReceived(2))];
    const changes = (await folder.run(['changes'])).stdout.trim().split('\n');
    await folder.run(['webhooks', 'replay', '--after', String(first[0]?.body.data?.cursor), '--', '1']);
    const received = await inbox.whenReceived(3);

    expect(first.map(({ body }) => body.data)).to.deep.equal(changes.map((line) => JSON.parse(line)));
    expect(first.map(({ body }) => body.data?.space)).to.deep.equal(['alpha', 'beta']);
    expect(received[2]).to.deep.equal(first[1]);
  });

  it('do not hold up the end of a process while a receiver hangs', async () => {
    const silent = await ScriptedServer.start(() => undefined);
    const service = await folder.start({
      ...inbox.env,
      WEBHOOK_URLS: `${silent.url}/`,
      SHUTDOWN_GRACE_SECONDS: '3',
    });
    await uploadTo(folder.client(service));
    await eventually(() => silent.seen.length, Boolean);

    expect(await service.process.stop()).to.deep.equal({ code: 0, signal: null });
    await silent.stop();
  });

  it('are not sent by a process that is read-only', async () => {
    const service = await folder.start({ ...inbox.env, READ_ONLY: 'true', MANAGEMENT_PORT: '0' });
    const scrape = await scrapeOf(service);
    expect(await listed()).to.deep.equal([]);
    expect(scrape.all('image_catalog_webhook_lag_seconds')).to.deep.equal([]);
  });
}

function severalProcesses(): void {
  let one: RunningService;
  let other: RunningService;

  beforeEach(async () => {
    one = await folder.start(inbox.env);
    other = await folder.start(inbox.env);
  });

  it('go on when the one that sends was killed and its lease is over', async () => {
    await uploadTo(folder.client(one));
    await inbox.whenReceived(1);
    await one.process.stop('SIGKILL');
    const id = await uploadTo(folder.client(other));
    const knex = openSqliteDatabase(databaseFile(folder.path));
    const [{ left }] = (await knex.raw(
      `select lease_until - unixepoch('subsec') * 1000 as left from webhook_endpoints`,
    )) as [{ readonly left: number }];
    await knex('webhook_endpoints').update({ lease_until: 0 });
    await knex.destroy();
    // The first may come again: the process was perhaps killed before it had noted the delivery.
    const received = await eventually(idsIn, (ids) => ids.includes(id));

    expect(left).to.be.within(1, 58_000);
    expect([...new Set(received)]).to.deep.equal([1, id]);
  });
}

function command(): void {
  it('lists, resumes and replays, and shows no secret', async () => {
    inbox.status = 410;
    const secret = inbox.url.replace('//', '//alice:hunter2@').concat('in?key=opensesame');
    const service = await folder.start({ ...inbox.env, WEBHOOK_URLS: secret });
    await uploadTo(folder.client(service));
    const [stopped] = await eventually(listed, ([seen]) => seen?.state === 'stopped');
    const table = await folder.run(['webhooks', '--format', 'table']);
    inbox.status = 204;
    const resumed = await folder.run(['webhooks', 'resume', `${inbox.url}in`]);
    const [first] = await inbox.whenReceived(1);
    await uploadTo(folder.client(service));
    await inbox.whenReceived(2);
    const replayed = await folder.run(['webhooks', 'replay', '1', '--after', first?.body.data?.cursor ?? '']);
    const received = await inbox.whenReceived(3);

    expect(stopped).to.deep.include({
      number: 1,
      url: `${inbox.url}in`,
      state: 'stopped',
      lastError: 'HTTP 410',
    });
    expect(stopped?.lagSeconds).to.be.above(0);
    expect([resumed.code, replayed.code]).to.deep.equal([0, 0]);
    expect(received[2]).to.deep.equal(received[1]);
    const output = [table, resumed, replayed].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(output).to.contain(`${inbox.url}in`);
    expect(output + service.process.output).not.to.match(/hunter2|opensesame|whsec_/);
  });

  it('refuses what it does not know', async () => {
    const service = await folder.start({
      WEBHOOK_URLS: `${inbox.url}?a,${inbox.url}?b`,
      WEBHOOK_SECRETS: WEBHOOK_SECRET,
    });
    await service.process.stop();
    const calls = [
      ['resume', '3'],
      ['resume', inbox.url],
      ['resume', '1', '--after', UNKNOWN_CURSOR],
      ['--after', UNKNOWN_CURSOR],
    ];
    for (const call of calls) {
      const { code } = await folder.run(['webhooks', ...call]);
      expect(code, call.join(' ')).to.equal(64);
    }
    const expired = await folder.run(['webhooks', 'replay', '1', '--after', UNKNOWN_CURSOR]);
    expect(expired.code).to.equal(65);
  });
}
