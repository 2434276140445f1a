import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

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

describe('A request from another origin', () => {
  describe('if any origin is allowed', () => {
    const service = startFor('all', () => TestService.start());

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
