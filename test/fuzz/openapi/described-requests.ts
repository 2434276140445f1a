import * as fc from 'fast-check';
import { FORM_TYPE, filePart } from '../../support/fixtures/multipart.ts';
import type { Description } from '../../support/openapi/described-api.ts';
import type { RequestSchema } from '../../support/openapi/request-schema.ts';
import type { Delivery, FuzzBody, FuzzRequest, Pair } from '../fuzz-request.ts';
import { byteMutations } from './byte-mutations.ts';
import { mutations } from './mutations.ts';
import { textsOf, valuesOf } from './schema-arbitrary.ts';

interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'header' | 'path';
  readonly required?: boolean;
  readonly schema: RequestSchema;
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: RequestSchema }>>;
  };
}

/** These read most of a request: parts, pictures, conditions, ranges. */
const WEIGHTS: Readonly<Record<string, number>> = { uploadImage: 9, getImageFile: 4 };

/** Of requests without parameters, whatever there is: if these were refused, the fuzz would only test refusals. */
const CERTAIN: Readonly<Record<string, readonly number[]>> = {
  greet: [200],
  uploadImage: [201, 503],
  listImages: [200],
  getImage: [200],
  getImageFile: [200],
  deleteImage: [204],
};

/** Requests that the document allows, and about as many with one mutation or with other bytes. */
export function describedRequests(description: Description): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      (method === 'get' ? ['get', 'head'] : [method]).map((verb) => ({
        arbitrary: requestsOf(verb.toUpperCase(), path, operation as OperationObject),
        weight: WEIGHTS[(operation as OperationObject).operationId] ?? 1,
      })),
    ),
  );
  const valid = fc.oneof(...operations);
  const changes = fc.oneof({ arbitrary: mutations, weight: 3 }, { arbitrary: byteMutations, weight: 2 });
  const mutated = fc
    .tuple(valid, changes)
    .map(([request, mutate]) => mutate({ ...request, expected: undefined }));
  // Not every mutation fits every request.
  return fc.oneof(valid, { arbitrary: mutated, weight: 4 });
}

function requestsOf(
  method: string,
  path: string,
  { operationId, parameters = [], requestBody }: OperationObject,
): fc.Arbitrary<FuzzRequest> {
  const request = fc.record({
    id: fc.double({ min: 0, max: 1, noNaN: true }),
    name: namesOf(parameters.find((parameter) => parameter.in === 'path' && parameter.name === 'name')),
    query: pairsOf(parameters.filter((parameter) => parameter.in === 'query')),
    headers: pairsOf(parameters.filter((parameter) => parameter.in === 'header').map(ofFieldValues)),
    body: bodiesOf(requestBody),
    delivery: DELIVERIES,
  });
  return request.map((made) => ({
    operationId,
    method,
    path,
    ...made,
    target: '{target}',
    version: 'HTTP/1.1',
    token: { kind: 'valid', text: '' },
    mutation: undefined,
    expected: made.query.length + made.headers.length === 0 ? CERTAIN[operationId] : undefined,
  }));
}

const DELIVERIES: fc.Arbitrary<Delivery> = fc.record({
  framing: fc.constantFrom('length', 'chunked', 'chunked with extensions and trailers'),
  pieces: fc.integer({ min: 1, max: 4 }),
  ending: fc.constant('stays'),
  sent: fc.constant(1),
});

/** Few, so that most are set already, and any other that is declared. */
function namesOf(parameter: ParameterObject | undefined): fc.Arbitrary<string> {
  if (parameter === undefined) return fc.constant('');
  return fc.oneof(
    { arbitrary: fc.constantFrom('front-page', 'b', 'c.jpg'), weight: 5 },
    textsOf(parameter.schema),
  );
}

/** Other characters cannot be sent (RFC 9110, section 5.5). */
const FIELD_VALUE = '^[\\x21-\\x7e][\\x20-\\x7e]{0,40}$';

function ofFieldValues(parameter: ParameterObject): ParameterObject {
  return { ...parameter, schema: { pattern: FIELD_VALUE, ...parameter.schema } };
}

/** Few at a time: with all of them together, most requests would differ only in what is checked first. */
function pairsOf(parameters: readonly ParameterObject[]): fc.Arbitrary<readonly Pair[]> {
  const pairs = parameters.map(({ name, required, schema }) => {
    const pair = valuesOf(schema).map((value): Pair => [name, String(value)]);
    return required === true ? pair : fc.oneof({ arbitrary: fc.constant(undefined), weight: 3 }, pair);
  });
  return fc.tuple(...pairs).map((chosen) => chosen.filter((pair): pair is Pair => pair !== undefined));
}

const PICTURES = ['jpeg', 'png', 'noise', 'webp', 'animation'] as const;

function bodiesOf(requestBody: OperationObject['requestBody']): fc.Arbitrary<FuzzBody> {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return fc.constant({ kind: 'none' });
  const [mediaType, { schema }] = content;
  if (mediaType === 'multipart/form-data') {
    const { headers } = filePart(Buffer.of());
    return fc
      .constantFrom(...PICTURES)
      .map((picture) => ({ kind: 'form', mediaType: FORM_TYPE, headers, picture, isCut: false }));
  }
  return valuesOf(schema).map((value) => ({ kind: 'text', mediaType, text: JSON.stringify(value) }));
}
