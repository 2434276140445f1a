import {
  FILTER_ROWS,
  type FieldKind,
  type FilterRow,
  WRITTEN_ROWS,
  type WrittenField,
} from '../../../src/domain/image/fields.ts';
import { BULK_FIELDS } from '../../../src/domain/image/metadata-edit.ts';

/** The types of the client that follow from the table of fields. `npm run openapi` writes them. */
export const CLIENT_FIELDS = new URL('../../../client/src/fields.ts', import.meta.url);

const READ_TYPES: Readonly<Record<FieldKind, string>> = {
  text: 'string | null',
  number: 'number | null',
  tags: 'readonly string[]',
  time: 'string | null',
  focus: 'Focus | null',
};

const CONDITION_TYPES: Readonly<Record<FilterRow['by'], string>> = {
  words: 'string',
  missing: 'false',
  atLeast: 'number',
};

export function clientFieldsText(): string {
  return `// Written by \`npm run openapi\` from the table of fields of the service, src/domain/image/fields.ts. Change it there.

/** The point of a picture that its crops keep. */
export interface Focus {
  /** Fractions of the width and the height, from 0 to 1, with at most three decimals. */
  readonly x: number;
  readonly y: number;
}

${interfaceText('WrittenFields', 'What people write about an image.', WRITTEN_ROWS.map(readLine))}
/** Fields that the record of an image shows. */
export type RecordField = ${unionOf(WRITTEN_ROWS.filter(([, row]) => row.isInRecord === true).map(([field]) => field))};

${interfaceText('MetadataPatch', 'A change of what people write. `null` clears a field; a missing field stays.', WRITTEN_ROWS.map(writingLine))}
/** Fields that an edit of many images sets to one value. */
export type BulkField = ${unionOf(BULK_FIELDS)};

${interfaceText('FieldFilters', 'Conditions on fields. All of them must hold.', FILTER_ROWS.map(filterLine))}`;
}

function interfaceText(name: string, description: string, lines: readonly string[]): string {
  return `/** ${description} */
export interface ${name} {
${lines.join('')}}
`;
}

function unionOf(fields: readonly WrittenField[]): string {
  return fields.map((field) => `'${field}'`).join(' | ');
}

function line(name: string, type: string, description: string | undefined): string {
  const comment = description === undefined ? '' : `  /** ${description} */\n`;
  return `${comment}  readonly ${name}: ${type};\n`;
}

function readLine([field, { kind, description }]: (typeof WRITTEN_ROWS)[number]): string {
  return line(field, READ_TYPES[kind], description);
}

function writingLine([field, { kind, writing }]: (typeof WRITTEN_ROWS)[number]): string {
  const type = READ_TYPES[kind];
  return line(`${field}?`, type.endsWith('null') ? type : `${type} | null`, writing);
}

function filterLine([name, { by, description }]: (typeof FILTER_ROWS)[number]): string {
  return line(`${name}?`, CONDITION_TYPES[by], description);
}
