import { readFile } from 'node:fs/promises';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import {
  COMMITTED_DOCUMENT,
  committedText,
  defaultDocument,
  documentOf,
} from '../support/openapi/default-document.ts';

interface Described {
  readonly info: { readonly version: string };
  readonly components: { readonly responses: object };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly pattern?: string };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
}

function isSpaceHeader(parameter: Parameter): boolean {
  return parameter.in === 'header' && parameter.name === 'Space';
}

describe('The OpenAPI document', () => {
  it('of the defaults is docs/openapi.json: run npm run openapi', async () => {
    expect(await readFile(COMMITTED_DOCUMENT, 'utf8')).to.equal(committedText());
  });

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(defaultDocument() as Record<string, unknown>);
    expect({ valid, errors }).to.deep.equal({ valid: true, errors: undefined });
  });

  it('names the limit and the sizes of its process alone, in examples as well', () => {
    const text = JSON.stringify(documentOf({ UPLOAD_MAX_BYTES: '1234567', RENDITION_SIZES: '99,199' }));
    expect(text).to.include('of 1234567 bytes at most').and.not.include('52428800');
    expect(text)
      .to.include('"widths":[99,199]')
      .and.not.match(/\b(?:320|3840)\b/);
  });

  it('has patterns that need no flag, which generated clients do not set', () => {
    expect(JSON.stringify(defaultDocument())).not.to.match(/\\\\[pP]\{/);
  });

  // Generators of clients turn the part into a `File`, which has no length to check.
  it('limits no binary content by maxLength, minLength or pattern', () => {
    const binary = JSON.stringify(defaultDocument()).match(/\{[^{}]*"format":"binary"[^{}]*\}/g) ?? [];
    expect(binary).to.have.length.above(5);
    for (const schema of binary) expect(schema).not.to.match(/"(?:maxLength|minLength|pattern)"/);
  });

  it('names no kind of image in the errors, since the accepted ones are configured', () => {
    const { components } = documentOf({ INPUT_FORMATS: 'webp,gif' }) as Described;
    expect(JSON.stringify(components.responses)).not.to.match(/JPEG|PNG/);
  });

  it('declares the header Space for each operation that judges it', () => {
    const { paths } = defaultDocument() as Described;
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const without = operations.filter(({ parameters }) => !parameters.some(isSpaceHeader));
    expect(without.map(({ operationId }) => operationId)).to.have.members([
      'greet',
      'listSpaces',
      'setSpaceLimits',
    ]);
  });

  it('has a pattern of the header Space that only percent-encoded texts match', () => {
    const { paths } = defaultDocument() as Described;
    const header = paths['/api/images']?.['get']?.parameters.find(isSpaceHeader);
    const pattern = new RegExp(header?.schema.pattern ?? '', 'u');
    for (const text of ['', 'acme', 'caf%C3%A9', '100%25', 'a,b!~']) expect(text).to.match(pattern);
    for (const text of ['%', '100%', '%2', '%zz', 'a b', 'é']) expect(text).not.to.match(pattern);
  });

  it('has the version of the package', async () => {
    const path = new URL('../../package.json', import.meta.url);
    const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
    expect((defaultDocument() as Described).info.version).to.equal(version);
  });
});
