import * as fc from 'fast-check';
import type { DescribedRequest, Pair, RequestBody } from './described-request.ts';

type Mutation = (request: DescribedRequest) => DescribedRequest;

const TEXTS = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-0',
    '-1',
    '01',
    '1e3',
    '0x10',
    '٣',
    '9007199254740993',
    '9223372036854775808',
    '1'.repeat(400),
    'true',
    'null',
    '%00',
    '\u0000',
    "'",
    '../x',
    'a'.repeat(5_000),
  ),
  fc.string({ unit: 'binary' }),
);

/** Texts that may be in a header of HTTP/1.1. */
const HEADER_TEXTS = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    '"',
    'bytes=0-',
    'bytes=9-0',
    'bytes=-0',
    'bytes=0-0,2-3',
    'bytes=99999-',
    'items=0-1',
    'W/"x"',
    '"x", "y"',
    'Tue, 99 Foo',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Sun Nov  6 08:49:37 1994',
    'x'.repeat(2_000),
  ),
  fc.stringMatching(/^[\x21-\x7e\xa0-\xff][\x20-\x7e\xa0-\xff]{0,40}$/),
);

const IDS = fc.oneof(
  fc.constantFrom('0', '-1', '01', '1.0', '1e1', 'abc', '%20', '%ff', '9007199254740993', '9'.repeat(40)),
  fc.stringMatching(/^[a-z0-9._~-]{1,20}$/),
);

const NAMES = fc.constantFrom('.hidden', 'a%20b', '%2e', '%ff', 'a%2Fb', 'ä', 'a'.repeat(129));

const HEADERS = [
  'Accept',
  'Content-Encoding',
  'Content-Type',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'If-Range',
  'If-Unmodified-Since',
  'Idempotency-Key',
  'Range',
  'X-Content-SHA256',
  'X-Request-Id',
];

const ACCEPTS = [
  'image/*',
  'image/webp',
  'image/avif, */*;q=0.1',
  'text/html',
  'application/json',
  '*/*;q=0',
  ';;,q=,*/*/*',
];

const CONDITIONS: readonly Pair[] = [
  ['If-None-Match', '*'],
  ['If-Match', '*'],
  ['If-Match', '"x"'],
  ['If-Modified-Since', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['Range', 'bytes=0-9'],
  ['Range', 'bytes=-1'],
  ['Range', 'bytes=99999-'],
];

const BAD_PICTURES = [
  'half a jpeg',
  'corrupt png',
  'signature only',
  'gif without a frame',
  'half a gif',
  'webp cut in a frame',
  'svg',
  'too many pixels',
  'too large',
  'lying header',
  'empty',
] as const;

function withoutToken(token: 'none' | 'bad'): Mutation {
  return (request) => {
    const expected = request.path === '/' ? undefined : [401];
    return { ...request, token, mutation: `token ${token}`, expected };
  };
}

function withId(id: string): Mutation {
  return (request) => (request.path.includes('{id}') ? { ...request, id, mutation: 'id' } : request);
}

function withName(name: string): Mutation {
  return (request) =>
    request.path.includes('{name}') ? { ...request, name, mutation: 'name', expected: [400] } : request;
}

function withUnknownParameter([name, value]: Pair): Mutation {
  return (request) => {
    const query: readonly Pair[] = [...request.query, [`x-${name}`, value]];
    return { ...request, query, mutation: 'unknown parameter', expected: [400] };
  };
}

function withRepeatedParameter(request: DescribedRequest): DescribedRequest {
  const [first] = request.query;
  if (first === undefined) return request;
  return { ...request, query: [...request.query, first], mutation: 'repeated parameter', expected: [400] };
}

function withOtherParameter([choice, value]: readonly [number, string]): Mutation {
  return (request) => {
    if (request.query.length === 0) return request;
    const changed = choice % request.query.length;
    const query = request.query.map(([name, old], index): Pair => [name, index === changed ? value : old]);
    return { ...request, query, mutation: 'value of a parameter' };
  };
}

function withHeader([name, value]: Pair): Mutation {
  return (request) => {
    const others = request.headers.filter(([other]) => other !== name);
    return { ...request, headers: [...others, [name, value]], mutation: `header ${name}` };
  };
}

function withPicture(picture: (typeof BAD_PICTURES)[number]): Mutation {
  return changedBody(
    'picture',
    (body) => (body.kind === 'form' ? { ...body, picture } : body),
    [400, 413, 415, 422, 503],
  );
}

function withField(field: string): Mutation {
  return changedBody('field', (body) => (body.kind === 'form' ? { ...body, field } : body), [400, 503]);
}

const withCutBody: Mutation = changedBody('cut form', (body) =>
  body.kind === 'form' ? { ...body, isCut: true } : body,
);

function withDamagedText([position, damage]: readonly [number, string]): Mutation {
  return changedText('damaged text', (text) => {
    const at = position % (text.length + 1);
    return text.slice(0, at) + damage + text.slice(at + damage.length);
  });
}

function withUnknownField([name, value]: readonly [string, unknown]): Mutation {
  const field = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return changedText(
    'unknown field',
    (text) => text.replace(/\}$/, `${text === '{}' ? '' : ','}${field}}`),
    // The image and its version are looked at before the content of the body.
    [400, 404, 412],
  );
}

