import { expect } from 'chai';
import type { Test } from 'supertest';
import { filePart } from '../support/fixtures/multipart.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { TestService } from '../support/http/test-service.ts';

const SCOPES = { read: 'images:read', write: 'images:write', delete: 'images:delete' } as const;
const MERGE_PATCH = 'application/merge-patch+json';
const MAX_BYTES = 256 * 1024;

interface Route {
  readonly method: 'get' | 'patch' | 'post' | 'put' | 'delete';
  readonly path: string;
  readonly scope: string;
  /** Of a body, which need not be valid: access comes first. */
  readonly type?: string;
  /** Of one that changes nothing, whatever its scope. */
  readonly worksReadOnly?: true;
}

const ROUTES: readonly Route[] = [
  { method: 'get', path: '/api/image/1/metadata', scope: SCOPES.read },
  { method: 'patch', path: '/api/image/1/metadata', scope: SCOPES.write, type: MERGE_PATCH },
  { method: 'post', path: '/api/images/metadata', scope: SCOPES.write, type: 'application/json' },
  { method: 'post', path: '/api/images/archive', scope: SCOPES.read, type: 'application/json' },
  {
    method: 'post',
    path: '/api/uploads/tickets',
    scope: SCOPES.write,
    type: 'application/json',
    worksReadOnly: true,
  },
  { method: 'get', path: '/api/changes', scope: SCOPES.read },
  { method: 'get', path: '/api/tags', scope: SCOPES.read },
  { method: 'get', path: '/api/names', scope: SCOPES.read },
  { method: 'get', path: '/api/names/cat', scope: SCOPES.read },
  { method: 'get', path: '/api/names/cat/file', scope: SCOPES.read },
  { method: 'put', path: '/api/names/cat', scope: SCOPES.write, type: 'application/json' },
  { method: 'delete', path: '/api/names/cat', scope: SCOPES.write },
  { method: 'get', path: '/api/usage', scope: SCOPES.read },
  { method: 'get', path: '/api/trash', scope: SCOPES.read },
  { method: 'post', path: '/api/trash/1/restore', scope: SCOPES.delete },
  { method: 'delete', path: '/api/trash/1', scope: SCOPES.delete },
  { method: 'get', path: '/api/images/timeline?by=day', scope: SCOPES.read },
];

async function refusalOf(test: Test): Promise<readonly [number, unknown]> {
  const { status, body } = await test;
  return [status, (body as { readonly code?: string }).code];
}

describe('the routes of metadata, finding, changes, archives, names, trash, tickets and usage', () => {
  let service: TestService;
  let readOnly: TestService;

  before(async () => {
    service = await TestService.start({ scopes: SCOPES });
    readOnly = await TestService.start({ readOnly: true });
  });

  after(async () => {
    await service.stop();
    await readOnly.stop();
  });

  function send({ method, path, type }: Route, token?: string, to = service): Test {
    const request = to.anonymous(method, path);
    if (token !== undefined) void request.set('Authorization', `Bearer ${token}`);
    return type === undefined ? request : request.set('Content-Type', type).send('{');
  }

  for (const route of ROUTES) {
    const name = `${route.method.toUpperCase()} ${route.path}`;

    it(`${name} needs a token`, async () => {
      expect(await refusalOf(send(route))).to.deep.equal([401, 'credentials_required']);
    });

    it(`${name} needs the scope ${route.scope}`, async () => {
      const others = Object.values(SCOPES).filter((scope) => scope !== route.scope);
      const token = service.token({ scope: others.join(' ') });

      expect(await refusalOf(send(route, token))).to.deep.equal([403, 'insufficient_scope']);
    });

    if (route.scope === SCOPES.read || route.worksReadOnly === true) continue;
    it(`${name} is refused while the catalog is read-only`, async () => {
      expect(await refusalOf(send(route, readOnly.token(), readOnly))).to.deep.equal([503, 'read_only']);
    });
  }

  it('show a token without the scope for reading the new ETag of its patch, and no metadata', async () => {
    const catalog = await TestService.start({ scopes: SCOPES });
    const upload = await catalog
      .post([filePart(await noisyPng(20, 20), 'cat.png')])
      .set('Authorization', `Bearer ${catalog.token({ scope: SCOPES.write })}`);
    const path = `/api/image/${(upload.body as { id: number }).id}/metadata`;
    const patchAs = (scope: string): Test =>
      catalog
        .patchJson(path, '{"title":"Chelsea"}', MERGE_PATCH)
        .set({ Authorization: `Bearer ${catalog.token({ scope })}` });

    const writing = await patchAs(SCOPES.write);
    const both = await patchAs(`${SCOPES.write} ${SCOPES.read}`);
    await catalog.stop();

    expect([writing.status, writing.text, writing.headers['etag']]).to.deep.equal([204, '', '"m2"']);
    expect(writing.headers).not.to.have.any.keys('content-type', 'cache-control');
    expect(both.body).to.include({ title: 'Chelsea' });
  });

  it('refuse an id that is no number', async () => {
    const token = service.token({ scope: SCOPES.read });
    const route: Route = { method: 'get', path: '/api/image/x/metadata', scope: SCOPES.read };

    expect(await refusalOf(send(route, token))).to.deep.equal([400, 'invalid_request']);
  });

  it('refuse bulk tags of another type, and of more than 256 KiB', async () => {
    const bearer = `Bearer ${service.token({ scope: SCOPES.write })}`;
    const post = (body: string, type: string): Test =>
      service.postJson('/api/images/metadata', body, type).set('Authorization', bearer);

    expect(await refusalOf(post('{}', MERGE_PATCH))).to.deep.equal([415, 'unsupported_media_type']);
    const large = JSON.stringify({ ids: [1], addTags: ['a'] }).padEnd(MAX_BYTES + 1);
    expect(await refusalOf(post(large, 'application/json'))).to.deep.equal([413, 'request_too_large']);
  });
});
