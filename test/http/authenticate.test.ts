import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import { pino } from 'pino';
import request from 'supertest';
import { checkScope } from '../../src/adapters/http/auth/access-refused.ts';
import { authenticate } from '../../src/adapters/http/auth/authenticate.ts';
import { SigningKeys } from '../../src/adapters/http/auth/signing-keys.ts';
import { respondToErrors } from '../../src/adapters/http/middleware/respond-to-errors.ts';
import { jwk, rawToken, rsaKey, segment, signToken, type TestKey } from '../support/fixtures/tokens.ts';
import { publish, SigningKeyServer } from '../support/servers/signing-key-server.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const ISSUER = 'https://id.example.test/';
const AUDIENCE = 'https://images.example.test/api';

/** Half a second past a full second, so that rounding of times shows. */
const START = new Date('2026-01-31T12:00:00.500Z');
const NOW = START.getTime() / 1_000;

interface Expected {
  readonly status: number;
  readonly body?: { readonly code: string; readonly message: string };
  readonly challenge?: string;
}

const refused = (message: string): Expected => ({
  status: 401,
  body: { code: 'invalid_token', message },
  challenge: `Bearer error="invalid_token", error_description="${message}"`,
});
const OK: Expected = { status: 200 };
const REQUIRED: Expected = {
  status: 401,
  body: { code: 'credentials_required', message: 'No authorization token was found' },
  challenge: 'Bearer',
};
const MALFORMED = refused('jwt malformed');
const EXPIRED = refused('jwt expired');
const SIGNATURE = refused('invalid signature');
const INACTIVE = refused('jwt not active');
const OTHER_AUDIENCE = refused(`jwt audience invalid. expected: ${AUDIENCE}`);
const OTHER_ISSUER = refused(`jwt issuer invalid. expected: ${ISSUER}`);