function withOtherField([choice, value]: readonly [number, unknown]): Mutation {
  return changedText('value of a field', (text) => {
    const object = JSON.parse(text) as Record<string, unknown>;
    const names = Object.keys(object);
    const name = names[choice % names.length];
    return name === undefined ? text : JSON.stringify({ ...object, [name]: value });
  });
}

function withOtherBody(value: unknown): Mutation {
  return changedText('another body', () => JSON.stringify(value));
}

const withLargeBody: Mutation = changedText('large body', (text) => text.padEnd(256 * 1024 + 1), [413]);

function changedText(
  mutation: string,
  change: (text: string) => string,
  expected?: readonly number[],
): Mutation {
  return changedBody(
    mutation,
    (body) => (body.kind === 'text' ? { ...body, text: change(body.text) } : body),
    expected,
  );
}

/** Requests that have no such body stay as they are. */
function changedBody(
  mutation: string,
  change: (body: RequestBody) => RequestBody,
  expected?: readonly number[],
): Mutation {
  return (request) => {
    const body = change(request.body);
    return body === request.body ? request : { ...request, body, mutation, expected };
  };
}

/** Each changes one thing of a request that the document allows. */
export const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constant(withoutToken('none')),
  fc.constant(withoutToken('bad')),
  IDS.map(withId),
  NAMES.map(withName),
  fc.tuple(fc.stringMatching(/^[a-z]{1,9}$/), TEXTS).map(withUnknownParameter),
  fc.constant(withRepeatedParameter),
  fc.tuple(fc.nat(), TEXTS).map(withOtherParameter),
  fc.tuple(fc.constantFrom(...HEADERS), HEADER_TEXTS).map(withHeader),
  fc.constantFrom(...ACCEPTS).map((accept) => withHeader(['Accept', accept])),
  fc.constantFrom(...CONDITIONS).map(withHeader),
  fc.constantFrom(...BAD_PICTURES).map(withPicture),
  fc.constantFrom('photo', 'files', '').map(withField),
  fc.constant(withCutBody),
  fc.tuple(fc.nat(), fc.string({ unit: 'binary', maxLength: 3 })).map(withDamagedText),
  fc.tuple(fc.constantFrom('more', '__proto__', 'a\u0000', ''), fc.jsonValue()).map(withUnknownField),
  fc.tuple(fc.nat(), fc.jsonValue()).map(withOtherField),
  fc.jsonValue().map(withOtherBody),
  fc.constant(withLargeBody),
);
