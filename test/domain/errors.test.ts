import { expect } from 'chai';
import * as errors from '../../src/domain/errors.ts';
import { DomainError } from '../../src/domain/errors.ts';

const { InvalidImage, StorageUnavailable } = errors;

const { DomainError: _base, ...LEAVES } = errors;

/** Of those whose message needs them. */
const FACTS: Readonly<Record<string, readonly unknown[]>> = {
  RecordConflict: [[7]],
  RenditionTooLarge: ['image/png', 'png', 7],
  TooManyChanges: [{ max: 1, asked: 1, now: new Date(0), until: new Date(1) }],
  UnsupportedMediaType: ['heic', ['image/png']],
};

/** Clients know these by a code that other errors have as well. */
const SHARED_CODES: Readonly<Record<string, string>> = {
  ImageBeyondLimits: 'invalid_image',
  RenditionTooLarge: 'invalid_image',
  PublishingRefused: 'insufficient_scope',
};

function codeOf(name: string): string {
  return SHARED_CODES[name] ?? name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
}

describe('DomainError', () => {
  for (const [name, Leaf] of Object.entries(LEAVES)) {
    it(`has a leaf ${name} that is named after its class, as its code is`, () => {
      const error = Reflect.construct(Leaf, FACTS[name] ?? []) as DomainError;

      expect(error)
        .to.be.instanceOf(DomainError)
        .and.include({ name, code: codeOf(name) });
      expect(String(error)).to.equal(`${name}: ${error.message}`);
    });
  }

  it('keeps its cause, which clients do not see', () => {
    const cause = new Error('disk full');

    expect(new StorageUnavailable({ cause }).cause).to.equal(cause);
    expect(new StorageUnavailable({ cause }).message).to.not.include('disk');
    expect(new InvalidImage('image/png', 'is torn', { cause }).cause).to.equal(cause);
  });
});