const K1 = rsaKey('k1');
const K2 = rsaKey('k2');
const UNPUBLISHED = rsaKey('unpublished');
const WEAK = rsaKey('weak', 1024);
const EC = { kid: 'ec', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
const ED = { kid: 'ed', ...generateKeyPairSync('ed25519') };

const HEADER = { alg: 'RS256', typ: 'JWT', kid: 'k1' };
const CLAIMS = { iss: ISSUER, aud: AUDIENCE, sub: 'alice', exp: NOW + 3_600 };

const bearer = (token: string): string => `Bearer ${token}`;
const valid = (): string => signToken(CLAIMS, K1);
const withClaims = (claims: Record<string, unknown>, key = K1): string =>
  bearer(rawToken(HEADER, { ...CLAIMS, ...claims }, key.privateKey));
const withHeader = (header: Record<string, unknown>, key: Pick<TestKey, 'privateKey'> = K1): string =>
  bearer(rawToken({ ...HEADER, ...header }, CLAIMS, key.privateKey));
const withPayload = (payload: unknown, header: unknown = HEADER): string =>
  bearer(rawToken(header, payload, K1.privateKey));
const parts = (): [string, string, string] => valid().split('.') as [string, string, string];

/** A valid token whose header, payload and signature were changed. */
const changed =
  (change: (header: string, payload: string, signature: string) => readonly string[]) => (): string =>
    bearer(change(...parts()).join('.'));

/** Changes the first character of the signature: all of its bits are significant. */
function flipped(signature: string): string {
  return `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
}

/** The last base64url character of a 2048-bit signature has 4 unused bits; sets one of them. */
function respelled(signature: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return signature.slice(0, -1) + alphabet.charAt(alphabet.indexOf(signature.slice(-1)) + 1);
}

/** JSON padded to a multiple of three bytes, so that its base64url has no unused bits. */
function wholeSegment(content: unknown): string {
  const json = JSON.stringify(content);
  return segment(json.padEnd(Math.ceil(json.length / 3) * 3));
}

function hmacWithPublicKey(): string {
  const input = `${segment({ ...HEADER, alg: 'HS256' })}.${segment(CLAIMS)}`;
  const secret = K1.publicKey.export({ format: 'pem', type: 'spki' });
  return bearer(`${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
}

function pssToken(): string {
  const input = `${segment({ ...HEADER, alg: 'PS256' })}.${segment(CLAIMS)}`;
  const signature = sign('sha256', Buffer.from(input), { key: K1.privateKey, padding: 6, saltLength: 32 });
  return bearer(`${input}.${signature.toString('base64url')}`);
}

function ecToken(alg: string): string {
  const input = `${segment({ ...HEADER, alg, kid: 'ec' })}.${segment(CLAIMS)}`;
  const signature = sign('sha256', Buffer.from(input), { key: EC.privateKey, dsaEncoding: 'ieee-p1363' });
  return bearer(`${input}.${signature.toString('base64url')}`);
}

function edToken(): string {
  const input = `${segment({ ...HEADER, alg: 'EdDSA', kid: 'ed' })}.${segment(CLAIMS)}`;
  return bearer(`${input}.${sign(null, Buffer.from(input), ED.privateKey).toString('base64url')}`);
}

/** Valid keys among entries that are invalid or unusable. */
const SEVERAL_KEYS = [
  null,
  'no key',
  jwk(K1),
  jwk(K2),
  jwk(K1, { kid: 'bare', use: undefined, alg: undefined }),
  jwk(K1, { kid: 'schlüssel' }),
  jwk(K1, { kid: 'k'.repeat(257) }),
  jwk(K1, { kid: 'twice' }),
  jwk(K2, { kid: 'twice' }),
  jwk(K1, { kid: 'enc', use: 'enc' }),
  jwk(K1, { kid: 'wrap', use: undefined, key_ops: ['encrypt'] }),
  jwk(K1, { kid: 'rs384', alg: 'RS384' }),
  jwk(WEAK),
  { ...K1.privateKey.export({ format: 'jwk' }), kid: 'private', use: 'sig', alg: 'RS256' },
  { ...EC.publicKey.export({ format: 'jwk' }), kid: 'ec', use: 'sig' },
  { ...ED.publicKey.export({ format: 'jwk' }), kid: 'ed', use: 'sig' },
  { kty: 'oct', k: segment('secret'), kid: 'oct', use: 'sig', alg: 'HS256' },
];

/** The value of `Authorization` (`undefined` sends none) and the expected response. */
type Case = readonly [title: string, authorization: () => string | undefined, expected: Expected];

const HEADER_CASES: readonly Case[] = [
  ['no header', () => undefined, REQUIRED],
  ['an empty header', () => '', REQUIRED],
  ['Bearer alone', () => 'Bearer', REQUIRED],
  ['Basic', () => 'Basic YWxpY2U6c2VjcmV0', REQUIRED],
  ['a token without a scheme', () => valid(), REQUIRED],
  ['a scheme that begins with Bearer', () => `Bearerish ${valid()}`, REQUIRED],
  ['Bearer: with a colon', () => `Bearer: ${valid()}`, REQUIRED],
  ['a valid token', () => bearer(valid()), OK],
  ['bearer in lower case', () => `bearer ${valid()}`, OK],
  ['two spaces', () => `Bearer  ${valid()}`, OK],
  ['a tab', () => `Bearer\t${valid()}`, OK],
  ['spaces after the token', () => `Bearer ${valid()}  `, OK],
  ['a word after the token', () => `Bearer ${valid()} extra`, MALFORMED],
  ['token= before the token', () => `Bearer token=${valid()}`, MALFORMED],
];

/** `jwt malformed`. */
const MALFORMED_TOKENS: ReadonlyArray<readonly [string, () => string]> = [
  ['undefined', () => bearer('undefined')],
  ['two parts', () => bearer('a.b')],
  ['three parts of random text', () => bearer('a.b.c')],
  ['three decodable parts that are not a token', changed(() => ['x', 'y', 'z'].map(segment))],
  ['four parts', () => bearer(`${valid()}.x`)],
  ['a dot at the end', () => bearer(`${valid()}.`)],
  ['an empty header part', changed((_, p, s) => ['', p, s])],
  ['! in the payload', changed((h, p, s) => [h, `${p}!`, s])],
  ['padding', changed((h, p, s) => [`${h}==`, p, s])],
  ['a header part of an impossible length', changed((_, p) => [`${wholeSegment(HEADER)}A`, p, 'x'])],
  ['a header that is not JSON', () => withPayload(CLAIMS, 'garbage{')],
  ['a header that is a JSON array', () => withPayload(CLAIMS, ['RS256'])],
  ['a payload that is not JSON, with typ', () => withPayload('garbage{')],
  ['a payload of null', () => withPayload(null)],
  ['a payload in invalid UTF-8', () => withPayload(Buffer.from('{"exp":9e9,"sub":"\xff"}', 'latin1'))],
  ['a payload with a byte order mark', () => withPayload(`\uFEFF${JSON.stringify(CLAIMS)}`)],
  [
    'a header in invalid UTF-8',
    () => withPayload(CLAIMS, Buffer.from('{"alg":"RS256","x":"\xff"}', 'latin1')),
  ],
  ['RS256 with the signature removed', changed((h, p) => [h, p, ''])],
  ['alg none without a signature', changed(() => [segment({ alg: 'none' }), segment(CLAIMS), ''])],
  ['crit', () => withHeader({ crit: ['exp2'], exp2: 1 })],
  ['b64:false', () => withHeader({ b64: false })],
  ['no exp', () => withClaims({ exp: undefined })],
  ['an infinite exp', () => withPayload(JSON.stringify(CLAIMS).replace(/"exp":[\d.]+/, '"exp":1e400'))],
  ['exp as a string', () => withClaims({ exp: String(NOW + 60) })],
  ['nbf as a string', () => withClaims({ nbf: 'now' })],
  ['no exp and a bad signature', () => withClaims({ exp: undefined }, UNPUBLISHED)],
  ['no exp and another algorithm', () => withPayload({ sub: 'x' }, { alg: 'HS256' })],
];

/** `invalid signature`. */
const UNVERIFIABLE: ReadonlyArray<readonly [string, () => string]> = [
  ['alg none with a signature', () => withHeader({ alg: 'none' })],
  ['no alg', () => withHeader({ alg: undefined })],
  ['alg as an array', () => withHeader({ alg: ['RS256'] })],
  ['alg in lower case', () => withHeader({ alg: 'rs256' })],
  ['HS256 with the public key as secret', hmacWithPublicKey],
  ['RS384', () => bearer(rawToken({ ...HEADER, alg: 'RS384' }, CLAIMS, K1.privateKey, 'sha384'))],
  ['PS256', pssToken],
  ['ES256 with a published key', () => ecToken('ES256')],
  ['RS256 with the kid of an EC key', () => ecToken('RS256')],
  ['EdDSA with a published key', edToken],
  ['no kid if several keys are published', () => withHeader({ kid: undefined })],
  ['an unknown kid', () => withHeader({ kid: 'unknown' })],
  ['kid as a number', () => withHeader({ kid: 5 })],
  ['kid __proto__', () => withHeader({ kid: '__proto__' })],
  ['a kid of 257 characters', () => withHeader({ kid: 'k'.repeat(257) })],
  ['the kid of an encryption key', () => withHeader({ kid: 'enc' })],
  ['the kid of a key for encrypting only', () => withHeader({ kid: 'wrap' })],
  ['the kid of a key published for RS384', () => withHeader({ kid: 'rs384' })],
  ['the kid of a 1024-bit key', () => withHeader({ kid: 'weak' }, WEAK)],
  ['the kid of a private key', () => withHeader({ kid: 'private' })],
  ['the kid of a symmetric key', () => withHeader({ kid: 'oct' })],
  ['another key under a kid that is published twice', () => withHeader({ kid: 'twice' }, UNPUBLISHED)],
  ['another key under a known kid', () => withHeader({}, UNPUBLISHED)],
  ['the kid of another published key', () => withHeader({ kid: 'k2' })],
  ['an altered payload', changed((h, _, s) => [h, segment({ ...CLAIMS, sub: 'mallory' }), s])],
  ['an altered header', changed((_, p, s) => [segment({ ...HEADER, typ: 'at+jwt' }), p, s])],
  ['a signature cut by one character', () => bearer(valid().slice(0, -1))],
  ['a signature cut to four characters', changed((h, p) => [h, p, 'abcd'])],
  ['a flipped signature', changed((h, p, s) => [h, p, flipped(s)])],
  ['jku', () => withHeader({ jku: 'http://127.0.0.1:1/keys' }, UNPUBLISHED)],
  ['an embedded jwk', () => withHeader({ jwk: jwk(UNPUBLISHED) }, UNPUBLISHED)],
  ['x5u and x5c', () => withHeader({ x5u: 'http://127.0.0.1:1/', x5c: ['MII'] }, UNPUBLISHED)],
  ['a bad signature of an expired token', () => withClaims({ exp: NOW - 1 }, UNPUBLISHED)],
  ['a bad signature with another audience', () => withClaims({ aud: 'x' }, UNPUBLISHED)],
];

const VERIFIED: ReadonlyArray<readonly [string, () => string]> = [
  ['another encoding of the last signature character', changed((h, p, s) => [h, p, respelled(s)])],
  ['a key published without use and alg', () => withHeader({ kid: 'bare' })],
  ['the first key of a kid that is published twice', () => withHeader({ kid: 'twice' })],
  ['the second key of a kid that is published twice', () => withHeader({ kid: 'twice' }, K2)],
  ['a kid with non-ASCII characters', () => withHeader({ kid: 'schlüssel' })],
  ['the second published key', () => bearer(signToken(CLAIMS, K2))],
];

const CLAIM_CASES: readonly Case[] = [
  ['exp in the past', () => withClaims({ exp: NOW - 1 }), EXPIRED],
  ['exp now', () => withClaims({ exp: NOW }), EXPIRED],
  ['exp in a second', () => withClaims({ exp: NOW + 1 }), OK],
  ['exp in half a second', () => withClaims({ exp: NOW + 0.5 }), OK],
  ['an expired token for another audience', () => withClaims({ exp: NOW - 1, aud: 'x' }), EXPIRED],
  ['nbf in the future', () => withClaims({ nbf: NOW + 1 }), INACTIVE],
  ['an infinite nbf', () => withPayload(`{"nbf":1e400,${JSON.stringify(CLAIMS).slice(1)}`), INACTIVE],
  ['nbf in the future and exp in the past', () => withClaims({ nbf: NOW + 1, exp: NOW - 1 }), INACTIVE],
  ['nbf now', () => withClaims({ nbf: NOW }), OK],
  ['iat in the future', () => withClaims({ iat: NOW + 3_600 }), OK],
  ['aud as an array that contains the audience', () => withClaims({ aud: ['x', AUDIENCE] }), OK],
  ['aud as an array without the audience', () => withClaims({ aud: ['x', 'y'] }), OTHER_AUDIENCE],
  ['the audience nested in aud', () => withClaims({ aud: [[AUDIENCE]] }), OTHER_AUDIENCE],
  ['no aud', () => withClaims({ aud: undefined }), OTHER_AUDIENCE],
  ['another aud', () => withClaims({ aud: 'https://other.example.test' }), OTHER_AUDIENCE],
  ['aud in another case', () => withClaims({ aud: AUDIENCE.toUpperCase() }), OTHER_AUDIENCE],
  ['iss without the trailing slash', () => withClaims({ iss: ISSUER.slice(0, -1) }), OTHER_ISSUER],
  ['no iss', () => withClaims({ iss: undefined }), OTHER_ISSUER],
  ['iss as an array', () => withClaims({ iss: [ISSUER] }), OTHER_ISSUER],
  ['another iss', () => withClaims({ iss: 'https://other.example.test/' }), OTHER_ISSUER],
  ['another aud and iss', () => withClaims({ aud: 'x', iss: 'y' }), OTHER_AUDIENCE],
  ['typ at+jwt', () => withHeader({ typ: 'at+jwt' }), OK],
  ['no typ', () => withHeader({ typ: undefined }), OK],
  ['an ID token for the audience', () => withClaims({ nonce: 'n', at_hash: 'h' }), OK],
  [
    'a duplicate claim whose last value is valid',
    () => withPayload(`{"aud":"x",${JSON.stringify(CLAIMS).slice(1)}`),
    OK,
  ],
  ['a token of 13 KB', () => withClaims({ padding: 'p'.repeat(9_400) }), OK],
];

const SINGLE_KEY_CASES: readonly Case[] = [
  ['no kid', () => withHeader({ kid: undefined }), OK],
  ['no kid and another key', () => withHeader({ kid: undefined }, UNPUBLISHED), SIGNATURE],
  ['the kid', () => bearer(valid()), OK],
  ['another kid', () => withHeader({ kid: 'k2' }), SIGNATURE],
  ['kid as a number', () => withHeader({ kid: 5 }), SIGNATURE],
];

interface TestApp {
  readonly server: Server;
  readonly clock: ManualClock;
  readonly signingKeys: SigningKeys;
}

const servers: Server[] = [];

/** A service that returns the claims from the context on every path. */
function startApp(jwksUri: string, secret?: string): TestApp {
  const clock = new ManualClock(START);
  const log = pino({ level: 'silent' });
  const signingKeys = new SigningKeys({ jwksUri, clock, log });
  const app = new Koa();
  app.use(async (ctx, next) => {
    ctx.state.log = log;
    if (secret !== undefined) ctx.state.secret = secret;
    await next();
  });
  app.use(respondToErrors(() => undefined));
  app.use(authenticate({ issuer: ISSUER, audience: AUDIENCE, signingKeys, clock }));
  app.use(async (ctx, next) => {
    if (ctx.path === '/scoped') checkScope('images:read', ctx.state.auth);
    await next();
  });
  app.use((ctx) => {
    ctx.body = { state: ctx.state.auth ?? null, request: ctx.request.auth ?? null };
  });
  const server = app.listen(0, '127.0.0.1');
  servers.push(server);
  return { server, clock, signingKeys };
}

async function get(
  app: TestApp,
  authorization: string | undefined,
  path = '/api/images',
): Promise<request.Response> {
  const call = request(app.server).get(path);
  return authorization === undefined ? call : call.set('Authorization', authorization);
}

function expectResponse(response: request.Response, { status, body, challenge }: Expected): void {
  expect(response.status).to.equal(status);
  if (body !== undefined) expect(response.body).to.deep.equal(body);
  if (challenge !== undefined) expect(response.headers['www-authenticate']).to.equal(challenge);
}

/** Sends header lines unchanged; a client library would normalize them. */
async function getRaw(app: TestApp, headers: string[]): Promise<number | undefined> {
  const { port } = app.server.address() as AddressInfo;
  const options = { port, host: '127.0.0.1', path: '/api/images', agent: false };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const call = httpRequest({ ...options, headers: ['Host', 'test', ...headers] as never });
    call.on('response', resolve).on('error', reject).end();
  });
  response.resume();
  return response.statusCode;
}

