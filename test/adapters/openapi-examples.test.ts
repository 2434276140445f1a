import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect } from 'chai';
import { documentOf } from '../support/openapi/default-document.ts';

const CONFIGURATIONS: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { UPLOAD_MAX_BYTES: '1', UPLOAD_MAX_PIXELS: '1' },
  { UPLOAD_MAX_BYTES: '9999999' },
  {
    RENDITION_SIZES: '1',
    INPUT_FORMATS: 'gif',
    CATALOG_TIMEZONE: 'Asia/Tokyo',
    SCOPE_READ: 'r',
    SPACE_CLAIM: 'org',
  },
];

interface Example {
  /** A pointer into the document. */
  readonly at: string;
  readonly schema: object;
  readonly value: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** Of media types, parameters and headers (`example` beside `schema`), and of schemas (`examples` within them). */
function examplesIn(node: unknown, at = ''): readonly Example[] {
  if (typeof node !== 'object' || node === null) return [];
  const { schema, example, examples } = node as Json;
  const beside = typeof schema === 'object' && schema !== null && example !== undefined;
  const within = Array.isArray(examples) ? (examples as readonly unknown[]) : [];
  return [
    ...(beside ? [{ at, schema, value: example }] : []),
    ...within.map((value) => ({ at, schema: node, value })),
    ...Object.entries(node).flatMap(([key, child]) =>
      key === 'example' || key === 'examples' ? [] : examplesIn(child, `${at}/${key}`),
    ),
  ];
}

describe('The examples of the OpenAPI document are valid against their schemas', () => {
  for (const variables of CONFIGURATIONS) {
    const named = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    it(`with ${named.length === 0 ? 'the defaults' : named.join(', ')}`, () => {
      const document = documentOf(variables, true);
      const examples = examplesIn(document);

      expect(examples.length).to.be.above(40);
      expect(faultsOf(examples, document)).to.deep.equal([]);
    });
  }
});

/** All schemas are compiled as one, because each alone would compile its components again. */
function faultsOf(examples: readonly Example[], document: object): readonly string[] {
  const { schemas } = (document as { readonly components: { readonly schemas: object } }).components;
  const ajv = formats.default(new Ajv2020({ allErrors: true, strict: true, keywords: ['components'] }));
  const properties = Object.fromEntries(examples.map(({ schema }, index) => [index, schema]));
  const values = Object.fromEntries(examples.map(({ value }, index) => [index, value]));
  ajv.validate({ type: 'object', properties, components: { schemas } }, values);
  return (ajv.errors ?? []).map(({ instancePath, message }) => {
    const index = Number(instancePath.split('/')[1]);
    return `${examples[index]?.at} ${instancePath}: ${message}`;
  });
}
