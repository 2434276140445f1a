import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { exampleRecord } from '../../src/adapters/http/record/example-image.ts';
import { CAPTURE_ROWS, FILTER_ROWS, WORD_FILTERS, WRITTEN_ROWS } from '../../src/domain/image/fields.ts';
import { CLIENT_FIELDS, clientFieldsText } from '../support/openapi/client-fields.ts';

/** What cannot follow from the table of fields: its sentence in the docs, its place in the gallery, its use by assistants. */
const PLACES: ReadonlyArray<readonly [what: string, names: readonly string[], where: string]> = [
  ['The fields that people write', WRITTEN_ROWS.map(([field]) => field), 'docs/http-api.md'],
  ['The filters', FILTER_ROWS.map(([name]) => name), 'docs/http-api.md'],
  ['The fields that people write', WRITTEN_ROWS.map(([field]) => field), 'web/src/panel'],
  ['The fields of the file', CAPTURE_ROWS.map(([field]) => field), 'web/src/panel'],
  ['The filters', FILTER_ROWS.map(([name]) => name), 'web/src/search'],
  ['The fields that people write', WRITTEN_ROWS.map(([field]) => field), 'mcp/src'],
];

/** Fields that a place leaves out on purpose, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'focus in mcp/src': 'an assistant describes pictures; it does not crop them',
};

function textOf(where: string): string {
  const path = fileURLToPath(new URL(`../../${where}`, import.meta.url));
  if (where.endsWith('.md')) return readFileSync(path, 'utf8');
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => readFileSync(`${path}/${name}`, 'utf8'))
    .join('\n');
}

describe('A field of the table', () => {
  for (const [what, names, where] of PLACES) {
    it(`has its place in ${where}: ${what.toLowerCase()}`, () => {
      const text = textOf(where);
      const missing = names.filter(
        (name) => !new RegExp(`\\b${name}\\b`).test(text) && leftOut[`${name} in ${where}`] === undefined,
      );

      expect(missing, `add these to ${where}, or say in leftOut why not`).to.deep.equal([]);
    });
  }

  it('is told from others in the search index by the mark of its filter', () => {
    const marks = WORD_FILTERS.map(({ mark }) => mark);

    expect(marks, 'one character each, and no two alike').to.deep.equal([...new Set(marks)]);
    expect(marks.join('')).to.have.lengthOf(marks.length);
  });

  it('has its type in the client: run npm run openapi', () => {
    expect(readFileSync(CLIENT_FIELDS, 'utf8')).to.equal(clientFieldsText());
  });
});

describe('The record in docs/getting-started.md', () => {
  it('has the fields of a record, in their order', () => {
    const [, json = ''] =
      /The record that an upload returns:\n\n```json\n(.*?)```/s.exec(textOf('docs/getting-started.md')) ??
      [];

    expect(Object.keys(JSON.parse(json) as object)).to.deep.equal(Object.keys(exampleRecord([320])));
  });
});