let provider: SigningKeyServer;
let app: TestApp;
const groups = {
  'the Authorization header': HEADER_CASES,
  'the form of the token': MALFORMED_TOKENS.map((row): Case => [...row, MALFORMED]),
  'algorithm, key and signature': [
    ...UNVERIFIABLE.map((row): Case => [...row, SIGNATURE]),
    ...VERIFIED.map((row): Case => [...row, OK]),
  ],
  'the claims': CLAIM_CASES,
};

describe('authenticate', () => {
  before(async () => {
    provider = await SigningKeyServer.start(publish(SEVERAL_KEYS));
    app = startApp(provider.jwksUri);
  });

  afterEach(() => {
    provider.answer = publish(SEVERAL_KEYS);
  });

  after(async () => {
    await provider.stop();
    for (const server of servers) server.close();
  });

  for (const [group, cases] of Object.entries(groups)) {
    describe(group, () => {
      for (const [title, authorization, expected] of cases) {
        it(`returns ${expected.body?.message ?? expected.status} for ${title}`, async () => {
          expectResponse(await get(app, authorization()), expected);
        });
      }
    });
  }

  describe('if only one key is published', singleKey);
  describe('a kid of several keys', sharedKid);

  tokenSources();

  it('repeats no part of the token in its responses', async () => {
    const responses = [
      await get(app, withHeader({ kid: 'MARKER' })),
      await get(app, withPayload('MARKER')),
      await get(app, withClaims({ aud: 'MARKER' })),
    ];
    for (const { text, headers } of responses) {
      expect(text + JSON.stringify(headers)).not.to.include('MARKER');
    }
  });

  it('sets the claims on the state and on the request', async () => {
    const { body } = await get(app, withClaims({ scope: 'a b', nested: { deep: [1] } }));
    expect(body.state).to.deep.equal({ ...CLAIMS, scope: 'a b', nested: { deep: [1] } });
    expect(body.request).to.deep.equal(body.state);
  });

  it('allows anonymous GET and HEAD of the root only', async () => {
    const paths = ['/', '//', '/api/images', '/?x=1', '/nowhere'];
    const methods = ['get', 'head', 'post', 'put', 'delete', 'options'] as const;
    const open: string[] = [];
    for (const method of methods) {
      for (const path of paths) {
        const { status } = await request(app.server)[method](path);
        if (status !== 401) open.push(`${method} ${path} ${status}`);
      }
    }
    expect(open).to.deep.equal(['get / 200', 'get /?x=1 200', 'head / 200', 'head /?x=1 200']);
  });

  it('ignores a key that another middleware sets', async () => {
    const overridden = startApp(provider.jwksUri, 'secret');
    expectResponse(await get(overridden, bearer(valid())), OK);
  });

  it('sends Retry-After if no key could be fetched', async () => {
    provider.answer = (response) => response.writeHead(500).end();
    const response = await get(startApp(provider.jwksUri), bearer(valid()));
    expectResponse(response, SIGNATURE);
    expect(response.headers['retry-after']).to.equal('20');
  });

  it('sends no Retry-After for a malformed token, or if keys are available', async () => {
    const responses = [await get(app, 'Bearer x'), await get(app, withHeader({ kid: 'unknown' }))];
    expect(responses.map(({ headers }) => headers['retry-after'])).to.deep.equal([undefined, undefined]);
  });

  it('does not report an internal error as an invalid token', async () => {
    const broken = startApp(provider.jwksUri);
    broken.signingKeys.get = () => Promise.reject(new RangeError('a bug'));
    const response = await get(broken, bearer(valid()));
    expect(response.status).to.equal(500);
    expect(response.body.code).to.equal('internal_error');
  });

  acceptedTokens();

  it('does not start without an issuer and an audience', () => {
    const { clock, signingKeys } = app;
    expect(() => authenticate({ issuer: '', audience: 'x', signingKeys, clock })).to.throw(TypeError);
    expect(() => authenticate({ issuer: 'x', audience: '', signingKeys, clock })).to.throw(TypeError);
  });

  it('sends a valid challenge header for any audience', async () => {
    const { clock, signingKeys } = app;
    const koa = new Koa();
    koa.use(respondToErrors(() => undefined));
    koa.use(authenticate({ issuer: ISSUER, audience: 'a "b" \\ ü\n', signingKeys, clock }));
    const response = await request(koa.callback()).get('/x').set('Authorization', bearer(valid()));
    expect(response.headers['www-authenticate']).to.equal(
      'Bearer error="invalid_token", error_description="jwt audience invalid. expected: a \\"b\\" \\\\ "',
    );
    expect(response.body.message).to.equal('jwt audience invalid. expected: a "b" \\ ü\n');
  });

  describe('checkScope', scopes);
});

