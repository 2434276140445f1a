import * as fc from 'fast-check';
import type { Description } from '../../support/openapi/described-api.ts';
import type { RequestSchema } from '../../support/openapi/request-schema.ts';
import type { DescribedRequest, Pair, RequestBody } from './described-request.ts';
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
const WEIGHTS: Readonly<Record<string, number>> = { uploadImage: 4, getImageFile: 3 };

/** The service of the fuzz has no scope for it. */
const ALWAYS_REFUSED = 'Space';

/** Requests that the document allows, and about as many with one mutation. */
export function describedRequests(description: Description): fc.Arbitrary<DescribedRequest> {
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      (method === 'get' ? ['get', 'head'] : [method]).map((verb) => ({
        arbitrary: requestsOf(verb.toUpperCase(), path, operation as OperationObject),
        weight: WEIGHTS[(operation as OperationObject).operationId] ?? 1,
      })),
    ),
  );
  const valid = fc.oneof(...operations);
  const mutated = fc.tuple(valid, mutations).map(([request, mutate]) => mutate(request));
  // Not every mutation fits every request.
  return fc.oneof(valid, { arbitrary: mutated, weight: 3 });
}

function requestsOf(
  method: string,
  path: string,
  { operationId, parameters = [], requestBody }: OperationObject,
): fc.Arbitrary<DescribedRequest> {
  return fc.record({
    operationId: fc.constant(operationId),
    method: fc.constant(method),
    path: fc.constant(path),
    id: fc.double({ min: 0, max: 1, noNaN: true }),
    name: namesOf(parameters.find((parameter) => parameter.in === 'path' && parameter.name === 'name')),
    query: pairsOf(parameters.filter((parameter) => parameter.in === 'query')),
    headers: pairsOf(
      parameters
        .filter((parameter) => parameter.in === 'header' && parameter.name !== ALWAYS_REFUSED)
        .map(ofFieldValues),
    ),
    body: bodiesOf(requestBody),
    token: fc.constant('good' as const),
    mutation: fc.constant(undefined),
    expected: fc.constant(undefined),
  });
}

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

function bodiesOf(requestBody: OperationObject['requestBody']): fc.Arbitrary<RequestBody> {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return fc.constant({ kind: 'none' });
  const [mediaType, { schema }] = content;
  if (mediaType === 'multipart/form-data') {
    return fc
      .constantFrom(...PICTURES)
      .map((picture) => ({ kind: 'form', picture, field: 'file', isCut: false }));
  }
  return valuesOf(schema).map((value) => ({ kind: 'text', mediaType, text: JSON.stringify(value) }));
}
