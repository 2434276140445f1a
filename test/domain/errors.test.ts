import { expect } from 'chai';
import * as errors from '../../src/domain/errors.ts';
import { DomainError } from '../../src/domain/errors.ts';

const { BlobLost, FileTooLarge, ImageBeyondLimits, InvalidImage, InvalidOriginalName } = errors;
const { Overloaded, StorageUnavailable } = errors;

const { DomainError: _base, ...LEAVES } = errors;

function codeOf(name: string): string {
  return name === ImageBeyondLimits.name
    ? 'invalid_image'
    : name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
}

describe('DomainError', () => {
  for (const [name, Leaf] of Object.entries(LEAVES)) {
    it(`has a leaf ${name} that is named after its class, as its code is`, () => {
      const facts = name === errors.RecordConflict.name ? [[7]] : [];
      const error = Reflect.construct(Leaf, facts) as DomainError;

      expect(error)
        .to.be.instanceOf(DomainError)
        .and.include({ name, code: codeOf(name) });
      expect(String(error)).to.equal(`${name}: ${error.message}`);
    });
  }

  it('keeps its cause, which clients do not see', () => {
    const cause = new Error('disk full');

    expect(new StorageUnavailable({ cause }).cause).to.equal(cause);
    expect(new InvalidImage('image/png', 'is torn', { cause }).cause).to.equal(cause);
  });

  it('does not include the cause in its message', () => {
    expect(new StorageUnavailable({ cause: new Error('disk full') }).message).to.not.include('disk');
  });

  it('carries the facts of its leaf', () => {
    expect(new FileTooLarge(1024)).to.include({ maxBytes: 1024 });
    expect(new InvalidOriginalName(255)).to.include({ maxBytes: 255 });
    expect(new InvalidImage('image/png')).to.include({ mediaType: 'image/png' });
    expect(new BlobLost(7, 'some-uuid', 'missing')).to.include({ imageId: 7, blobKey: 'some-uuid' });
  });

  it('states when to retry if that may help', () => {
    expect(new StorageUnavailable().retryAfterSeconds).to.be.greaterThan(0);
    expect(new Overloaded('searches').retryAfterSeconds).to.be.greaterThan(0);
  });
});
