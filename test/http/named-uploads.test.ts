import { expect } from 'chai';
import type { Response, Test } from 'supertest';
import { filePart } from '../support/fixtures/multipart.ts';
import { noisyPng, pngPicture } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

type Headers = Readonly<Record<string, string>>;

describe('POST /api/upload?name=', () => {
  const service = startFor('each', () => TestService.start({ spaceLimits: { images: 3 } }));
  let png: Buffer;
  let otherPng: Buffer;

  function upload(query: string, headers: Headers = {}, bytes = png): Test {
    return service.post([filePart(bytes)], query).set(headers);
  }

  async function target(name: string): Promise<unknown> {
    const { status, body } = await service.get(`/api/names/${name}`);
    const { id, version } = body as { readonly id: number; readonly version: number };
    return status === 404 ? undefined : [id, version];
  }

  function idOf({ body }: Response): number {
    return (body as ImageRecord).id;
  }

  before(async () => {
    [png, otherPng] = [await noisyPng(24, 18), await pngPicture()];
  });

  it('does not move the name again with a key that was used', async () => {
    const key = { 'Idempotency-Key': 'once' };
    const first = await upload('?name=hero', { ...key, 'If-None-Match': '*' });
    const moved = await upload('?name=hero');

    const replay = await upload('?name=hero', { ...key, 'If-None-Match': '*' });
    const underAnother = await upload('?name=logo', key);
    const reused = await upload('?name=hero', key, otherPng);

    expect([replay.status, idOf(replay), replay.headers['idempotency-replayed']]).to.deep.equal([
      201,
      idOf(first),
      'true',
    ]);
    expect([underAnother.status, idOf(underAnother)]).to.deep.equal([201, idOf(first)]);
    expect(refusalOf(reused)).to.deep.equal([422, 'idempotency_key_reused']);
    expect(await target('hero')).to.deep.equal([idOf(moved), 2]);
    expect(await target('logo')).to.equal(undefined);
  });

  it('does not use up the key of an upload whose condition does not hold', async () => {
    const key = { 'Idempotency-Key': 'once' };
    const refused = await upload('?name=hero', { ...key, 'If-Match': '"n1"' });
    const stored = await upload('?name=hero', key);

    expect([refused.status, stored.status]).to.deep.equal([412, 201]);
    expect(stored.headers).not.to.have.property('idempotency-replayed');
  });

  it('needs a name for a condition', async () => {
    for (const headers of [{ 'If-Match': '"n1"' }, { 'If-None-Match': '*' }]) {
      expect(refusalOf(await upload('', headers))).to.deep.equal([400, 'invalid_request']);
    }
    expect(await service.records()).to.equal(0);
  });
});
