import { expect } from 'chai';
import { CatalogError } from '../../client/src/catalog-error.ts';
import { sentenceOf } from '../../mcp/src/sentence-of.ts';

const CASES = [
  [{ code: 'network_error', status: 0 }, 'Said. Tell the person that the service may be down'],
  [{ code: 'overloaded', status: 503, retryAfterMs: 1500 }, 'Call the tool again in a moment. Wait for 2 s.'],
  [{ code: 'insufficient_scope', status: 403, scope: 'images:write' }, 'It lacks the scope images:write.'],
  [{ code: 'internal_error', status: 500, requestId: 'r1' }, 'Said (request r1). The catalog has an error.'],
  [{ code: 'too_many_changes', status: 429, retryAfterMs: 86_400_000 }, 'Said. Nothing was changed: tell'],
  [{ code: 'image_not_found', status: 404 }, 'find it with search_images'],
  [{ code: 'invalid_query', status: 400 }, 'change the arguments'],
] as const;

describe('the sentence of an error for an assistant', () => {
  for (const [facts, part] of CASES) {
    it(`of ${facts.code} says what to do`, () => {
      expect(sentenceOf(new CatalogError('Said', facts))).to.include(part);
    });
  }

  it('of another error is its message', () => {
    expect(sentenceOf(new Error('Give either base64 or path'))).to.equal('Give either base64 or path.');
  });
});
