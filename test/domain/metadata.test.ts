import { expect } from 'chai';
import { InvalidMetadata } from '../../src/domain/errors.ts';
import { checkPatch, parseField } from '../../src/domain/image/check-patch.ts';
import {
  type MetadataPatch,
  NO_CAPTURE,
  NO_METADATA,
  takenAtOf,
} from '../../src/domain/image/image-metadata.ts';
import { patchMetadata } from '../../src/domain/image/patch-metadata.ts';
import { recaptureMetadata } from '../../src/domain/image/recapture-metadata.ts';
import { saysTheSame } from '../../src/domain/image/says-the-same.ts';
import { changedTags } from '../../src/domain/image/words/changed-tags.ts';
import { mergeTags } from '../../src/domain/image/words/tags.ts';

describe('checkPatch', () => {
  const ACCEPTED: ReadonlyArray<readonly [string, MetadataPatch, MetadataPatch]> = [
    ['keeps null, which clears', { title: null, takenAt: null }, { title: null, takenAt: null }],
    ['trims white space of all kinds', { title: '\u3000 a b\u00A0\u2028' }, { title: 'a b' }],
    ['keeps format characters', { title: '\uFEFF\u200Fa\u200D' }, { title: '\uFEFF\u200Fa\u200D' }],
    ['composes letters', { title: 'e\u0301' }, { title: 'é' }],
    ['counts code points after composing', { title: 'e\u0301'.repeat(200) }, { title: 'é'.repeat(200) }],
    ['counts an emoji as one', { title: '🐈'.repeat(200) }, { title: '🐈'.repeat(200) }],
    ['takes an empty alt, and blanks alone for it', { alt: ' \u3000\u2028 ' }, { alt: '' }],
    ['trims alt', { alt: ` ${'🐈'.repeat(500)} ` }, { alt: '🐈'.repeat(500) }],
    ['turns CR LF into LF', { description: 'a\r\nb\n' }, { description: 'a\nb' }],
    [
      'merges twins and sorts by fold',
      { tags: ['b', 'Łódź', 'B', 'lodz', 'É'] },
      { tags: ['b', 'É', 'Łódź'] },
    ],
    [
      'counts tags after merging',
      { tags: Array.from({ length: 200 }, (_, at) => `t${at % 100}`) },
      { tags: mergeTags(Array.from({ length: 100 }, (_, at) => `t${at}`)) },
    ],
    ['clears tags by null', { tags: null }, { tags: null }],
    [
      'shows a time in full',
      { takenAt: '2026-01-31T12:00:00-00:00' },
      { takenAt: '2026-01-31T12:00:00.000Z' },
    ],
  ];
  for (const [what, patch, checked] of ACCEPTED) {
    it(what, () => {
      expect(checkPatch(patch)).to.deep.equal(checked);
    });
  }

  const REFUSED: ReadonlyArray<readonly [string, MetadataPatch, keyof MetadataPatch]> = [
    ['an empty title', { title: '' }, 'title'],
    ['a title of 201 characters', { title: 'a'.repeat(201) }, 'title'],
    ['a title with a line feed', { title: 'a\nb' }, 'title'],
    ['a title with half a surrogate pair', { title: 'a\uD83D' }, 'title'],
    ['10,000 combining marks', { title: `a${'\u0301\u0316'.repeat(5000)}` }, 'title'],
    ['a description of 5,001 characters', { description: 'a'.repeat(5001) }, 'description'],
    ['a description with CR alone', { description: 'a\rb' }, 'description'],
    ['an alt of 501 characters', { alt: 'a'.repeat(501) }, 'alt'],
    ['an alt of a line feed', { alt: '\n' }, 'alt'],
    ['a tag with a comma', { tags: ['a,b'] }, 'tags'],
    ['a tag of 65 characters', { tags: ['a'.repeat(65)] }, 'tags'],
    ['101 tags', { tags: Array.from({ length: 101 }, (_, at) => `t${at}`) }, 'tags'],
    ['a focus beside the picture', { focus: { x: 0.5, y: 1.5 } }, 'focus'],
    ['a leap second', { takenAt: '2016-12-31T23:59:60Z' }, 'takenAt'],
  ];
  for (const [what, patch, field] of REFUSED) {
    it(`refuses ${what}`, () => {
      expect(() => checkPatch(patch))
        .to.throw(InvalidMetadata)
        .with.property('field', field);
    });
  }
});