function tokenSources(): void {
  it('ignores a token in a cookie', async () => {
    const response = await request(app.server)
      .get('/x')
      .set('Cookie', `token=${valid()}; access_token=${valid()}`);
    expectResponse(response, REQUIRED);
  });

  it('ignores a token in the query', async () => {
    expectResponse(await get(app, undefined, `/x?access_token=${valid()}`), REQUIRED);
  });

  it('uses the first of two Authorization headers', async () => {
    const good = ['Authorization', bearer(valid())];
    const bad = ['Authorization', 'Bearer x'];
    expect(await getRaw(app, [...good, ...bad])).to.equal(200);
    expect(await getRaw(app, [...bad, ...good])).to.equal(401);
  });
}

function singleKey(): void {
  let single: TestApp;
  let singleProvider: SigningKeyServer;

  before(async () => {
    singleProvider = await SigningKeyServer.start(publish([jwk(K1), jwk(K2, { use: 'enc' })]));
    single = startApp(singleProvider.jwksUri);
  });

  after(() => singleProvider.stop());

  for (const [title, authorization, expected] of SINGLE_KEY_CASES) {
    it(`returns ${expected.body?.message ?? expected.status} for ${title}`, async () => {
      expectResponse(await get(single, authorization()), expected);
    });
  }
}

