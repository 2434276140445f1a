import { expect } from 'chai';
import { CatalogClient } from '../../client/src/catalog-client.ts';
import type { Change } from '../../client/src/image-record.ts';
import { ImageCatalog } from '../../client/src/node.ts';
import { nodePlatform } from '../../client/src/platform/node-platform.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { TestService } from '../support/http/test-service.ts';
import { hangUp, json, refusal, ScriptedServer, type Step } from '../support/servers/scripted-server.ts';

function changeOf(id: number): Change {
  return { cursor: `c${id}`, type: 'image.created', id, at: '2026-01-31T12:00:00.000Z', by: null };
}

function pageOf(...ids: readonly number[]): Step {
  return json(200, { changes: ids.map(changeOf), next: `c${ids.at(-1) ?? 0}`, more: false });
}

/** The first changes that the client reads of a scripted service. */
async function read(
  steps: readonly Step[],
  count: number,
  tokens: readonly string[] = ['token'],
): Promise<{ readonly ids: readonly number[]; readonly queries: readonly string[]; readonly waits: number }> {
  const server = await ScriptedServer.start(...steps);
  let [waits, asked] = [0, 0];
  const getToken = (): string => tokens[Math.min(asked++, tokens.length - 1)] ?? '';
  const wait = async (): Promise<void> => void (waits += 1);
  const client = new CatalogClient({ url: server.url, getToken, retries: 1 }, { ...nodePlatform, wait });
  const ids: number[] = [];
  for await (const { id } of client.changes({ after: 'c0' })) {
    ids.push(id);
    if (ids.length === count) break;
  }
  await server.stop();
  return { ids, waits, queries: server.seen.map(({ url }) => new URL(url, server.url).search) };
}

describe('the changes of the client', () => {
  it('continue behind each page, and wait for the next', async () => {
    const { ids, queries } = await read([pageOf(1, 2), pageOf(), pageOf(3)], 3);

    expect(ids).to.deep.equal([1, 2, 3]);
    expect(queries[0]).to.equal('?after=c0&limit=1000&wait=30');
    expect(queries[1]).to.contain('after=c2&');
  });

  it('outlast any number of failures', async () => {
    const failures = [hangUp, refusal(503, 'overloaded'), refusal(503, 'storage_unavailable'), hangUp];
    const { ids, waits, queries } = await read([pageOf(1), ...failures, pageOf(2)], 2);

    expect(ids).to.deep.equal([1, 2]);
    expect(waits).to.equal(4);
    expect(queries.slice(1)).to.deep.equal(Array(5).fill('?after=c1&limit=1000&wait=30'));
  });

  it('renew the token', async () => {
    const steps = [pageOf(1), refusal(401, 'invalid_token'), pageOf(2)];
    expect((await read(steps, 2, ['first', 'second'])).ids).to.deep.equal([1, 2]);
  });

  it('reject with cursor_expired', async () => {
    const error = await rejection(read([pageOf(1), refusal(410, 'cursor_expired')], 2));
    expect(error).to.include({ code: 'cursor_expired', status: 410, kind: 'refused' });
  });

  it('end with the reason of the signal', async () => {
    const service = await TestService.start();
    const catalog = new ImageCatalog({ url: service.url, getToken: () => service.token() });
    const { changesCursor } = await catalog.page();
    const { id } = await catalog.upload(new File([new Uint8Array(await pngPicture())], 'cat.png'));
    const leaving = new AbortController();
    const found: Change[] = [];
    const options = { after: changesCursor, include: 'image', signal: leaving.signal } as const;
    const error = await rejection(
      (async () => {
        for await (const change of catalog.changes(options)) {
          found.push(change);
          leaving.abort(new Error('enough'));
        }
      })(),
    );
    await service.stop();

    expect(error).to.include({ message: 'enough' });
    expect(found.map(({ type, image }) => [type, image?.id])).to.deep.equal([['image.created', id]]);
  });
});
