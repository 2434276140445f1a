import { expect } from 'chai';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../src/domain/ports/bytes/readable-bytes.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { answersBytes } from '../contracts/bytes.contract.ts';
import { ERROR } from '../support/doubles/captured-log.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { jpegOfSize } from '../support/fixtures/pictures.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';

/** Larger than the buffers of a connection. */
const LARGE = 24 * 1024 * 1024;

/** Larger than one read of a store. */
const MANY = 1024 * 1024;

describe('/api/image/:id/file', () => {
  answersBytes((options) => TestService.start(options));

  it('logs no error if a client disconnects during a download', async () => {
    const generous = await TestService.start({ maxFileBytes: LARGE });
    const { id } = await generous.upload(await jpegOfSize(LARGE));
    const connection = await generous.connect();
    connection.send(requestHead('GET', `/api/image/${id}/file`, { Authorization: generous.bearer }));
    await connection.begun();
    connection.abandon();
    await generous.log.entry(({ msg }) => msg === 'client left');
    const errors = generous.log.atLeast(ERROR);
    await generous.stop();
    expect(errors).to.deep.equal([]);
  });

  describe('of a large picture', () => {
    const service = startFor('all', () =>
      TestService.start({ maxFileBytes: LARGE, modules: [wrapping(TOKENS.blobs, notingOpened)] }),
    );
    let opened: (number | 'stream')[];
    let path: string;

    before(async () => {
      path = `/api/image/${(await service.upload(await jpegOfSize(MANY))).id}/file`;
    });

    beforeEach(() => {
      opened = [];
    });

    function notingOpened(blobs: BlobStorage): BlobStorage {
      return intercepted(blobs, async (method, proceed) => {
        const result = await proceed();
        if (method !== 'open') return result;
        const { buffered } = result as OpenedBlob;
        opened.push(buffered?.length ?? 'stream');
        return result;
      });
    }

    it('reads at most one byte for HEAD', async () => {
      const { status, headers } = await service.head(path);
      expect([status, headers['content-length']]).to.deep.equal([200, String(MANY)]);
      expect(opened).to.deep.equal([1]);
    });

    it('reads at most one byte if a range is beyond the end', async () => {
      expect((await service.get(path).set('Range', 'bytes=99999999-')).status).to.equal(416);
      expect(opened).to.deep.equal([1]);
    });
  });
});
