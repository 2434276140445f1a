import type { Arbitrary } from 'fast-check';
import * as fc from 'fast-check';
import { BOUNDARY, FORM_TYPE } from '../../support/fixtures/multipart.ts';
import type { Delivery, Framing, FuzzBody, FuzzRequest, FuzzToken, Mutation, Pair } from '../fuzz-request.ts';

const LATIN1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...LATIN1), maxLength: 30 }),
  fc.constantFrom('', '__proto__', 'constructor', '%', '%00', '\0', '../..', 'é'.repeat(200)),
);
/** Without characters that end a header line. */
const lineText = anyText.map((text) => text.replaceAll(/\p{Cc}/gu, ' '));

const METHODS = fc.constantFrom(
  ...'OPTIONS DELETE POST PUT PATCH TRACE PROPFIND QUERY CONNECT get'.split(' '),
  '',
  'G\0T',
);
const VERSIONS = fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', '', 'X');

const TOKENS: Arbitrary<FuzzToken> = fc.record({
  kind: fc.constantFrom('lower-case scheme', 'missing', 'altered', 'any text'),
  text: fc.oneof(
    lineText,
    lineText.map((text) => `Bearer ${text}`),
  ),
});

/** No other id of an existing image: clients must not delete the images of others. */
const SEGMENTS = fc.oneof(
  anyText.map((text) => encodeURIComponent(Buffer.from(text).toString()).replace(/^\d+$/, '-$&')),
  fc.constantFrom('%', '%2e%2e', '%ff', '%00', '..', '.', 'a%2Fb', ';', ':id', '*'),
);

/** Queries that are hardly text, paths that are none, and targets of RFC 9112, section 3.2, and invalid ones. */
const TARGETS = fc.oneof(
  fc.constantFrom('%', '%zz=%', '=', '&&', 'a', '__proto__=1', 'limit').map((query) => `{target}?${query}`),
  lineText.map((text) => `{target}?${text.replaceAll(/[\s#]|[^\x21-\x7e]/gu, '')}`),
  fc.constantFrom('/API/images', '/api/images/', '//api/images', 'http://images.example{target}'),
  SEGMENTS.map((text) => `/api/image/${text}/file`),
  fc.array(SEGMENTS, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`),
  fc.tuple(fc.constantFrom('http://', '/', ''), lineText).map((parts) => parts.join('')),
  fc.constantFrom('*', '', 'http://[', 'http://[::1', 'http://a:b/', '//a@[#', '/#', 'images.example:443'),
  fc.constant(`/${'x'.repeat(17_000)}`),
);

const HEADERS = fc.oneof(
  header('X-Request-Id', fc.constantFrom('a', 'client.id-1', 'x'.repeat(128), 'x'.repeat(129), 'a b')),
  header('Origin', fc.constantFrom('https://app.example', 'null')),
  header('Access-Control-Request-Method', fc.constantFrom('POST', 'DELETE')),
  header('Expect', fc.constantFrom('100-continue', '200-ok')),
  header('Connection', fc.constantFrom('close', 'keep-alive', 'Upgrade', 'x')),
  header('Upgrade', fc.constantFrom('websocket', 'h2c', 'TLS/1.0')),
  header('Content-Encoding', fc.constantFrom('gzip', 'identity', 'br')),
  header(
    'X-Large',
    fc.nat({ max: 18_000 }).map((length) => 'x'.repeat(length)),
  ),
  fc.tuple(
    fc.constantFrom('X-Request-Id', 'Origin', 'Idempotency-Key', 'Cookie', 'Accept-Encoding', 'TE', 'Host'),
    lineText,
  ),
  // Lines that are not headers.
  fc.tuple(
    fc.constantFrom('Bad Name', 'X-Folded', '', 'Ünicode', 'X-Control'),
    fc.oneof(anyText, fc.constant('a\r\n b')),
  ),
);

function header(name: string, values: Arbitrary<string>): Arbitrary<Pair> {
  return values.map((value) => [name, value]);
}

const FORM_TYPES = fc.oneof(
  fc.constantFrom(
    `Multipart/Form-Data;boundary="${BOUNDARY}"`,
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    `multipart/mixed; boundary=${BOUNDARY}`,
    'image/png',
    '',
  ),
  lineText,
  lineText.map((text) => `multipart/form-data; boundary=${text}`),
);

const BAD_FRAMINGS = fc.constantFrom<Framing>(
  'chunked without an end',
  'chunked with a bad size',
  'a length too small',
  'a length too large',
  'an enormous length',
  'no length',
  'a length that is not a number',
  'two lengths',
  'a length and chunked',
  'an unknown coding',
);

const ENDINGS = fc.record({
  ending: fc.constantFrom('ends' as const, 'resets' as const),
  sent: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

function withFields(fields: Partial<FuzzRequest>): Mutation {
  return (request) => ({ ...request, ...fields });
}

function withDelivery(change: Partial<Delivery>): Mutation {
  return (request) => ({ ...request, delivery: { ...request.delivery, ...change } });
}

function withBody(change: (body: FuzzBody) => FuzzBody): Mutation {
  return (request) => ({ ...request, body: change(request.body) });
}

/** Each changes one thing of what reads the bytes of HTTP, of tokens and of forms. */
const byteMutation: Arbitrary<Mutation> = fc.oneof(
  METHODS.map((method) => withFields({ method })),
  VERSIONS.map((version) => withFields({ version })),
  TOKENS.map((token) => withFields({ token })),
  { weight: 2, arbitrary: TARGETS.map((target) => withFields({ target })) },
  {
    weight: 2,
    arbitrary: HEADERS.map(
      (line): Mutation =>
        (request) => ({ ...request, headers: [...request.headers, line] }),
    ),
  },
  BAD_FRAMINGS.map((framing) => withDelivery({ framing })),
  ENDINGS.map(withDelivery),
  FORM_TYPES.map((mediaType) => withBody((body) => (body.kind === 'none' ? body : { ...body, mediaType }))),
  fc
    .array(anyText, { maxLength: 2 })
    .map((headers) => withBody((body) => (body.kind === 'form' ? { ...body, headers } : body))),
  anyText.map((text) => withBody(() => ({ kind: 'text', mediaType: FORM_TYPE, text }))),
);

/** Some of them, in any combination. */
export const byteMutations: Arbitrary<Mutation> = fc
  .array(byteMutation, { minLength: 1, maxLength: 3 })
  .map((all) => [withFields({ mutation: 'bytes', expected: undefined }), ...all])
  .map(
    (all): Mutation =>
      (request) =>
        all.reduce((changed, mutate) => mutate(changed), request),
  );
