import { multipart, openMultipart } from '../support/fixtures/multipart.ts';
import type { fuzzPictures } from './fuzz-pictures.ts';
import type { FuzzBody, FuzzRequest } from './requests.ts';

/** What a request needs to know about the service before it can be sent. */
export interface Surroundings {
  readonly pictures: Awaited<ReturnType<typeof fuzzPictures>>;
  readonly image: { readonly id: number };
  readonly authorization: string | undefined;
}

/** The bytes to send and how to end. */
export interface Wire {
  readonly writes: readonly Buffer[];
  readonly ending: 'stays' | 'ends' | 'resets';
  /** Whether a response is required and the connection can be reused after it. */
  readonly isWhole: boolean;
}

export function wireOf(request: FuzzRequest, surroundings: Surroundings): Wire {
  const body = request.body && contentOf(request.body, surroundings);
  const [framing, framed] = body === undefined ? [[], Buffer.alloc(0)] : frame(request, body);
  const head = headOf(request, surroundings, framing);
  const { pieces } = request.delivery;
  const { ending, sent } = endingOf(request);
  const bytes = Buffer.concat([head, framed]);
  const limit = ending === 'stays' ? bytes.length : Math.floor(bytes.length * sent);
  return {
    writes: cut(bytes.subarray(0, limit), head.length, pieces),
    ending,
    isWhole: ending === 'stays' && isPlain(request),
  };
}

const WAITS_FOR_MORE = new Set(['chunked without an end', 'a length too large', 'an enormous length']);

/** A client that keeps the service waiting disconnects: the timeouts of the service are not tested here. */
function endingOf(request: FuzzRequest): Pick<FuzzRequest['delivery'], 'ending' | 'sent'> {
  const { delivery } = request;
  return delivery.ending === 'stays' && waitsForMore(request) ? { ending: 'ends', sent: 1 } : delivery;
}

function waitsForMore({ headers, body, delivery: { framing } }: FuzzRequest): boolean {
  if (body === undefined) return false;
  // Node hides errors of its parser if an upgrade is requested (node_http_parser.cc, `Execute`): the body then stalls.
  const isErrorHidden = headers.some(([name]) => name === 'Upgrade') && framing === 'chunked with a bad size';
  return isErrorHidden || WAITS_FOR_MORE.has(framing);
}

const HONEST = new Set(['length', 'chunked', 'chunked with extensions and trailers']);
const CHANGES_THE_CONNECTION = /^(?:connection|upgrade|expect)$/i;
const HEADER_NAME = /^[A-Za-z0-9-]+$/;

/** Whether it is well-formed HTTP that begins and ends at its declared length and keeps the connection usable. */
function isPlain({ method, version, target, headers, body, delivery }: FuzzRequest): boolean {
  return (
    /^[A-Z]+$/.test(method) &&
    method !== 'CONNECT' &&
    version === 'HTTP/1.1' &&
    /^\/[\x21\x22\x24-\x7e]*$/.test(target) &&
    headers.every(
      ([name, value]) =>
        HEADER_NAME.test(name) && !CHANGES_THE_CONNECTION.test(name) && !value.includes('\r'),
    ) &&
    (body === undefined || HONEST.has(delivery.framing))
  );
}

function headOf(
  request: FuzzRequest,
  { image, authorization }: Surroundings,
  framing: readonly string[],
): Buffer {
  const { method, target, version, headers, body } = request;
  const lines = [
    `${method} ${target.replaceAll('{id}', String(image.id))} ${version}`,
    'Host: 127.0.0.1',
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
    ...(body === undefined ? [] : [`Content-Type: ${body.contentType}`, ...framing]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return bytesOf(`${lines.join('\r\n')}\r\n\r\n`);
}

/** As Latin-1 if possible, so that invalid UTF-8 is sent too. */
function bytesOf(text: string): Buffer {
  return Buffer.from(text, /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf8');
}

function contentOf(body: FuzzBody, { pictures }: Surroundings): Buffer {
  if (body.kind === 'text') return bytesOf(body.text);
  const { headers, content } = body.part;
  return (body.isCut ? openMultipart : multipart)([{ headers, body: pictures[content] }]);
}

/** The headers that declare the length of the body, and the body on the wire (RFC 9112, section 6). */
function frame(
  { delivery: { framing, pieces } }: FuzzRequest,
  body: Buffer,
): readonly [readonly string[], Buffer] {
  const CHUNKED = 'Transfer-Encoding: chunked';
  const { length } = body;
  switch (framing) {
    case 'length':
      return [[`Content-Length: ${length}`], body];
    case 'chunked':
      return [[CHUNKED], chunked(body, pieces, '', '0\r\n\r\n')];
    case 'chunked with extensions and trailers':
      return [[CHUNKED, 'Trailer: X-T'], chunked(body, pieces, ';a=b;c="d"', '0\r\nX-T: 1\r\n\r\n')];
    case 'chunked without an end':
      return [[CHUNKED], chunked(body, pieces, '', '')];
    case 'chunked with a bad size':
      return [[CHUNKED], chunked(body, pieces, '', 'no size\r\n\r\n')];
    case 'a length too small':
      return [[`Content-Length: ${Math.floor(length / 2)}`], body];
    case 'a length too large':
      return [[`Content-Length: ${length + 1000}`], body];
    case 'an enormous length':
      return [['Content-Length: 9007199254740991'], body];
    case 'no length':
      return [[], body];
    case 'a length that is not a number':
      return [['Content-Length: 1e3'], body];
    case 'two lengths':
      return [[`Content-Length: ${length}`, `Content-Length: ${length + 1}`], body];
    case 'a length and chunked':
      return [[`Content-Length: ${length}`, CHUNKED], chunked(body, pieces, '', '0\r\n\r\n')];
    case 'an unknown coding':
      return [['Transfer-Encoding: gzip, chunked'], chunked(body, pieces, '', '0\r\n\r\n')];
  }
}

function chunked(body: Buffer, pieces: number, extension: string, end: string): Buffer {
  const chunks = cut(body, 0, pieces).map((piece) =>
    Buffer.concat([Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n')]),
  );
  return Buffer.concat([...chunks, Buffer.from(end)]);
}

/** Cuts once at `first`, and the rest into so many pieces; none is empty. */
function cut(bytes: Buffer, first: number, pieces: number): readonly Buffer[] {
  const rest = bytes.subarray(first);
  const size = Math.max(1, Math.ceil(rest.length / pieces));
  const cuts = Array.from({ length: pieces }, (_, index) => rest.subarray(index * size, (index + 1) * size));
  return [bytes.subarray(0, first), ...cuts].filter((piece) => piece.length > 0);
}
