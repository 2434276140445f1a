import { expect } from 'chai';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { TicketedService, WEB_URL } from '../support/http/ticketed-service.ts';

const PATH = '/api/uploads/tickets';
const MAX_BYTES = 200_000;

interface Made {
  readonly expiresAt: string;
  readonly urls: readonly string[];
}

const tickets = startFor('all', () => TicketedService.start());

async function made(body: object): Promise<Made> {
  const response = await tickets.make(body);
  expect([response.status, response.status === 200 ? '' : response.text]).to.deep.equal([200, '']);
  return response.body as Made;
}

/** A description whose JSON, with the name of its field, has so many bytes. */
function metadataOf(bytes: number): object {
  return { description: 'x'.repeat(bytes - '{"description":""}'.length) };
}

const REFUSED: ReadonlyArray<readonly [field: string, body: object]> = [
  ['metadata', { metadata: metadataOf(2_001) }],
  ['metadata.focus', { metadata: { focus: { x: 0.1234, y: 0 } } }],
];

describe('POST /api/uploads/tickets', () => {
  it('returns the URL of one ticket, good for 15 minutes', async () => {
    const before = Date.now();
    const response = await tickets.make({});
    const { expiresAt, urls } = response.body as Made;

    expect(response.headers).to.include({ 'cache-control': 'no-store' });
    expect(response.body).to.have.all.keys('expiresAt', 'urls');
    expect(Date.parse(expiresAt)).to.be.within(before + 900_000, Date.now() + 900_000);
    expect(urls).to.have.length(1);
    expect(urls[0]).to.match(/^https:\/\/cats\.example\.com\/gallery\/u\/[A-Za-z0-9_-]{100,200}$/);
  });

  it('makes as many tickets as asked for, all of them different, and stores none', async () => {
    const before = Date.now();
    const { expiresAt, urls } = await made({ count: 100, ttlSeconds: 86_400 });

    expect(new Set(urls)).to.have.property('size', 100);
    expect([await tickets.service.records(), await tickets.service.leftovers()]).to.deep.equal([0, []]);
    expect(Date.parse(expiresAt)).to.be.within(before + 86_400_000, Date.now() + 86_400_000);
  });

  it('keeps the longest ticket within 7,500 characters', async () => {
    const body = { metadata: metadataOf(2_000), maxBytes: MAX_BYTES };
    const wide = await TicketedService.start({ spaceClaim: 'org' });
    const ticket = await wide.ticket(body, { org: '🐈'.repeat(255), sub: '猫'.repeat(255) });

    expect(WEB_URL.length + ticket.length).to.be.lessThan(7_500);
    await wide.stop();
  });

  for (const [field, body] of REFUSED) {
    it(`refuses ${JSON.stringify(body).slice(0, 40)}, naming ${field}`, async () => {
      const response = await tickets.make(body);

      expect(refusalOf(response)).to.deep.equal([400, 'invalid_request']);
      expect(response.text).to.include(`\\"${field}\\"`);
      expect(response.text).not.to.include('Invalid input');
    });
  }

  it('returns 404 if no listener takes tickets', async () => {
    const closed = await TestService.start();
    expect(refusalOf(await closed.postJson(PATH, '{'))).to.deep.equal([404, 'not_found']);
    await closed.stop();
  });
});
