import type { Arbitrary } from 'fast-check';
import * as fc from 'fast-check';
import { BOUNDARY, FORM_TYPE } from '../support/fixtures/multipart.ts';
import type { PictureName } from './fuzz-pictures.ts';

/** A request as generated, for what reads the bytes of HTTP, of tokens and of forms: small, printable, and independent of what the service holds when it is sent. */
export interface FuzzRequest {
  readonly method: string;
  /** `{id}` stands for the id of an existing image. */
  readonly target: string;
  readonly version: string;
  readonly token: FuzzToken;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body: FuzzBody | undefined;
  readonly delivery: Delivery;
  /** The allowed statuses; any declared one if there are none. */
  readonly expected: readonly number[];
}

/** The value of `Authorization`; the kinds before `missing` are valid. */
export interface FuzzToken {
  readonly kind: TokenKind;
  /** For kinds with a text. */
  readonly text: string;
}

export const GOOD_TOKENS = ['valid', 'lower-case scheme'] as const;
const BAD_TOKENS = ['missing', 'altered', 'any text'] as const;

export type TokenKind = (typeof GOOD_TOKENS)[number] | (typeof BAD_TOKENS)[number];

export type FuzzBody =
  | { readonly kind: 'form'; readonly part: FuzzPart; readonly isCut: boolean; readonly contentType: string }
  | { readonly kind: 'text'; readonly text: string; readonly contentType: string };

export interface FuzzPart {
  readonly headers: readonly string[];
  readonly content: PictureName;
}

export type Framing =
  | 'length'
  | 'chunked'
  | 'chunked with extensions and trailers'
  | 'chunked without an end'
  | 'chunked with a bad size'
  | 'a length too small'
  | 'a length too large'
  | 'an enormous length'
  | 'no length'
  | 'a length that is not a number'
  | 'two lengths'
  | 'a length and chunked'
  | 'an unknown coding';

export interface Delivery {
  readonly framing: Framing;
  /** The number of writes for the body. */
  readonly pieces: number;
  /** The client does this after it has sent the fraction `sent` of all bytes. */
  readonly ending: 'stays' | 'ends' | 'resets';
  /** 0 to 1. */
  readonly sent: number;
}

const LATIN1 = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.string({ maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...LATIN1), maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '__proto__', 'constructor', '%', '%00', '\0', '../..', 'é'.repeat(200)),
  },
);
/** Without characters that end a header line. */
const lineText = anyText.map((text) => text.replaceAll(/\p{Cc}/gu, ' '));

/** One of a few common values, or any other. */
function mostly(values: Arbitrary<string>, others: Arbitrary<string> = lineText): Arbitrary<string> {
  return fc.oneof({ weight: 12, arbitrary: values }, { weight: 1, arbitrary: others });
}

/* Tokens */

const token: Arbitrary<FuzzToken> = fc.record({
  kind: fc.oneof(
    { weight: 20, arbitrary: fc.constant<TokenKind>('valid') },
    { weight: 3, arbitrary: fc.constantFrom<TokenKind>(...GOOD_TOKENS) },
    { weight: 4, arbitrary: fc.constantFrom<TokenKind>(...BAD_TOKENS) },
  ),
  text: fc.oneof(
    lineText,
    lineText.map((text) => `Bearer ${text}`),
  ),
});

/* Targets */

/** No other id of an existing image: clients must not delete the images of others. */
const id = fc.oneof(
  { weight: 6, arbitrary: fc.constant('{id}') },
  { weight: 1, arbitrary: pathSegment().map((text) => (/^\d+$/.test(text) ? `-${text}` : text)) },
);

function pathSegment(): Arbitrary<string> {
  return fc.oneof(
    anyText.map((text) => encodeURIComponent(wellFormed(text))),
    fc.constantFrom('%', '%2e%2e', '%ff', '%00', '..', '.', 'a%2Fb', ';', ':id', '*'),
  );
}

const path = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/',
      '/api/upload',
      '/api/images',
      '/API/images',
      '/api/images/',
      '//api/images',
    ),
  },
  { weight: 2, arbitrary: id.map((text) => `/api/image/${text}`) },
  { weight: 2, arbitrary: id.map((text) => `/api/image/${text}/file`) },
  { weight: 1, arbitrary: fc.array(pathSegment(), { maxLength: 4 }).map((parts) => `/${parts.join('/')}`) },
);

