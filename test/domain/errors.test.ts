import { expect } from 'chai';
import * as errors from '../../src/domain/errors.ts';
import { DomainError } from '../../src/domain/errors.ts';

const { ImageBeyondLimits, InvalidImage, RenditionTooLarge, StorageUnavailable } = errors;

const { DomainError: _base, ...LEAVES } = errors;

/** Of those whose message needs them. */
const FACTS: Readonly<Record<string, readonly unknown[]>> = {
  RecordConflict: [[7]],
  RenditionTooLarge: ['image/png', 'png', 7],
  TooManyChanges: [{ max: 1, asked: 1, now: new Date(0), until: new Date(1) }],
  UnsupportedMediaType: ['heic', ['image/png']],
};

/** Their reasons differ, and their code is one. */
const REFUSED_IMAGES: ReadonlySet<string> = new Set([ImageBeyondLimits.name, RenditionTooLarge.name]);

function codeOf(name: string): string {
  return REFUSED_IMAGES.has(name) ? 'invalid_image' : name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();
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
