import { expect } from 'chai';
import { requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

describe('a request target', () => {
  const service = startFor('all', () => TestService.start());

  const taken: ReadonlyArray<readonly [form: string, target: string, status: number]> = [
    ['an absolute path with a query', '/api/images?limit=1', 200],
    ['an absolute URL', 'http://images.example/api/images', 200],
    ['an absolute URL of another scheme', 'HTTPS://images.example/api/images', 200],
    ['an absolute URL without a path', 'http://images.example', 200],
    ['an absolute URL without a path, with a query', 'http://images.example?limit=0', 400],
    ['the dots of an absolute URL as they are', 'http://images.example/x/../api/images', 404],
    ['two slashes', '//images.example/api/images', 404],
    ['an asterisk', '*', 404],
    ['characters that should be percent-encoded', '/api/{images}|"<[^`]>"', 404],
    ['a percent sign that encodes nothing', '/api/image/%', 400],
  ];

  for (const [form, target, status] of taken) {
    it(`accepts ${form}`, async () => {
      const connection = await service.connect();
      connection.send(requestHead('GET', target, { Authorization: service.bearer, Connection: 'close' }));
      const response = await connection.response();
      expect(response.status).to.equal(status);
    });
  }

  const refused = [
    'http://[::1/',
    'http://a:99999/',
    'http://%/',
    'ftp://images.example/',
    '//a@[#',
    '/#fragment',
    'http://images.example#fragment',
    '/\u00a0',
  ];

  const manyHeaders = 'a:\r\n'.repeat(3_000);
  const twoHosts = [
    'Host: a\r\nHost: b',
    'Host: a\r\nhost: a',
    'HOST: a\r\nX-A: b\r\nHost:',
    `Host: a\r\n${manyHeaders}Host: b`,
  ];

  for (const hosts of twoHosts) {
    it(`returns 400 for the headers ${JSON.stringify(hosts.replace(manyHeaders, '3,000 others, '))}`, async () => {
      const connection = await service.connect();
      connection.send(`GET / HTTP/1.1\r\n${hosts}\r\n\r\n`);
      const { status, body } = await connection.response();
      expect([status, (JSON.parse(body) as { code: unknown }).code]).to.deep.equal([400, 'invalid_request']);
      await connection.closed;
    });
  }

  it('is accepted with headers that are named like properties of every object', async () => {
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'toString']) {
      const connection = await service.connect();
      connection.send(requestHead('GET', '/', { [name]: 'x', Connection: 'close' }));
      const { status } = await connection.response();
      expect([name, status]).to.deep.equal([name, 200]);
    }
  });

  for (const target of refused) {
    it(`returns 400 for ${JSON.stringify(target)}, with and without a token`, async () => {
      for (const headers of [{ Authorization: service.bearer }, {}]) {
        const connection = await service.connect();
        connection.send(Buffer.from(requestHead('GET', target, headers), 'latin1'));
        const { status, body, headers: received } = await connection.response();
        expect([status, (JSON.parse(body) as { code: unknown }).code]).to.deep.equal([
          400,
          'invalid_request',
        ]);
        expect(received['x-request-id']).to.be.a('string');
        await connection.closed;
      }
    });
  }
});