/** Targets of RFC 9112, section 3.2, and invalid ones. */
const strangeTarget = fc.oneof(
  path.map((text) => `http://images.example${text}`),
  lineText.map((text) => `http://${text}`),
  lineText.map((text) => `/${text}`),
  lineText,
  fc.constantFrom(
    '*',
    '',
    'http://[',
    'http://[::1',
    'http://a:b/',
    '//a@[#',
    '/#',
    'images.example:443',
    `/${'x'.repeat(17_000)}`,
  ),
);

/** Names and values that are hardly text. `openapi/mutations.ts` has those that a parameter could have. */
const query = fc
  .array(
    fc.oneof(
      fc.tuple(lineText, lineText).map(([name, value]) => `${escaped(name)}=${escaped(value)}`),
      fc.constantFrom('%', '%zz=%', '=', '&&', 'a', '__proto__=1', 'limit'),
      lineText.map(targetText),
    ),
    { maxLength: 2 },
  )
  .map((parameters) => (parameters.length === 0 ? '' : `?${parameters.join('&')}`));

/** Without lone surrogates, which have no percent-encoding. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

function escaped(text: string): string {
  return encodeURIComponent(wellFormed(text));
}

/** Characters that are allowed in a request line. */
function targetText(text: string): string {
  return text.replaceAll(/[\s#]|[^\x21-\x7e]/gu, '');
}

/* Headers */

type Headers = ReadonlyArray<Arbitrary<readonly [string, string]>>;

const HEADERS: Headers = [
  header(
    'X-Request-Id',
    mostly(fc.constantFrom('a', 'client.id-1', 'x'.repeat(128), 'x'.repeat(129), 'a b')),
  ),
  header('Origin', mostly(fc.constantFrom('https://app.example', 'null'))),
  header('Access-Control-Request-Method', mostly(fc.constantFrom('POST', 'DELETE'))),
  header('Range', mostly(fc.constantFrom('bytes=0-0', 'bytes=99999-'))),
  header('Idempotency-Key', mostly(fc.nat({ max: 30 }).map((n) => `key-${n}`))),
  header('Expect', mostly(fc.constantFrom('100-continue', '200-ok'))),
  header('Connection', fc.constantFrom('close', 'keep-alive', 'Upgrade', 'x')),
  header('Upgrade', fc.constantFrom('websocket', 'h2c', 'TLS/1.0')),
  header('Content-Encoding', fc.constantFrom('gzip', 'identity', 'br')),
  header('Cookie', lineText),
  header(
    'X-Large',
    fc.nat({ max: 18_000 }).map((length) => 'x'.repeat(length)),
  ),
  fc.tuple(fc.constantFrom('X-Any', 'Accept-Encoding', 'Forwarded', 'TE', 'Cache-Control', 'Host'), lineText),
];
/** Lines that are not headers; sent unchanged. */
const brokenHeader = fc.tuple(
  fc.constantFrom('Bad Name', 'X-Folded', '', 'Ünicode', 'X-Control'),
  fc.oneof(lineText, anyText, fc.constant('a\r\n b')),
);

function header(name: string, value: Arbitrary<string>): Arbitrary<readonly [string, string]> {
  return value.map((text) => [name, text] as const);
}

const headers = fc.array(
  fc.oneof({ weight: 60, arbitrary: fc.oneof(...HEADERS) }, { weight: 1, arbitrary: brokenHeader }),
  { maxLength: 4 },
);

/* Bodies */

const PICTURES: readonly PictureName[] = ['jpeg', 'png', 'noise', 'webp', 'animation'];

const CAT = 'Content-Disposition: form-data; name="file"; filename="cat.png"';

/** Of one file: the fuzz of the reader of forms has any other. */
const form = fc.record({
  kind: fc.constant('form' as const),
  part: fc.record({
    headers: fc.oneof(
      { weight: 4, arbitrary: fc.constant([CAT]) },
      { weight: 1, arbitrary: fc.array(anyText, { maxLength: 2 }) },
    ),
    content: fc.constantFrom<PictureName>(...PICTURES, 'half a jpeg', 'too large', 'empty'),
  }),
  isCut: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
  contentType: formType(),
});

function formType(): Arbitrary<string> {
  return mostly(
    fc.constantFrom(FORM_TYPE, `Multipart/Form-Data;boundary="${BOUNDARY}"`),
    fc.oneof(
      fc.constantFrom(
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
    ),
  );
}

const body: Arbitrary<FuzzBody> = fc.oneof(
  { weight: 6, arbitrary: form },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('text' as const), text: anyText, contentType: formType() }),
  },
);

