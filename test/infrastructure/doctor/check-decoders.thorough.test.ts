import { expect } from 'chai';
import { checkDecoders } from '../../../src/infrastructure/doctor/check-decoders.ts';
import { decoderPool } from '../../support/doubles/decoders.ts';

describe('checkDecoders', () => {
  it('names the error of a decoder that does not start', async () => {
    const pool = decoderPool({
      program: '/nonexistent/decoder.cjs',
      slots: 2,
      renditions: 1,
    });

    const results = await checkDecoders(pool);
    await pool.stop();

    expect(results).to.have.lengthOf(1);
    expect(results[0]).to.include({ level: 'problem' });
    expect(results[0]?.text).to.equal(
      "No decoder starts: Error: Cannot find module '/nonexistent/decoder.cjs'",
    );
  });
});
