import { expect } from 'chai';
import { answersBytes } from '../contracts/bytes.contract.ts';
import { ERROR } from '../support/captured-log.ts';
import { jpegOfSize } from '../support/pictures.ts';
import { requestHead } from '../support/raw-connection.ts';
import { TestService } from '../support/test-service.ts';

/** More than the buffers of a connection take. */
const LARGE = 24 * 1024 * 1024;

describe('/api/image/:id/file', () => {
  answersBytes((options) => TestService.start(options));

  it('logs no error where a client leaves in the middle', async () => {
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
});