const STAYS: Delivery = { framing: 'length', pieces: 1, ending: 'stays', sent: 1 };

const delivery: Arbitrary<Delivery> = fc.record({
  framing: fc.oneof(
    {
      weight: 10,
      arbitrary: fc.constantFrom<Framing>('length', 'chunked', 'chunked with extensions and trailers'),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Framing>(
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
      ),
    },
  ),
  pieces: fc.integer({ min: 1, max: 4 }),
  ending: fc.oneof(
    { weight: 8, arbitrary: fc.constant('stays' as const) },
    { weight: 1, arbitrary: fc.constantFrom('ends' as const, 'resets' as const) },
  ),
  sent: fc.oneof(
    { weight: 2, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
  ),
});

/* Requests */

const method = mostly(
  fc.constantFrom('GET', 'HEAD', 'DELETE', 'POST', 'OPTIONS'),
  fc.constantFrom('PUT', 'PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'CONNECT', 'get', 'NONSENSE', '', 'G\0T'),
);
const version = fc.oneof(
  { weight: 60, arbitrary: fc.constant('HTTP/1.1') },
  { weight: 1, arbitrary: fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', '', 'X') },
);

/** Any combination. */
const anyRequest: Arbitrary<FuzzRequest> = fc.record({
  method,
  target: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(path, query).map((both) => both.join('')),
    },
    { weight: 1, arbitrary: strangeTarget },
  ),
  version,
  token,
  headers,
  body: fc.option(body, { nil: undefined, freq: 2 }),
  delivery,
  expected: fc.constant([]),
});

/** For a valid upload route, so that the form is parsed. */
const upload: Arbitrary<FuzzRequest> = fc.record({
  method: fc.constant('POST'),
  target: fc.constant('/api/upload'),
  version: fc.constant('HTTP/1.1'),
  token,
  headers: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: headers }),
  body,
  delivery,
  expected: fc.constant([]),
});

/** Valid requests: if these were rejected, the fuzz would only test rejections. */
const impeccable: Arbitrary<FuzzRequest> = fc.oneof(
  fc
    .record({
      picture: fc.constantFrom(...PICTURES),
      name: fc.constantFrom('cat.png', 'ä.jpg'),
      pieces: fc.integer({ min: 1, max: 3 }),
      framing: fc.constantFrom<Framing>('length', 'chunked'),
    })
    .map(({ picture, name, pieces, framing }) => ({
      ...plain('POST', '/api/upload', [201]),
      body: {
        kind: 'form' as const,
        contentType: FORM_TYPE,
        part: {
          headers: [`Content-Disposition: form-data; name="file"; filename="${name}"`],
          content: picture,
        },
        isCut: false,
      },
      delivery: { ...STAYS, framing, pieces },
    })),
  fc.constantFrom(
    plain('GET', '/', [200]),
    plain('GET', '/api/images?limit=5', [200]),
    plain('GET', '/api/image/{id}', [200]),
    plain('GET', '/api/image/{id}/file', [200]),
    plain('GET', '/api/image/{id}/file?width=16', [200]),
    plain('DELETE', '/api/image/{id}', [204]),
    plain('GET', '/api/image/999999999', [404]),
    { ...plain('GET', '/api/images', [401]), token: { kind: 'missing', text: '' } as const },
  ),
);

function plain(method: string, target: string, expected: readonly number[]): FuzzRequest {
  return {
    method,
    target,
    version: 'HTTP/1.1',
    token: { kind: 'valid', text: '' },
    headers: [],
    body: undefined,
    delivery: STAYS,
    expected,
  };
}

export const fuzzRequest: Arbitrary<FuzzRequest> = fc.oneof(
  { weight: 4, arbitrary: upload },
  { weight: 4, arbitrary: anyRequest },
  { weight: 2, arbitrary: impeccable },
);
