import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { exampleRecord } from '../../src/adapters/http/record/example-image.ts';
import { parseConfig } from '../../src/infrastructure/config/config.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const PATH = '/api/openapi.json';
const { sizes } = parseConfig({ IDP_DOMAIN: 'https://tenant.example.com/', IDP_AUDIENCE: 'a' }).renditions;
const EXAMPLE_RECORD = exampleRecord(sizes);

interface Description {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: ReadonlyArray<{ readonly url: string }>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
}

interface OperationObject {
  readonly security?: readonly object[];
  readonly parameters: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly enum?: readonly number[] };
  }>;
  readonly responses: Readonly<Record<string, object>>;
}

describe('GET /api/openapi.json', () => {
  const service = startFor('all', () =>
    TestService.start({ scopes: { read: 'images:read' }, maxFileBytes: 300_000 }),
  );

  function bearer(): string {
    return `Bearer ${service.token({ scope: 'images:read' })}`;
  }

  async function description(): Promise<Description> {
    const response = await service.get(PATH).set('Authorization', bearer()).expect(200);
    return response.body as Description;
  }

  it('returns an OpenAPI 3.1 document with an ETag, for the cache of this client alone', async () => {
    const response = await service.get(PATH).set('Authorization', bearer());
    expect(response.status).to.equal(200);
    expect(response.headers['cache-control']).to.equal('private, no-cache');
    expect(response.headers['etag']).to.match(/^"[0-9a-f]{64}"$/);
    expect((response.body as Description).openapi).to.match(/^3\.1\./);
  });

  it('returns 304 to a client that has the document', async () => {
    const { headers } = await service.get(PATH).set('Authorization', bearer());
    for (const tag of [headers['etag'], `"other", W/${headers['etag']}`, '*']) {
      const response = await service.get(PATH).set({ Authorization: bearer(), 'If-None-Match': String(tag) });
      expect([response.status, response.text]).to.deep.equal([304, '']);
      expect(response.headers['etag']).to.equal(headers['etag']);
    }
  });

  it('names the configured limit, sizes, address, scopes and time zone', async () => {
    const { info, paths, servers } = await description();
    const file = paths['/api/image/{id}/file']?.['get'];
    const width = file?.parameters.find(({ name }) => name === 'width');
    expect(JSON.stringify(paths['/api/upload'])).to.include('300000');
    expect(width?.schema.enum).to.deep.equal(EXAMPLE_RECORD.links.renditions.widths);
    expect(servers).to.deep.equal([{ url: 'http://localhost:3000' }]);
    expect(info['x-time-zone']).to.equal('UTC');
    expect(file?.security).to.deep.equal([{ accessToken: ['images:read'] }]);
    expect(file?.responses, 'without redirects to the store').not.to.have.property('307');
  });

  it('has the bytes and the ETag of another process with the same configuration', async () => {
    const other = await TestService.start({ scopes: { read: 'images:read' }, maxFileBytes: 300_000 });
    const token = `Bearer ${other.token({ scope: 'images:read' })}`;
    const its = await other.get(PATH).set('Authorization', token);
    const mine = await service.get(PATH).set('Authorization', bearer());
    expect(its.headers['etag']).to.equal(mine.headers['etag']);
    expect(its.body).to.deep.equal(mine.body);
    await other.stop();
  });

  it('shows the response to an upload of the cat of the demo', async () => {
    const cat = await readFile(new URL('../../demo/cat-chelsea.png', import.meta.url));
    const uploaded = await service.upload(cat, 'chelsea.png');
    const { id, filename, createdAt, createdBy, links, ...rest } = uploaded;
    expect({ ...EXAMPLE_RECORD, id, filename, createdAt, createdBy, links }).to.deep.equal({
      id,
      filename,
      createdAt,
      createdBy,
      links,
      ...rest,
    });
    expect(JSON.stringify(links).replaceAll(`/image/${id}`, '/image/1')).to.equal(
      JSON.stringify(EXAMPLE_RECORD.links),
    );
  });
});
