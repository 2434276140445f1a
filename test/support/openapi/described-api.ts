import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { AssertionError } from 'chai';
import { strictSchema } from './strict-schema.ts';

export interface SentRequest {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
}

export interface ReceivedResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` for bytes, and for chunks that a test does not read. */
  readonly text: string | undefined;
}

interface HeaderObject {
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, HeaderObject | Reference>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface Reference {
  readonly $ref: string;
}

type JsonSchema = Readonly<Record<string, unknown>>;

export interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Not described: framing, compression, caching by `Vary`, CORS, and what nginx takes off. */
const EXEMPT_HEADERS =
  /^(?:date|server|connection|keep-alive|transfer-encoding|content-encoding|content-length|content-type|vary|access-control-.*)$/;

/** Sent below the application, which then closes the connection. */
const BELOW_THE_APPLICATION = [400, 408, 431];

/** Of unknown paths and of known ones under other methods; 204 is for preflights. */
const WITHOUT_OPERATION = [204, 400, 401, 404, 405, 408, 431];

/** Checks responses against an OpenAPI document. Fields that it does not declare fail. */
export class DescribedApi {
  readonly #operations: readonly Route[];
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #ajv = formats.default(new Ajv2020({ allErrors: true, strict: true, keywords: ['components'] }));

  /** @param onHit called for each response that the document declares */
  constructor(
    readonly document: Description,
    private readonly onHit: (operationId: string, status: number) => void = () => {},
  ) {
    this.#operations = routesOf(document);
  }

  /** @throws {AssertionError} */
  check(request: SentRequest, response: ReceivedResponse): void {
    if ('x-accel-redirect' in response.headers) return;
    const route = this.#routeOf(request);
    if (route === undefined) return requireUndescribed(request, response);
    const where = `${route.operation.operationId} ${response.status}`;
    const declared = route.operation.responses[response.status];
    if (declared === undefined) {
      if (isBelowTheApplication(response)) return;
      throw new AssertionError(`${where} is not declared: ${response.text ?? ''}`);
    }
    const object = this.#resolved(declared);
    this.#checkHeaders(where, object, response.headers);
    if (request.method !== 'HEAD') this.#checkBody(where, object, response);
    this.onHit(route.operation.operationId, response.status);
  }

  #routeOf({ method, path }: SentRequest): Route | undefined {
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    const pathname = pathnameOf(path);
    return this.#operations.find((route) => route.method === wanted && route.pattern.test(pathname));
  }

  #checkHeaders(
    where: string,
    { headers = {} }: ResponseObject,
    received: ReceivedResponse['headers'],
  ): void {
    const declared = new Map(
      Object.entries(headers).map(([name, header]) => [name.toLowerCase(), this.#resolved(header)]),
    );
    for (const [name, { required }] of declared) {
      if (required === true && !(name in received)) throw new AssertionError(`${where} lacks ${name}`);
    }
    for (const [name, value] of Object.entries(received)) {
      if (EXEMPT_HEADERS.test(name)) continue;
      const header = declared.get(name);
      if (header === undefined) throw new AssertionError(`${where}: header ${name} is not declared`);
      const isNumber = header.schema['type'] === 'integer';
      this.#validate(`${where} ${name}`, header.schema, isNumber ? Number(value) : value);
    }
  }

  #checkBody(where: string, { content = {} }: ResponseObject, { headers, text }: ReceivedResponse): void {
    const mediaType = headers['content-type']?.split(';')[0];
    if (mediaType === undefined) {
      if (Object.keys(content).length > 0) throw new AssertionError(`${where} lacks its body`);
      return;
    }
    const declared = content[mediaType];
    if (declared === undefined) throw new AssertionError(`${where}: ${mediaType} is not declared`);
    if (mediaType === 'application/json' && text !== undefined) {
      this.#validate(`${where} ${mediaType}`, declared.schema, JSON.parse(text));
    }
  }

  #validate(what: string, schema: JsonSchema, value: unknown): void {
    const validate = this.#validators.get(what) ?? this.#compile(schema);
    this.#validators.set(what, validate);
    if (validate(value)) return;
    throw new AssertionError(`${what} differs from its schema: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #compile(schema: JsonSchema): ValidateFunction {
    const { schemas = {} } = this.document.components;
    return this.#ajv.compile(strictSchema({ ...schema, components: { schemas } }) as object);
  }

  #resolved<T>(object: T | Reference): T {
    if (typeof object !== 'object' || object === null || !('$ref' in object)) return object;
    const [, , kind = '', name = ''] = object.$ref.split('/');
    return this.document.components[kind]?.[name] as T;
  }
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: OperationObject;
}

/** Paths without parameters first. */
function routesOf({ paths }: Description): readonly Route[] {
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  return routes
    .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
    .map(({ method, path, operation }) => ({
      method,
      operation,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
}

/** A request target may be a whole URL. */
function pathnameOf(target: string): string {
  const path = target.replace(/^[a-z]+:\/\/[^/?]*/i, '').replace(/[?#].*$/s, '');
  return path === '' ? '/' : path;
}

function isBelowTheApplication({ status, headers }: ReceivedResponse): boolean {
  return BELOW_THE_APPLICATION.includes(status) && headers['connection'] === 'close';
}

function requireUndescribed({ method, path }: SentRequest, { status }: ReceivedResponse): void {
  if (WITHOUT_OPERATION.includes(status)) return;
  throw new AssertionError(`${method} ${path} is no operation, and its status is ${status}`);
}
