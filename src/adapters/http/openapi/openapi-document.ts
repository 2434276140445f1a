import * as z from 'zod';
import { NAME_PATTERN, NAME_RULE } from '../../../domain/name/name.ts';
import { cacheControl } from '../route/headers.ts';
import type { DeclaredResponse, JsonRequest, Operation, Scopes } from '../route/operation.ts';
import { errorResponsesOf } from './error-responses-of.ts';
import { HEADER_OBJECTS, HEADER_REFERENCES } from './header-objects.ts';
import { type JsonSchema, JsonSchemas } from './json-schema.ts';

export interface DocumentSettings {
  /** The public address of the API, with a slash at its end. */
  readonly apiUrl: string;
  readonly scopes: Scopes;
  /** IANA name: in which the catalog counts days and months. */
  readonly timeZone: string;
}

/** The OpenAPI 3.1 document of these operations. */
export function openApiDocument(
  operations: Readonly<Record<string, Operation>>,
  { apiUrl, scopes, timeZone }: DocumentSettings,
): object {
  const parts = new DocumentParts(scopes);
  const paths: Record<string, Record<string, object>> = {};
  for (const [operationId, operation] of Object.entries(operations)) {
    const path = (paths[operation.path.replace(/:(\w+)/g, '{$1}')] ??= {});
    path[operation.method] = parts.operation(operationId, operation);
  }
  return {
    openapi: '3.1.1',
    // An extension: clients that filter by date need it to find the same days as the timeline.
    info: { ...INFO, 'x-time-zone': timeZone },
    // Paths are appended to the address, so it has no slash at its end (OpenAPI 3.1, section 4.8.5).
    servers: [{ url: apiUrl.replace(/\/$/, '') }],
    security: [{ accessToken: [] }],
    tags: TAGS,
    paths,
    components: { ...parts.components, securitySchemes: SECURITY_SCHEMES },
  };
}

const INFO = {
  title: 'Image Catalog Service',
  /** That of the package. */
  version: '1.0.0-rc.1',
  summary: 'A catalog of images behind your own OpenID Connect provider.',
  description: [
    'Errors are JSON with `code`, for programs, and `message`, for people.',
    'Every operation with `GET` also takes `HEAD`. Unknown and repeated query parameters are 400 `invalid_request`.',
    'Without a valid token every path but `/` is 401; with one, an unknown path is 404 `not_found`, and a known path under another method is 405 `method_not_allowed` with `Allow`.',
    'Headers for CORS, caching by `Vary`, `Content-Encoding` and framing are not listed. Bodies of JSON from 2 KiB are compressed for clients that accept `br` or `gzip`.',
  ].join('\n\n'),
  license: { name: 'MIT', identifier: 'MIT' },
};

const TAGS = [
  { name: 'Images', description: 'Upload, find, read and delete the records of images.' },
  { name: 'Metadata', description: 'What people and cameras say about images.' },
  { name: 'Bytes', description: 'The original bytes, and renditions of them.' },
  { name: 'Names', description: 'Addresses that stay while the picture behind them changes.' },
  { name: 'Trash', description: 'Deleted images, until they are erased.' },
  { name: 'Service', description: 'The service itself.' },
];

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "An access token of the operator's OpenID Connect provider: a JWT, signed with RS256, with the issuer and the audience that the service expects, and an `exp`.",
  },
};

class DocumentParts {
  private readonly schemas = new JsonSchemas();
  private readonly responses: Record<string, object> = {};

  constructor(private readonly scopes: Scopes) {}

  get components(): object {
    const errors = JSON.stringify(this.responses);
    const headers = Object.entries(HEADER_OBJECTS).filter(([name]) => errors.includes(`headers/${name}"`));
    return {
      schemas: this.schemas.named,
      responses: this.responses,
      headers: Object.fromEntries(headers),
    };
  }

  operation(operationId: string, operation: Operation): object {
    const { tag, summary, description } = operation;
    const body = this.requestBody(operation);
    return {
      operationId,
      tags: [tag],
      summary,
      description,
      ...this.security(operation),
      parameters: this.parameters(operation),
      ...(body === undefined ? {} : { requestBody: body }),
      responses: { ...this.declaredResponses(operation), ...this.errorResponses(operation) },
    };
  }

  private security({ access }: Operation): object {
    if (access === 'public') return { security: [] };
    const scope = this.scopes[access];
    return scope === undefined ? {} : { security: [{ accessToken: [scope] }] };
  }

