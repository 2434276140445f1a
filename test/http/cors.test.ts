import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { RawConnection, type RawResponse, requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { WebListener } from '../support/http/web-listener.ts';

const APP = 'https://app.example.com';
const OTHER = 'https://other.example.com';
const GALLERY = 'https://gallery.example.com';
const UNLISTED = 'https://unlisted.example.com';
const EXPOSED = [
  'Accept-Patch',
  'Changes-Cursor',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Repr-Digest',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
  'X-Total-Count',
];

function listed(response: Response, header: string): readonly string[] {
  return (response.headers[header] ?? '').split(',').map((name: string) => name.trim());
}

/** The response to a token of 20 KB, and to a request that is not HTTP: the application sees neither. */
async function unreadableBy(port: number): Promise<readonly RawResponse[]> {
  const head = requestHead('GET', '/api/images', {
    Origin: APP,
    Authorization: `Bearer ${'x'.repeat(20_000)}`,
  });
  const responses = [];
  for (const text of [head, 'HELLO\r\n\r\n']) {
    const connection = await RawConnection.open(port);
    connection.send(text);
    responses.push(await connection.response());
    await connection.closed;
  }
  expect(responses.map(({ status }) => status)).to.deep.equal([431, 400]);
  return responses;
}

function expectReadableByAll(responses: readonly RawResponse[]): void {
  for (const { headers } of responses) {
    expect(headers).to.include({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-Request-Id',
    });
  }
}

describe('A request from another origin', () => {
  describe('if any origin is allowed', () => {
    const service = startFor('all', () => TestService.start());

    it('can read why a token of 20 KB is refused', async () => {
      const responses = await unreadableBy(service.port);
      expectReadableByAll(responses);
      expect(JSON.parse(responses[0]?.body ?? '')).to.deep.equal({
        code: 'invalid_request',
        message:
          'The request headers are larger than 16384 bytes: send a shorter token, or let the service accept longer ones with --max-http-header-size of Node.js',
      });
    });

    const readable: ReadonlyArray<readonly [what: string, send: () => Test, status: number]> = [
      ['a success', () => service.get('/api/images'), 200],
      ['the greeting', () => service.anonymous('get', '/'), 200],
      ['a missing token', () => service.anonymous('get', '/api/images'), 401],
      ['an unknown path', () => service.get('/nowhere'), 404],
      ['a wrong method', () => service.delete('/api/images'), 405],
    ];
    for (const [what, send, status] of readable) {
      it(`can read the response to ${what}`, async () => {
        const response = await send().set('Origin', APP);
        expect(response.status).to.equal(status);
        expect(response.headers['access-control-allow-origin']).to.equal('*');
        expect(response.headers).not.to.have.property('access-control-allow-credentials');
        expect(listed(response, 'access-control-expose-headers')).to.include.members(EXPOSED);
      });
    }

    it('may send the headers that the routes take', async () => {
      const response = await service
        .anonymous('options', '/api/upload')
        .set({ Origin: APP, 'Access-Control-Request-Method': 'POST' });
      const allowed =
        'Authorization Content-Type Idempotency-Key If-Match If-None-Match Range X-Content-SHA256';
      expect(listed(response, 'access-control-allow-headers')).to.include.members([
        ...allowed.split(' '),
        'X-Request-Id',
      ]);
    });

    it('needs a token for OPTIONS without a preflight header', async () => {
      const response = await service.anonymous('options', '/api/images').set('Origin', APP);
      expect(response.status).to.equal(401);
    });
  });

  describe('if some origins are allowed', () => {
    const service = startFor('all', () =>
      TestService.start({ corsOrigins: [APP, OTHER], webUrl: `${GALLERY}/pictures/` }),
    );

    it('cannot read why a token of 20 KB is refused, except on the web listener', async () => {
      for (const { headers } of await unreadableBy(service.port)) {
        expect(headers).not.to.have.property('access-control-allow-origin');
      }
      const web = await WebListener.start(service);
      expectReadableByAll(await unreadableBy(web.port));
      await web.stop();
    });

    for (const [origin, isAllowed] of [
      [APP, true],
      [OTHER, true],
      [GALLERY, true],
      [UNLISTED, false],
      ['null', false],
      [`${APP}.evil.example`, false],
      ['https://app.example.com:8443', false],
      ['http://app.example.com', false],
    ] as const) {
      it(`is ${isAllowed ? '' : 'not '}allowed from ${origin}, with "Vary: Origin"`, async () => {
        const response = await service.get('/api/images').set('Origin', origin);
        const allowed = response.headers['access-control-allow-origin'];
        expect(allowed).to.equal(isAllowed ? origin : undefined);
        expect(listed(response, 'vary')).to.include('Origin');
      });
    }
  });
});