function sharedKid(): void {
  it('accepts tokens of each of several keys with one kid, and judges their claims', async () => {
    provider.answer = publish([jwk(K2, { kid: 'k1' }), jwk(WEAK, { kid: 'k1' }), jwk(K1), jwk(K2)]);
    const own = startApp(provider.jwksUri);

    for (const key of [K1, K2]) {
      expectResponse(await get(own, withHeader({}, key)), OK);
      expectResponse(await get(own, withClaims({ exp: NOW - 60 }, key)), EXPIRED);
      expectResponse(await get(own, withClaims({ aud: 'other' }, key)), OTHER_AUDIENCE);
    }
    for (const key of [UNPUBLISHED, WEAK]) expectResponse(await get(own, withHeader({}, key)), SIGNATURE);
    expectResponse(await get(own, withHeader({ kid: 'k2' }, K1)), SIGNATURE);
  });
}

function acceptedTokens(): void {
  it('sets no claims for a token that it refuses', async () => {
    const { clock, signingKeys } = app;
    const koa = new Koa();
    koa.use(async (ctx, next) => {
      await next().catch(() => undefined);
      ctx.body = { state: ctx.state.auth ?? null, request: ctx.request.auth ?? null };
    });
    koa.use(authenticate({ issuer: ISSUER, audience: AUDIENCE, signingKeys, clock }));
    const response = await request(koa.callback())
      .get('/x')
      .set('Authorization', withClaims({ aud: 'x' }));
    expect(response.body).to.deep.equal({ state: null, request: null });
  });

  it('rejects a previously accepted token once its key is withdrawn', async () => {
    const own = startApp(provider.jwksUri);
    const authorization = bearer(valid());
    expectResponse(await get(own, authorization), OK);
    provider.answer = publish([jwk(K2)]);
    await own.signingKeys.get('a kid that makes it fetch');
    expectResponse(await get(own, authorization), SIGNATURE);
  });

  it('verifies a token again if the keys were replaced while it was verified', async () => {
    const own = startApp(provider.jwksUri);
    const key = await own.signingKeys.get('k1');
    own.signingKeys.get = () => {
      own.signingKeys.generation += 1;
      return Promise.resolve(key);
    };
    expectResponse(await get(own, bearer(valid())), OK);
    own.signingKeys.get = () => Promise.resolve(undefined);
    expectResponse(await get(own, bearer(valid())), SIGNATURE);
  });

  it('does not call the provider for tokens with another algorithm', async () => {
    const own = startApp(provider.jwksUri);
    const { hits } = provider;
    expectResponse(await get(own, withHeader({ alg: 'RS384', kid: 'unknown' })), SIGNATURE);
    expect(provider.hits).to.equal(hits);
  });
}

