import { expect } from 'chai';
import { parseStorageConfig } from '../../src/infrastructure/config/config.ts';
import { decodeMemoryWarning } from '../../src/infrastructure/start/decode-memory-warning.ts';

/** 10 bytes a pixel and 64 MiB, for 65,000,000 pixels. */
const NEEDED = 717_108_864;

function warningOf(decodeMemoryBytes: number): string | undefined {
  return decodeMemoryWarning(parseStorageConfig({ DECODE_MEMORY_BYTES: String(decodeMemoryBytes) }));
}

describe('decodeMemoryWarning', () => {
  it('is silent if the decode memory holds the largest permitted picture', () => {
    expect(warningOf(NEEDED)).to.equal(undefined);
  });

  it('names both variables and the response of such uploads if it does not', () => {
    expect(warningOf(NEEDED - 1))
      .to.include('DECODE_MEMORY_BYTES')
      .and.include('UPLOAD_MAX_PIXELS')
      .and.include('such uploads are rejected with 503 overloaded');
  });
});
