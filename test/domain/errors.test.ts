import { expect } from 'chai';
import * as errors from '../../src/domain/errors.ts';
import { DomainError, type DomainErrorCode } from '../../src/domain/errors.ts';

const {
  BlobLost,
  CatalogTooNew,
  CursorExpired,
  FileTooLarge,
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  ImageBeyondLimits,
  ImageNotFound,
  InvalidImage,
  InvalidMetadata,
  InvalidOriginalName,
  InvalidPlace,
  LinkExpired,
  LinkInvalid,
  Overloaded,
  ImageChanged,
  MetadataChanged,
  NameChanged,
  NameNotFound,
  QuotaExceeded,
  RecordConflict,
  SpaceInUse,
  StorageUnavailable,
  TicketExpired,
  TicketInvalid,
  TicketUsed,
  TooMuchMetadata,
  UnsupportedMediaType,
} = errors;

const LEAVES: ReadonlyArray<readonly [string, DomainError, DomainErrorCode]> = [
  ['InvalidOriginalName', new InvalidOriginalName(255), 'invalid_original_name'],
  ['FileTooLarge', new FileTooLarge(1024), 'file_too_large'],
  ['UnsupportedMediaType', new UnsupportedMediaType('JPEG or PNG'), 'unsupported_media_type'],
  ['InvalidImage', new InvalidImage('image/png'), 'invalid_image'],
  ['ImageBeyondLimits', new ImageBeyondLimits('image/png'), 'invalid_image'],
  ['ImageNotFound', new ImageNotFound(), 'image_not_found'],
  ['ImageChanged', new ImageChanged(), 'image_changed'],
  ['InvalidMetadata', new InvalidMetadata('title', 'may not be blank'), 'invalid_metadata'],
  ['MetadataChanged', new MetadataChanged(), 'metadata_changed'],
  ['NameNotFound', new NameNotFound(), 'name_not_found'],
  ['NameChanged', new NameChanged(), 'name_changed'],
  ['InvalidPlace', new InvalidPlace(), 'invalid_place'],
  ['TooMuchMetadata', new TooMuchMetadata(7), 'too_much_metadata'],
  ['IdempotencyKeyInUse', new IdempotencyKeyInUse(), 'idempotency_key_in_use'],
  ['IdempotencyKeyReused', new IdempotencyKeyReused(), 'idempotency_key_reused'],
  ['LinkInvalid', new LinkInvalid(), 'link_invalid'],
  ['LinkExpired', new LinkExpired(), 'link_expired'],
  ['TicketInvalid', new TicketInvalid(), 'ticket_invalid'],
  ['TicketExpired', new TicketExpired(), 'ticket_expired'],
  ['TicketUsed', new TicketUsed(), 'ticket_used'],
  ['StorageUnavailable', new StorageUnavailable(), 'storage_unavailable'],
  ['CatalogTooNew', new CatalogTooNew('2.0.0'), 'catalog_too_new'],
  ['Overloaded', new Overloaded('searches'), 'overloaded'],
  ['CursorExpired', new CursorExpired(), 'cursor_expired'],
  ['QuotaExceeded', new QuotaExceeded(), 'quota_exceeded'],
  ['SpaceInUse', new SpaceInUse(), 'space_in_use'],
  ['RecordConflict', new RecordConflict([7]), 'record_conflict'],
  ['BlobLost', new BlobLost(7, 'some-uuid', 'missing'), 'blob_lost'],
];

describe('DomainError', () => {
  for (const [name, error, code] of LEAVES) {
    it(`has a leaf ${name} with the code ${code}`, () => {
      expect(error).to.be.instanceOf(DomainError).with.property('code', code);
    });

    it(`names its leaf ${name} after the class`, () => {
      expect(error.name).to.equal(name);
      expect(String(error)).to.equal(`${name}: ${error.message}`);
    });
  }

  it('has no other leaf', () => {
    const exported = Object.keys(errors).filter((name) => name !== 'DomainError');

    expect(exported).to.have.members(LEAVES.map(([name]) => name));
  });

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
