import { expect } from 'chai';
import { exampleRecord } from '../../src/adapters/http/record/example-image.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';
import { defaultDocument } from '../support/openapi/default-document.ts';
import { DescribedApi, type Description, type ReceivedResponse } from '../support/openapi/described-api.ts';
import { matrixOf } from '../support/openapi/matrix.ts';

const EXAMPLE_RECORD = exampleRecord([16, 32]);
const DOCUMENT = defaultDocument() as Description;
const REQUEST = { method: 'POST', path: '/api/upload' };
const CREATED: ReceivedResponse = {
  status: 201,
  headers: {
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'a',
    'cache-control': 'no-store',
    location: '/api/image/1',
    date: 'Sat, 31 Jan 2026 12:00:00 GMT',
    vary: 'Origin',
  },
  text: JSON.stringify(EXAMPLE_RECORD),
};

const faults: ReadonlyArray<readonly [fault: string, response: ReceivedResponse, complaint: RegExp]> = [
  ['an undeclared status', { ...CREATED, status: 202 }, /uploadImage 202 is not declared/],
  ['an undeclared header', withHeaders({ 'x-secret': '1' }), /header x-secret is not declared/],
  ['a header with another value', withHeaders({ location: '/api/image/0' }), /location differs/],
  ['an undeclared media type', withHeaders({ 'content-type': 'text/html' }), /text\/html is not declared/],
  ['an undeclared field', withBody({ ...EXAMPLE_RECORD, blobKey: 'x' }), /unevaluated/],
  [
    'an undeclared field of an inner object',
    withBody({ ...EXAMPLE_RECORD, links: { ...EXAMPLE_RECORD.links, blob: 'x' } }),
    /unevaluated/,
  ],
  ['a missing field', withBody({ ...EXAMPLE_RECORD, sha256: undefined }), /required property 'sha256'/],
  ['a field of another type', withBody({ ...EXAMPLE_RECORD, size: '1' }), /size must be integer/],
  ['a field of another form', withBody({ ...EXAMPLE_RECORD, createdAt: 'today' }), /must match format/],
  ['no body', { ...CREATED, headers: without('content-type') }, /lacks its body/],
  ['no Location', { ...CREATED, headers: without('location') }, /lacks location/],
];

function without(name: string): ReceivedResponse['headers'] {
  const headers = Object.entries(CREATED.headers).filter(([header]) => header !== name);
  return Object.fromEntries(headers);
}

function withHeaders(headers: Readonly<Record<string, string>>): ReceivedResponse {
  return { ...CREATED, headers: { ...CREATED.headers, ...headers } };
}

function withBody(body: object): ReceivedResponse {
  return { ...CREATED, text: JSON.stringify(body) };
}

describe('The check of the responses against the OpenAPI document', () => {
  const api = new DescribedApi(DOCUMENT);

  it('accepts a declared response', () => {
    api.check(REQUEST, CREATED);
  });

  for (const [fault, response, complaint] of faults) {
    it(`fails for ${fault}`, () => {
      expect(() => api.check(REQUEST, response)).to.throw(complaint);
    });
  }

  it('fails for an error code that the operation does not declare', () => {
    const error = { code: 'not_acceptable', message: 'no' };
    const response = { ...withBody(error), status: 415, headers: { ...CREATED.headers } };
    expect(() => api.check(REQUEST, response)).to.throw('not declared');
  });

  it('fails for another status of an unknown path', () => {
    expect(() => api.check({ method: 'GET', path: '/api/imagesx' }, CREATED)).to.throw('no operation');
  });

  it('is a part of each request of the HTTP tests', async () => {
    const summary = { title: null, tags: [], takenAt: null };
    const broken = { ...newImage({ width: 0 }), ...summary, id: 1, createdAt: new Date() };
    const service = await TestService.start({
      modules: [
        wrapping(TOKENS.images, (images) =>
          intercepted(images, (method, proceed) =>
            method === 'findById' ? Promise.resolve(broken) : proceed(),
          ),
        ),
      ],
    });
    const failure = await rejection(service.get('/api/image/1').then((response) => response));
    const connection = await service.connect();
    connection.send(`GET /api/image/1 HTTP/1.1\r\nHost: a\r\nAuthorization: ${service.bearer}\r\n\r\n`);
    const rawFailure = await rejection(connection.response());
    connection.close();
    await service.stop();
    expect(String(failure)).to.match(/width must be >= 1/);
    expect(String(rawFailure)).to.match(/width must be >= 1/);
  });
});

describe('The matrix of operations and declared statuses', () => {
  it('has the hits of each', () => {
    expect(matrixOf(DOCUMENT, { 'greet 200': 12 }).text).to.match(/^greet +12 /m);
  });

  it('misses every declared status without a hit that can be provoked', () => {
    const { missing } = matrixOf(DOCUMENT, { 'deleteImage 204': 1 });
    expect(missing).to.include.members(['greet 200', 'deleteImage 412', 'uploadImage 403']);
    expect(missing).not.to.include('deleteImage 204');
    expect(missing.filter((response) => /408|500|503/.test(response))).to.deep.equal([]);
  });
});
