import { expect } from 'chai';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { rawPng } from '../support/fixtures/raw-pictures.ts';
import { Scrape } from '../support/http/scrape.ts';
import { TestService } from '../support/http/test-service.ts';

/** Its decoder needs little memory, the encoder some 100 MB. */
const COSTLY_AS_AVIF = rawPng({ width: 2_000, height: 2_000, bitDepth: 8, colourType: 'grey' });

/** A service with this limit has decoders of its own. */
async function start(decodeMemoryBytes: number): Promise<TestService> {
  return await TestService.start({ decodeMemoryBytes });
}

async function scrape(service: TestService): Promise<Scrape> {
  await service.idle();
  return new Scrape(await service.container.get(TOKENS.telemetry).metrics.text());
}

describe('Metrics of decode memory', () => {
  it('have the limits of the configuration', async () => {
    const service = await start(123_456_789);
    const found = await scrape(service);
    await service.stop();

    expect(found.value('image_catalog_decode_memory_limit_bytes')).to.equal(123_456_789);
    expect(found.value('image_catalog_decode_memory_reserved_bytes')).to.equal(0);
    expect(found.value('image_catalog_decode_jobs_waiting_limit', { queue: 'inspection' })).to.equal(
      Infinity,
    );
    expect(found.labelValues('image_catalog_decode_jobs_running', 'queue')).to.have.members([
      'inspection',
      'rendition',
    ]);
  });
});

describe('A decode', () => {
  it('is not refused for its estimate alone', async () => {
    const small = await start(20_000_000);
    const { status } = await small.post([
      filePart(rawPng({ width: 64, height: 64, bitDepth: 8, colourType: 'grey' })),
    ]);
    await small.stop();

    expect(status).to.equal(201);
  });

  it('is 503 overloaded, and counted as such, if it takes more memory than all decodes may use', async () => {
    const small = await start(20_000_000);
    const image = await small.upload(COSTLY_AS_AVIF);
    const response = await small.get(`/api/image/${image.id}/file?format=avif`);
    const upload = await small.post([
      filePart(rawPng({ width: 2_000, height: 2_000, bitDepth: 16, colourType: 'rgba', isInterlaced: true })),
    ]);
    const found = await scrape(small);
    await small.stop();

    expect(found.value('image_catalog_renditions_total', { result: 'overloaded' })).to.equal(1);
    for (const { status, body, headers } of [response, upload]) {
      expect([status, body.code]).to.deep.equal([503, 'overloaded']);
      expect(headers['retry-after']).to.match(/^[1-9]\d*$/);
    }
  });
});
