import { expect } from 'chai';
import { CatalogError, errorOf } from '../../client/src/catalog-error.ts';

describe('CatalogError', () => {
  for (const [status, code, kind] of [
    [0, 'network_error', 'unreachable'],
    [502, 'bad_gateway', 'unreachable'],
    [504, 'unexpected_response', 'unreachable'],
    [503, 'overloaded', 'busy'],
    [503, 'storage_unavailable', 'busy'],
    [429, 'unexpected_response', 'busy'],
    [408, 'request_timeout', 'busy'],
    [503, 'read_only', 'read_only'],
    [409, 'idempotency_key_in_use', 'key_in_use'],
    [401, 'invalid_token', 'unauthorized'],
    [403, 'insufficient_scope', 'forbidden'],
    [403, 'space_missing', 'forbidden'],
    [403, 'quota_exceeded', 'refused'],
    [404, 'image_not_found', 'refused'],
    [413, 'unexpected_response', 'refused'],
    [422, 'invalid_image', 'refused'],
    [400, 'digest_mismatch', 'failed'],
    [500, 'internal_error', 'failed'],
    [302, 'unexpected_response', 'failed'],
  ] as const) {
    it(`is ${kind} for ${status} ${code}`, () => {
      expect(new CatalogError('planted', { code, status })).to.have.property('kind', kind);
    });
  }

  it('is busy for 401 with Retry-After: the service has no signing keys yet', async () => {
    const error = await errorOf(new Response('{}', { status: 401, headers: { 'Retry-After': '1' } }));

    expect(error).to.include({ kind: 'busy', retryAfterMs: 1000 });
  });

  it('waits until the date of a gateway by the clock of the gateway: its own may be hours behind', async () => {
    const headers = { Date: 'Mon, 01 Jan 2035 12:00:00 GMT', 'Retry-After': 'Mon, 01 Jan 2035 12:00:07 GMT' };
    const error = await errorOf(new Response('', { status: 503, headers }));

    expect(error.retryAfterMs).to.equal(7000);
  });

  for (const [challenge, scope] of [
    ['Bearer error="insufficient_scope", scope="images:write"', 'images:write'],
    ['Bearer scope="images:read images:write"', 'images:read images:write'],
    ['Bearer error="invalid_token", error_description="no \\"scope=\\"x\\""', undefined],
    ['Bearer', undefined],
  ] as const) {
    it(`names the scope ${scope} for ${challenge}`, async () => {
      const headers = { 'WWW-Authenticate': challenge };

      expect(await errorOf(new Response('{}', { status: 403, headers }))).to.have.property('scope', scope);
    });
  }

  it('names no scope without a challenge', async () => {
    expect(await errorOf(new Response('{}', { status: 403 }))).to.have.property('scope', undefined);
  });
});