function scopes(): void {
  const scopeCases: readonly (readonly [string, Record<string, unknown>, number])[] = [
    ['no scope', {}, 403],
    ['the scope alone', { scope: 'images:read' }, 200],
    ['the scope among others', { scope: 'openid images:read images:write' }, 200],
    ['a longer scope', { scope: 'images:readwrite' }, 403],
    ['the scope as a permission', { permissions: ['x', 'images:read'] }, 200],
    ['permissions as a string', { permissions: 'images:read' }, 403],
    ['scope as an object', { scope: { 'images:read': true } }, 403],
    ['scope as an array', { scope: ['openid', 'images:read'] }, 200],
    ['scope as a large array', { scope: [...Array<string>(2000).fill('x'), 'images:read'] }, 200],
    ['an array of other types', { scope: [7, null, ['images:read'], { 'images:read': true }] }, 403],
    ['an array whose text has two scopes', { scope: ['images:read images:write'] }, 403],
    ['scp as a text', { scp: 'openid images:read' }, 200],
    ['scp as an array', { scp: ['openid', 'images:read'] }, 200],
    ['scp as an object', { scp: { 'images:read': true } }, 403],
    ['scp and scope null', { scope: null, scp: ['images:read'] }, 200],
    ['scp and another scope', { scope: 'openid', scp: ['images:read'] }, 403],
    ['scp and an empty scope', { scope: '', scp: ['images:read'] }, 403],
    ['scp and an empty array as scope', { scope: [], scp: ['images:read'] }, 403],
    ['scp and a number as scope', { scope: 0, scp: ['images:read'] }, 403],
    ['permissions and another scp', { scp: 'x', permissions: ['images:read'] }, 200],
    ['roles alone', { roles: ['images:read'] }, 403],
  ];
  for (const [title, claims, status] of scopeCases) {
    it(`returns ${status} for a token with ${title}`, async () => {
      expect((await get(app, withClaims(claims), '/scoped')).status).to.equal(status);
    });
  }
}