  private parameters({ path, query, requestHeaders }: Operation): readonly object[] {
    return [
      ...PATH_PARAMETERS.filter(({ name }) => path.split('/').includes(`:${name}`)),
      ...Object.entries(query?.shape ?? {}).map(([name, schema]) => this.parameter('query', name, schema)),
      ...Object.entries(requestHeaders?.shape ?? {}).map(([name, schema]) =>
        this.parameter('header', name, schema),
      ),
    ];
  }

  private parameter(place: 'query' | 'header', name: string, schema: z.core.$ZodType): object {
    const { description, ...rest } = this.schemas.ofRequest(schema as z.ZodType);
    return { name, in: place, required: !isOptional(schema), description, schema: rest };
  }

  private requestBody({ json, form }: Operation): object | undefined {
    if (json !== undefined) return this.jsonBody(json);
    if (form === undefined) return undefined;
    const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
    const schema = {
      type: 'object',
      required: ['file'],
      properties: {
        file: { ...file, maxLength: form.maxFileBytes, description: form.description },
        metadata: {
          ...this.schemas.ofRequest(form.metadata),
          description: 'Recorded together with the image; if it is refused, so is the upload.',
        },
      },
    };
    const encoding = { metadata: { contentType: 'application/json' } };
    return { required: true, content: { 'multipart/form-data': { schema, encoding } } };
  }

  private jsonBody({ mediaType, schema, maxBytes, example }: JsonRequest): object {
    return {
      required: true,
      description: `At most ${maxBytes} bytes.`,
      content: { [mediaType]: { schema: this.schemas.ofRequest(schema), example } },
    };
  }

  private declaredResponses({ responses }: Operation): Record<string, object> {
    const entries = Object.entries(responses).map(([status, declared]) => [status, this.response(declared)]);
    return Object.fromEntries(entries) as Record<string, object>;
  }

  private response({ description, cache, headers, ...bodies }: DeclaredResponse): object {
    const content = this.content(bodies);
    return {
      description,
      headers: {
        ...HEADER_REFERENCES.every,
        ...(cache === undefined ? {} : this.headers(z.object({ 'Cache-Control': cacheControl(cache) }))),
        ...this.headers(headers),
      },
      ...(Object.keys(content).length === 0 ? {} : { content }),
    };
  }

  private headers(headers: z.ZodObject | undefined): Record<string, object> {
    const entries = Object.entries(headers?.shape ?? {}).map(([name, schema]) => {
      const { description, ...rest } = this.schemas.ofResponse(schema as z.ZodType);
      return [name, { description, required: !isOptional(schema), schema: rest }];
    });
    return Object.fromEntries(entries) as Record<string, object>;
  }

  private content({
    json,
    text,
    bytes = [],
    events,
    example,
  }: Omit<DeclaredResponse, 'description' | 'cache' | 'headers'>): Record<string, object> {
    const shown = example === undefined ? {} : { example };
    return {
      ...(json === undefined
        ? {}
        : { 'application/json': { schema: this.schemas.ofResponse(json), ...shown } }),
      ...(text === true ? { 'text/plain': { schema: { type: 'string' }, ...shown } } : {}),
      ...(events === undefined ? {} : { 'text/event-stream': streamOf(events) }),
      ...Object.fromEntries(bytes.map((mediaType) => [mediaType, { schema: BYTES }])),
    };
  }

  private errorResponses(operation: Operation): Record<string, object> {
    const references: Record<string, object> = {};
    for (const { status, name, response } of errorResponsesOf(operation)) {
      this.responses[name] = response;
      references[status] = { $ref: `#/components/responses/${name}` };
    }
    return references;
  }
}

const PATH_PARAMETERS = [
  {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The id of the image, in decimal digits without leading zeros.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  {
    name: 'name',
    in: 'path',
    required: true,
    description: `The name: ${NAME_RULE}.`,
    schema: { type: 'string', pattern: NAME_PATTERN.source },
    example: 'front-page',
  },
];

function streamOf({ description, example }: NonNullable<DeclaredResponse['events']>): object {
  return { schema: { type: 'string', description }, example };
}

const BYTES: JsonSchema = { type: 'string', format: 'binary' };

function isOptional(schema: z.core.$ZodType): boolean {
  return schema._zod.optin === 'optional';
}
