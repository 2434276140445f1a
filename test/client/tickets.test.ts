import { expect } from 'chai';
import type * as z from 'zod';
import type { TicketsOptions } from '../../client/src/catalog-client.ts';
import type { ImageRecord } from '../../client/src/image-record.ts';
import { ImageCatalog, uploadByTicket } from '../../client/src/node.ts';
import { nodePlatform } from '../../client/src/platform/node-platform.ts';
import { uploadByTicket as sendByTicket } from '../../client/src/upload-by-ticket.ts';
import type { makeTickets } from '../../src/adapters/http/tickets/make-tickets.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TicketedService, WEB_URL } from '../support/http/ticketed-service.ts';
import { hangUp, json, refusal, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';

const IMAGE = { id: 7 };
const FILE = new File(['bytes'], 'cat.png');
const SHA256 = '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9';

let png: Buffer;

before(async () => {
  png = await noisyPng(40, 30);
});

describe('tickets of the client', () => {
  const tickets = startFor('all', () => TicketedService.start());
  let images: ImageCatalog;

  before(async () => {
    images = new ImageCatalog({ url: tickets.service.url, getToken: () => tickets.service.token() });
  });

  async function ticket(options?: TicketsOptions): Promise<string> {
    const { urls } = await images.createTickets(options);
    return (urls[0] ?? '').replace(WEB_URL, `http://127.0.0.1:${tickets.web.port}/`);
  }

  it('have the fields of the service', () => {
    type Sent = Omit<TicketsOptions, 'signal' | 'metadata'>;
    type Body = ReturnType<typeof makeTickets.operation>['json']['schema'];
    type Taken = Omit<z.input<Body>, 'metadata'>;
    const names: keyof Sent extends keyof Taken ? (keyof Taken extends keyof Sent ? true : false) : false =
      true;
    expect(names).to.equal(true);
  });

  it('are made, with what they are asked for', async () => {
    const before = Date.now();
    const { urls, expiresAt } = await images.createTickets({
      count: 2,
      maxBytes: 1000,
      metadata: { title: 'Cat' },
      ttlSeconds: 60,
    });

    expect(urls).to.have.length(2);
    expect(Date.parse(expiresAt)).to.be.within(before + 60_000, Date.now() + 60_000);
  });

  it('take an upload without a token, with its progress and its name', async () => {
    const loaded: number[] = [];
    const image = await uploadByTicket(
      await ticket({ metadata: { title: 'Cat' } }),
      new File([png], 'cat.png'),
      {
        onProgress: (progress) => loaded.push(progress.loaded),
      },
    );
    const record: ImageRecord = await images.get(image.id);

    expect(image).to.deep.equal({
      id: record.id,
      mediaType: 'image/png',
      size: png.length,
      width: 40,
      height: 30,
      sha256: record.sha256,
      thumbhash: record.thumbhash,
      createdAt: record.createdAt,
    });
    expect([record.title, record.originalName]).to.deep.equal(['Cat', 'cat.png']);
    expect(loaded.at(-1)).to.equal(png.length);
  });

  it('tell what is wrong with a ticket', async () => {
    const refused = await rejection(uploadByTicket(`${await ticket()}A`, new Blob([png])));
    expect(refused).to.include({ status: 403, code: 'ticket_invalid', kind: 'forbidden' });
  });
});

describe('the retries of uploads by ticket', () => {
  let server: ScriptedServer;
  const waits: number[] = [];

  async function upload(steps: readonly Step[], options = {}): Promise<unknown> {
    server = await ScriptedServer.start(...steps);
    const platform = { ...nodePlatform, wait: async (ms: number): Promise<void> => void waits.push(ms) };
    return await sendByTicket(platform, `${server.url}/u/ticket`, FILE, options);
  }

  afterEach(async () => {
    await server.stop();
    waits.length = 0;
  });

  for (const [name, step] of [
    ['a connection that ends without a response', hangUp],
    ['503', refusal(503, 'overloaded')],
    ['502 of a gateway', (response) => void response.writeHead(502).end('<html>')],
    ['409 idempotency_key_in_use', refusal(409, 'idempotency_key_in_use')],
  ] as ReadonlyArray<readonly [string, Step]>) {
    it(`repeat the same bytes after ${name}`, async () => {
      expect(await upload([step, json(201, IMAGE)])).to.deep.equal(IMAGE);

      expect(server.seen).to.have.lengthOf(2);
      for (const { url, headers } of server.seen) {
        expect(url).to.equal('/u/ticket');
        expect(headers).to.include({ 'x-content-sha256': SHA256 });
        expect(headers).not.to.have.any.keys('authorization', 'idempotency-key');
      }
    });
  }

  for (const [status, code] of [
    [403, 'ticket_invalid'],
    [409, 'ticket_used'],
    [410, 'ticket_expired'],
    [503, 'read_only'],
  ] as const) {
    it(`end at ${status} ${code}`, async () => {
      expect(await rejection(upload([refusal(status, code)]))).to.include({ status, code });
      expect(server.seen).to.have.lengthOf(1);
    });
  }
});
