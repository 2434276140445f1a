import { expect } from 'chai';
import type * as z from 'zod';
import { CatalogError } from '../../client/src/node.ts';
import { nodePlatform } from '../../client/src/platform/node-platform.ts';
import { CatalogSpaces, type SpaceLimits, type SpaceUsage } from '../../client/src/spaces/node.ts';
import { SpacesClient } from '../../client/src/spaces/spaces-client.ts';
import type { setSpaceLimits } from '../../src/adapters/http/spaces/set-space-limits.ts';
import { collectAll } from '../support/fixtures/collect-all.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { json, refusal, ScriptedServer } from '../support/servers/scripted-server.ts';

const ALL_SPACES = 'images:all-spaces';
const NAMES = ['', 'Ω & co, ?#', 'acme', 'b'].toSorted();

describe('all spaces in the client', () => {
  const service = startFor('all', () =>
    TestService.start({ spaceClaim: 'org', scopes: { allSpaces: ALL_SPACES } }),
  );
  let calls = 0;
  let spaces: CatalogSpaces;

  before(async () => {
    spaces = new CatalogSpaces({
      url: service.url,
      getToken: () => {
        calls += 1;
        return service.token({ scope: ALL_SPACES });
      },
    });
    for (const [at, name] of NAMES.entries()) {
      await spaces.in(name).upload(new File([await noisyPng(20 + at, 20)], `${at}.png`));
    }
  });

  it('have the limits of the service', () => {
    type Body = z.input<ReturnType<typeof setSpaceLimits.operation>['json']['schema']>;
    const taken = (limits: SpaceLimits): Pick<Body, 'bytes' | 'images'> => limits;
    const names: keyof SpaceLimits extends keyof Body
      ? keyof Body extends keyof SpaceLimits
        ? true
        : false
      : false = true;

    expect([names, taken({})]).to.deep.equal([true, {}]);
  });

  it('are listed in pages, with a client for each that shares the token', async () => {
    const listed = await collectAll(spaces.list({ limit: 2 }));

    expect(listed.map(({ space, images }: SpaceUsage) => [space, images])).to.deep.equal(
      NAMES.map((name) => [name, 1]),
    );
    expect(await collectAll(spaces.list({ after: 'acme' }))).to.have.length(2);
    for (const [at, { space }] of listed.entries()) {
      const [image, ...others] = await collectAll(spaces.in(space).list());
      expect([image?.originalName, others]).to.deep.equal([`${at}.png`, []]);
      expect((await spaces.in(space).usage()).images).to.equal(1);
    }
    expect(calls).to.equal(1);
  });

  it('are found by their names, and limited', async () => {
    const limited = await spaces.setLimits('acme', { images: 1, bytes: null });

    expect(limited.limits).to.deep.equal({ images: 1, bytes: null });
    expect(await spaces.get('acme')).to.deep.equal(limited);
    const refused = await rejection(spaces.in('acme').upload(new File([await noisyPng(9, 9)], 'b.png')));
    expect(refused).to.include({ code: 'quota_exceeded', kind: 'refused' });
    const unknown = await rejection(spaces.get('nobody'));
    expect(unknown).to.be.instanceOf(CatalogError);
    expect(unknown).to.include({ code: 'space_not_found', status: 404 });
    expect((await spaces.setLimits('acme', { images: 'default' })).limits.images).to.equal(null);
  });
});

describe('the requests of CatalogSpaces', () => {
  let server: ScriptedServer;

  afterEach(() => server.stop());

  it('are repeated, with a new token if the first is refused, and keep a path of the service', async () => {
    server = await ScriptedServer.start(
      refusal(503, 'overloaded', { 'retry-after': '0' }),
      refusal(401, 'invalid_token'),
      json(200, { space: 'a' }),
    );
    const tokens = ['first', 'second'];
    const spaces = new CatalogSpaces({ url: `${server.url}/below`, getToken: () => String(tokens.shift()) });

    expect(await spaces.setLimits('a b', { images: 1 })).to.deep.equal({ space: 'a' });
    expect(server.seen.map(({ method, url, headers }) => [method, url, headers.authorization])).to.deep.equal(
      ['first', 'first', 'second'].map((token) => [
        'PUT',
        '/below/api/spaces/limits?space=a%20b',
        `Bearer ${token}`,
      ]),
    );
    expect(String(server.seen[0]?.body)).to.equal('{"images":1}');
  });

  it('are not sent if the name of the space has a lone surrogate', async () => {
    server = await ScriptedServer.start(json(200, {}), json(200, [{}]));
    const spaces = new CatalogSpaces({ url: server.url, getToken: () => 'token' });

    expect(await rejection(spaces.setLimits('\ud800', { images: 1 }))).to.be.instanceOf(URIError);
    expect(await rejection(spaces.get('\ud800'))).to.be.instanceOf(URIError);
    expect(() => spaces.in('\ud800')).to.throw(URIError);
    expect(server.seen).to.deep.equal([]);
  });

  it('name the space where the platform has no fetch of its own, as in a page', async () => {
    server = await ScriptedServer.start(json(200, { images: 0 }));
    const { fetch: _, ...platform } = nodePlatform;
    const spaces = new SpacesClient({ url: server.url, getToken: () => 'token' }, platform);

    await spaces.in('é,%').usage();
    await spaces.in('').usage();

    expect(server.seen.map(({ headers }) => headers['space'])).to.deep.equal(['%C3%A9%2C%25', '']);
  });
});
