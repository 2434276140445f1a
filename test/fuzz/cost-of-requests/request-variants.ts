import type { HostileRequest, SentRequest } from './hostile-request.ts';

/** What a GET is sent as, too. They get few bytes, so they should cost little, whatever the GET costs. */
const VARIANTS: ReadonlyArray<readonly [what: string, change: () => Partial<SentRequest>]> = [
  ['HEAD', () => ({ method: 'HEAD' })],
  ['If-None-Match', () => ({ headers: { 'if-none-match': '*' } })],
  ['If-Modified-Since', () => ({ headers: { 'if-modified-since': new Date().toUTCString() } })],
  ['If-Match', () => ({ headers: { 'if-match': '"none"' } })],
  ['the first byte', () => ({ headers: { range: 'bytes=0-0' } })],
  ['the last byte', () => ({ headers: { range: 'bytes=-1' } })],
];

/** The request and, if it is a GET, the same as HEAD, with each condition, and for few bytes. Other requests have no variants. */
export function withVariants(request: HostileRequest): readonly HostileRequest[] {
  return [request, ...VARIANTS.map(([name, change]) => variantOf(request, name, change()))];
}

function variantOf(
  request: HostileRequest,
  name: string,
  { method, headers }: Partial<SentRequest>,
): HostileRequest {
  return {
    ...request,
    what: `${request.what}, ${name}`,
    make: (ingredients) => {
      const sent = request.make(ingredients);
      return { ...sent, method: method ?? sent.method, headers: { ...sent.headers, ...headers } };
    },
  };
}
