import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { COMMITTED_DOCUMENT, committedText, defaultDocument } from '../support/openapi/default-document.ts';

interface Described {
  readonly info: { readonly version: string };
}

describe('The OpenAPI document', () => {
  it('of the defaults is docs/openapi.json: run npm run openapi', async () => {
    expect(await readFile(COMMITTED_DOCUMENT, 'utf8')).to.equal(committedText());
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(defaultDocument() as Record<string, unknown>);
    expect({ valid, errors }).to.deep.equal({ valid: true, errors: undefined });
  });

  it('has the version of the package', async () => {
    const path = new URL('../../package.json', import.meta.url);
    const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
    expect((defaultDocument() as Described).info.version).to.equal(version);
  });
});
