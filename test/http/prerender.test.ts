import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Test } from 'supertest';
import { sharp } from '../../src/decoder/decoder-options.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { TestService } from '../support/http/test-service.ts';
import { openSqliteAndFiles } from '../support/http/test-storage.ts';
import { wrapMaker } from '../support/http/wrap-maker.ts';
import { eventually } from '../support/time/eventually.ts';

let service: TestService;
/** Of each encode whether pixels were available. */
let encodes: boolean[];

/** Wide enough for pixels of 320 from its inspection. */
async function photo(): Promise<Buffer> {
  const background = { r: 90, g: 120, b: 40 };
  return await sharp({ create: { width: 3000, height: 2000, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

async function start(prerender: string, begun: () => Promise<void> = async () => {}): Promise<void> {
  service = await TestService.start({ prerender, openStorage: openSqliteAndFiles });
  encodes = [];
  wrapMaker(service, async (make, source, ...rest) => {
    encodes.push(source.pixels?.read() !== undefined);
    await begun();
    return await make(source, ...rest);
  });
}

async function cached(): Promise<readonly string[]> {
  const blobs = service.storage.environment['BLOB_STORE_URL']?.slice('file:'.length) ?? '';
  const names = await readdir(join(blobs, '../renditions'), { recursive: true }).catch((): string[] => []);
  return names.filter((name) => /\.(?:webp|jpg)$/.test(name));
}

function view({ id }: ImageRecord, query = '?width=320&format=webp'): Test {
  return service.get(`/api/image/${id}/file${query}`);
}

describe('An upload', () => {
  afterEach(() => service.stop());

  it('is followed by its default renditions, made of the pixels of its inspection', async () => {
    await start('320:webp,320:jpeg');
    const image = await service.upload(await photo());

    expect(await eventually(cached, ({ length }) => length === 2)).to.have.length(2);
    expect((await view(image)).status).to.equal(200);
    expect((await view(image, '?width=320')).status).to.equal(200);
    expect(encodes).to.deep.equal([true, true]);
  });

  it('is followed by the same bytes and tag as on request', async () => {
    await start('');
    const onRequest = await view(await service.upload(await photo()));
    await service.stop();
    await start('320:webp');
    const image = await service.upload(await photo());
    await eventually(cached, ({ length }) => length === 1);
    const ahead = await view(image);

    expect([ahead.body, ahead.headers['etag']]).to.deep.equal([onRequest.body, onRequest.headers['etag']]);
  });
});
