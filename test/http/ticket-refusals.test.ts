import { Agent, request } from 'node:http';
import { expect } from 'chai';
import type { Response } from 'supertest';
import { NodeAddressSeal } from '../../src/adapters/system/node-address-seal.ts';
import { RotateLinkKey } from '../../src/application/maintenance/rotate-link-key.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { respelledTicket } from '../support/fixtures/altered-ticket.ts';
import { filePart, multipart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const INVALID = [403, 'ticket_invalid'];

let tickets: TicketedService;
let clock: ManualClock;
let png: Buffer;

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

async function statusOf(path: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const { port } = tickets.web;
    request({ agent, port, path, method: 'POST' }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    })
      .once('error', reject)
      .end();
  });
}

async function uploadTo(path: string): Promise<Response> {
  const response = await tickets.upload(path, png);
  expect(response.headers).to.include({ 'access-control-allow-origin': '*', 'cache-control': 'no-store' });
  return response;
}

async function rotate(revoke: boolean): Promise<void> {
  const { container } = tickets.service;
  const rotateLinkKey = new RotateLinkKey(container.get(TOKENS.linkKeys), new NodeAddressSeal(), clock);
  await rotateLinkKey.execute({ revoke });
  clock.advance(1_000);
}

describe('A ticket', () => {
  before(async () => {
    png = await noisyPng(20, 20);
  });

  after(() => {
    agent.destroy();
  });

  beforeEach(async () => {
    clock = new ManualClock(new Date());
    tickets = await TicketedService.start({ serviceClock: clock });
  });

  afterEach(async () => {
    expect(await tickets.leftovers()).to.deep.equal([]);
    await tickets.stop();
  });

  it('has one spelling', async () => {
    const paths = await Promise.all(
      ['a', 'ab', 'abc'].map((title) => tickets.ticket({ metadata: { title } })),
    );
    for (const path of paths) {
      const [first = ''] = path.slice(3);
      const escaped = `%${first.charCodeAt(0).toString(16)}`;
      for (const other of [respelledTicket(path), `/u/${escaped}${path.slice(4)}`, `${path}=`, `${path}.`]) {
        expect([other, ...refusalOf(await uploadTo(other))]).to.deep.equal([other, ...INVALID]);
      }
    }
  });

  it('is refused with a query, also with an empty one', async () => {
    const path = await tickets.ticket();
    for (const query of ['?name=cat', '?a=b']) {
      expect(refusalOf(await uploadTo(path + query))).to.deep.equal(INVALID);
    }
    expect(await statusOf(`${path}?`)).to.equal(403);
    expect((await uploadTo(path)).status).to.equal(201);
  });

  it('is nothing else that the key has signed', async () => {
    const { id } = await tickets.service.upload(png);
    const links = await tickets.service.postJson(
      '/api/images/links',
      JSON.stringify({ ids: [id], page: { title: null } }),
    );
    const { images, page } = links.body as { images: Record<string, readonly string[]>; page: string };
    for (const url of [images[id]?.[0] ?? '', page]) {
      const mac = url.split('/').at(-1) ?? '';
      expect(refusalOf(await uploadTo(`/u/${mac}`))).to.deep.equal(INVALID);
    }
  });

  it('is over at its end, for replays too', async () => {
    const used = await tickets.ticket({ ttlSeconds: 60 });
    const path = await tickets.ticket({ ttlSeconds: 60 });
    expect((await uploadTo(used)).status).to.equal(201);

    clock.advance(59_999);
    expect((await uploadTo(used)).headers).to.include({ 'idempotency-replayed': 'true' });
    clock.advance(1);
    expect(refusalOf(await uploadTo(used))).to.deep.equal([410, 'ticket_expired']);
    expect(refusalOf(await uploadTo(path))).to.deep.equal([410, 'ticket_expired']);
    expect(refusalOf(await uploadTo(`${path}A`))).to.deep.equal(INVALID);
  });

  it('is good after a rotation of the key, and not after a revocation', async () => {
    const [first, second] = [await tickets.ticket(), await tickets.ticket()];
    await rotate(false);
    expect((await uploadTo(first)).status).to.equal(201);
    const third = await tickets.ticket();

    await rotate(true);
    expect(refusalOf(await uploadTo(second))).to.deep.equal(INVALID);
    expect(refusalOf(await uploadTo(third))).to.deep.equal(INVALID);
    expect((await uploadTo(await tickets.ticket())).status).to.equal(201);
  });

  it('is judged before the body: a client that waits for 100 Continue sends none', async () => {
    const connection = await tickets.connect();
    connection.send(
      'POST /u/none HTTP/1.1\r\nHost: h\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n',
    );
    const response = await connection.response();

    expect([response.status, JSON.parse(response.body)]).to.deep.equal([
      403,
      { code: 'ticket_invalid', message: 'This ticket is not valid' },
    ]);
    await connection.closed;
  });

  it('is no path of the API listener', async () => {
    const path = await tickets.ticket();
    const form = multipart([filePart(png)]);
    const response = await tickets.service.anonymous('post', path).send(form.toString('latin1'));
    expect(refusalOf(response)).to.deep.equal([401, 'credentials_required']);
  });
});

describe('The path of a ticket', () => {
  before(async () => {
    tickets = await TicketedService.start();
  });

  after(() => tickets.stop());

  it('answers the preflight of any page', async () => {
    const { status, headers, text } = await tickets.web.agent
      .options('/u/some-ticket')
      .set({ Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'POST' });

    expect([status, text]).to.deep.equal([204, '']);
    expect(headers).to.include({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, X-Content-SHA256',
    });
    expect(headers).not.to.have.property('access-control-allow-credentials');
  });

  for (const method of ['get', 'head', 'put', 'patch', 'delete'] as const) {
    it(`knows no ${method.toUpperCase()}`, async () => {
      const response = await tickets.web.agent[method]('/u/some-ticket');

      expect([response.status, response.headers['allow']]).to.deep.equal([405, 'POST, OPTIONS']);
      expect(response.headers).to.include({ 'access-control-allow-origin': '*' });
    });
  }

  it('has one segment', async () => {
    for (const path of ['/u', '/u/', '/u/a/', '/u/a/b', '//u/a']) {
      expect([path, ...refusalOf(await tickets.web.agent.post(path))]).to.deep.equal([
        path,
        404,
        'not_found',
      ]);
    }
  });
});
