import { expect } from 'chai';
import { beginUpload, outcomeOf } from '../support/http/begun-upload.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TicketedService } from '../support/http/ticketed-service.ts';

const tickets = startFor('all', () => TicketedService.start());

describe('The path of a ticket', () => {
  it('is judged before the body: a client that waits for 100 Continue sends none', async () => {
    const { connection, first } = await beginUpload(tickets, '/u/none');

    expect(outcomeOf(first)).to.equal('403 ticket_invalid');
    await connection.closed;
  });

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
