import { expect } from 'chai';
import { StorageUnavailable } from '../../src/domain/errors.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { ERROR } from '../support/doubles/captured-log.ts';
import { patternedBytes } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { requestHead } from '../support/http/raw-connection.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { wrapping } from '../support/http/wrapping.ts';

const SIZE = 1024 * 1024;

/** Half of the bytes are read, and then `end` runs. */
function losingBytes(blobs: BlobStorage): BlobStorage {
  async function* read(): AsyncGenerator<Uint8Array, void, undefined> {
    yield patternedBytes(SIZE / 2);
    end();
  }
  const open: BlobStorage['open'] = async () => ({ size: SIZE, read, close: async () => {} });
  return Object.assign(Object.create(blobs) as BlobStorage, { open });
}

let end: () => void;

const service = startFor('all', () => TestService.start({ modules: [wrapping(TOKENS.blobs, losingBytes)] }));

describe('a response whose bytes are lost while they are sent', () => {
  for (const [how, lose] of [
    [
      'the storage fails',
      () => {
        throw new StorageUnavailable();
      },
    ],
    ['the file has become shorter', () => {}],
  ] as const) {
    it(`is cut off, and the log names the image, if ${how}`, async () => {
      service.log.clear();
      end = lose;
      const { id } = await service.images.add(newImage({ size: SIZE }));
      const connection = await service.connect();
      connection.send(requestHead('GET', `/api/image/${id}/file`, { Authorization: service.bearer }));
      await connection.closed;
      await service.idle();

      const errors = service.log.atLeast(ERROR);
      expect(errors.map(({ msg, imageId }) => [msg, imageId])).to.deep.equal([['response cut off', id]]);
    });
  }
});