describe('patchMetadata', () => {
  const BEFORE = {
    ...NO_METADATA,
    title: 'old',
    tags: ['a'],
    ownTakenAt: '2020-01-01T00:00:00.000Z',
    focus: { x: 0.2, y: 0.1 },
  };

  it('changes what the patch names', () => {
    expect(patchMetadata(BEFORE, { title: 'new' })).to.deep.equal({ ...BEFORE, title: 'new' });
    expect(patchMetadata(BEFORE, { tags: null, takenAt: null })).to.deep.equal({
      ...BEFORE,
      tags: [],
      ownTakenAt: null,
    });
  });

  it('changes nothing if the patch is empty', () => {
    expect(saysTheSame(patchMetadata(BEFORE, {}), BEFORE)).to.equal(true);
    expect(saysTheSame(patchMetadata(BEFORE, { title: null }), BEFORE)).to.equal(false);
  });
});

describe('takenAtOf', () => {
  it("prefers the time of a person to the camera's", () => {
    const capture = { ...NO_CAPTURE, takenAt: '2019-01-01T00:00:00.000' };

    expect(takenAtOf({ ...NO_METADATA, capture })).to.equal('2019-01-01T00:00:00.000');
    expect(takenAtOf({ ...NO_METADATA, capture, ownTakenAt: '2020-01-01T00:00:00.000Z' })).to.match(/^2020/);
  });
});

describe('recaptureMetadata', () => {
  const FILE = { capture: { ...NO_CAPTURE, make: 'Canon' }, keywords: ['k'] };
  const UNTOUCHED = { ...NO_METADATA, version: 1, updatedAt: null };

  it('makes keywords tags of an image without any', () => {
    expect(recaptureMetadata(UNTOUCHED, FILE)).to.deep.include({ capture: FILE.capture, tags: ['k'] });
  });

  it('leaves texts alone, whatever the file says', () => {
    const found = recaptureMetadata(UNTOUCHED, {
      ...FILE,
      texts: { title: 'T', description: null, alt: 'A' },
    });

    expect(found).to.include({ title: null, description: null, alt: null });
  });

  it('keeps tags that the image has, and their absence if somebody has changed it', () => {
    expect(recaptureMetadata({ ...UNTOUCHED, tags: ['a'] }, FILE).tags).to.deep.equal(['a']);
    expect(recaptureMetadata({ ...UNTOUCHED, version: 2, updatedAt: new Date(0) }, FILE).tags).to.deep.equal(
      [],
    );
  });
});

describe('changedTags', () => {
  it('removes by fold, then adds what is not there', () => {
    expect(changedTags(['Cat', 'dog'], { add: ['cat', 'DOG', 'x'], remove: ['CAT'] })).to.deep.equal([
      'cat',
      'dog',
      'x',
    ]);
  });
});

describe('parseField', () => {
  const RATING = { kind: 'number', range: { min: 1, max: 5, isWhole: true }, example: 4 } as const;

  it('takes numbers of the range, with both ends', () => {
    expect([1, 5].map((value) => parseField('rating', RATING, value))).to.deep.equal([1, 5]);
  });

  for (const value of [0, 6, 1.5, '3', Number.NaN, Number.POSITIVE_INFINITY, [3], {}]) {
    it(`refuses ${JSON.stringify(value)} where a whole number from 1 to 5 is wanted`, () => {
      expect(() => parseField('rating', RATING, value)).to.throw(
        InvalidMetadata,
        'Field "rating" must be a whole number from 1 to 5, or null',
      );
    });
  }

  it('takes fractions where the field allows them', () => {
    const row = { ...RATING, range: { min: 0, max: 1, isWhole: false } };

    expect(parseField('share', row, 0.25)).to.equal(0.25);
  });
});
