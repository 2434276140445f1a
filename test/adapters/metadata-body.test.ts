import { expect } from 'chai';
import { editBody, metadataPatch } from '../../src/adapters/http/metadata/metadata-body.ts';
import { parseJson } from '../../src/adapters/http/request/parse-json.ts';
import { checkPatch } from '../../src/domain/image/check-patch.ts';
import { checkEdit } from '../../src/domain/image/metadata-edit.ts';

/** In JSON a lone surrogate is an escape. */
function bytesOf(body: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(body));
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return 'none';
}

describe('The body of a patch of metadata', () => {
  const REFUSED: ReadonlyArray<readonly [title: string, body: unknown, message: RegExp]> = [
    ['a blank title', { title: ' \u2003' }, /"title" may not be blank/],
    ['a title of 201 characters', { title: '🐈'.repeat(201) }, /"title" may have at most 200/],
    ['a control character', { title: 'a\u0007' }, /"title" may not contain control/],
    ['NUL', { title: 'a\u0000' }, /"title" must be without lone surrogates and NUL/],
    ['a lone surrogate', { description: '\ud800' }, /"description" must be without lone/],
    ['5,001 characters', { description: 'a'.repeat(5001) }, /"description" may have at most 5000/],
    ['a tag with a comma', { tags: ['a,b'] }, /"tags" may not contain commas/],
    ['an empty tag', { tags: [''] }, /"tags" may not be blank/],
    ['a tag of 65 characters', { tags: ['a'.repeat(65)] }, /"tags" may have at most 64/],
    ['a tag that is no text', { tags: [null] }, /"tags\[0\]" must be text$/],
    ['a date alone', { takenAt: '2026-01-31' }, /"takenAt" must be an RFC 3339/],
  ];
  for (const [title, body, message] of REFUSED) {
    it(`is refused with ${title}`, () => {
      expect(messageOf(() => checkPatch(parseJson(bytesOf(body), metadataPatch)))).to.match(message);
    });
  }

  for (const [title, body] of [
    ['right-to-left marks', { title: 'קטר\u200f \u202ecat\u202c' }],
    ['emoji sequences', { title: '👩‍👩‍👧‍👦🏳️‍🌈', tags: ['🐈‍⬛'] }],
    ['query syntax', { title: `"cat" OR NEAR(a b) * ' ; drop table images --`, tags: ['* :a & !b'] }],
    ['200 letters with marks', { title: 'a\u0323\u0307\u0301'.repeat(66) }],
  ] as const) {
    it(`may have ${title}`, () => {
      expect(messageOf(() => checkPatch(parseJson(bytesOf(body), metadataPatch)))).to.equal('none');
    });
  }
});

describe('The body of an edit of many images', () => {
  for (const [title, body, message] of [
    ['nothing to do', { ids: [1], addTags: [], removeTags: [] }, /"addTags" must be not empty/],
    ['a bad tag', { ids: [1], removeTags: ['a,b'] }, /"removedTags" may not contain commas/],
    ['a blank title', { ids: [1], title: ' ' }, /"title" may not be blank/],
    [
      'a shift without a sign',
      { ids: [1], shiftTaken: 'PT1H' },
      /"shiftTaken" must be a sign and a duration/,
    ],
  ] as const) {
    it(`is refused with ${title}`, () => {
      expect(messageOf(() => checkEdit(parseJson(bytesOf(body), editBody)))).to.match(message);
    });
  }
});
