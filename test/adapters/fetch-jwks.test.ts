import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { fetchJwks } from '../../src/adapters/http/auth/fetch-jwks.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { json, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';

const SET = { keys: [{ kty: 'RSA', kid: 'a' }] };
const TEXT = JSON.stringify(SET);
const DEADLINE_MS = 5_000;

describe('fetchJwks', () => {
  let server: ScriptedServer;

  afterEach(() => server.stop());

  async function serve(...steps: readonly Step[]): Promise<string> {
    server = await ScriptedServer.start(...steps);
    return `${server.url}/keys`;
  }

  async function failure(...steps: readonly Step[]): Promise<string> {
    const uri = await serve(...steps);
    return (await rejection(fetchJwks(uri, DEADLINE_MS))).message.replaceAll(server.url, 'SERVER');
  }

  function redirect(location: string, status = 302): Step {
    return json(status, {}, { location });
  }

  function sent(coding: string, bytes: Uint8Array): Step {
    return (response) => response.writeHead(200, { 'content-encoding': coding }).end(bytes);
  }

  it('asks for a key set, then for any JSON, and says who asks', async () => {
    await fetchJwks(await serve(json(200, SET)), DEADLINE_MS);

    expect(server.seen[0]?.headers).to.include({
      accept: 'application/jwk-set+json, application/json;q=0.9, */*;q=0.1',
      'user-agent': 'image-catalog',
    });
  });

  it('reads a server that offers application/jwk-set+json only, and refuses requests without User-Agent', async () => {
    const strict: Step = (response, { headers }) => {
      const isOffered = headers.accept?.includes('application/jwk-set+json');
      response.statusCode = headers['user-agent'] === undefined ? 403 : isOffered ? 200 : 406;
      response.setHeader('content-type', 'application/jwk-set+json').end(TEXT);
    };

    expect(await fetchJwks(await serve(strict), DEADLINE_MS)).to.deep.equal(SET);
  });

  const CODINGS: ReadonlyArray<readonly [coding: string, bytes: Uint8Array]> = [
    ['gzip', gzipSync(TEXT)],
    ['X-Gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
  ];
  for (const [coding, bytes] of CODINGS) {
    it(`reads a body that is sent as ${coding}`, async () => {
      expect(await fetchJwks(await serve(sent(coding, bytes)), DEADLINE_MS)).to.deep.equal(SET);
    });
  }

  it('reads no more than 256 KB of a small body that grows when it is decompressed', async () => {
    const large = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

    expect(await failure(sent('gzip', large))).to.match(/more than 262144 bytes/);
  });

  it('fails on a compressed body that is cut off or damaged, and on an unknown coding', async () => {
    const gzip = gzipSync(TEXT);

    expect(await failure(sent('gzip', gzip.subarray(0, -9)))).to.match(/unexpected end/);
    await server.stop();
    expect(await failure(sent('gzip', Buffer.from(TEXT)))).to.match(/incorrect header/);
    await server.stop();
    expect(await failure(sent('constructor', gzip))).to.match(
      /compressed with "constructor", which is not known/,
    );
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`follows a redirect by ${status} within the origin`, async () => {
      const uri = await serve(redirect('/other?a=b#c', status), json(200, SET));

      expect(await fetchJwks(uri, DEADLINE_MS)).to.deep.equal(SET);
      expect(server.seen.map(({ url }) => url)).to.deep.equal(['/keys', '/other?a=b']);
      expect(server.seen[1]?.headers).to.include({ 'user-agent': 'image-catalog' });
    });
  }

  it('follows no second redirect, and names both targets', async () => {
    expect(await failure(redirect('/second'), redirect('/third?secret'), json(200, SET))).to.match(
      /redirects \(302\) to SERVER\/second, which redirects again, to SERVER\/third\. Set IDP_JWKS_URI/,
    );
    expect(server.seen).to.have.length(2);
  });

  it('follows no redirect to another origin or to itself, and names the target', async () => {
    const elsewhere = 'https://user:password@login.example.test/sign-in?state=secret';
    expect(await failure(redirect(elsewhere))).to.match(
      /redirects \(302\) to https:\/\/login\.example\.test\/sign-in, which is another server/,
    );
    await server.stop();
    expect(await failure(redirect('/keys'))).to.match(/to SERVER\/keys, which is itself/);
    expect(server.seen).to.have.length(1);
  });

  it('names the status and the address of another response', async () => {
    expect(await failure(json(406, {}))).to.equal('The JWKS endpoint SERVER/keys responded with 406');
    await server.stop();
    expect(await failure(redirect('/moved'), json(404, {}))).to.match(/SERVER\/moved responded with 404/);
    await server.stop();
    expect(await failure(json(302, {}))).to.match(/responded with 302/);
    await server.stop();
    expect(await failure(redirect('http://['))).to.match(/responded with 302/);
  });

  it('repeats no text of the body', async () => {
    const page: Step = (response) => response.end('<html>secret');

    expect(await failure(page)).to.equal('The JWKS endpoint sent no JSON');
  });
});
