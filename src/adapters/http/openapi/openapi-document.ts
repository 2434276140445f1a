import * as z from 'zod';
import { NAME_PATTERN, NAME_RULE } from '../../../domain/name/name.ts';
import { spaceHeader } from '../request/space-header.ts';
import { forbidStoring } from '../response/forbid-storing.ts';
import { cacheControl } from '../route/headers.ts';
import type { HttpSettings, Scopes } from '../route/http-settings.ts';
import { type DeclaredResponse, JSON_REQUEST, type JsonRequest, type Operation } from '../route/operation.ts';
import { errorResponsesOf } from './error-responses-of.ts';
import { type JsonSchema, JsonSchemas } from './json-schema.ts';

interface DocumentSettings extends Pick<HttpSettings, 'scopes' | 'timeZone'> {
  /** The public address of the API, with a slash at its end. */
  readonly apiUrl: string;
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

const HEADERS = {
  XRequestId: {
    description:
      "The id of the request in the service's log: that of the client, if it sent one of 1 to 128 characters of `A-Z a-z 0-9 . _ -`.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    example: '51433a7d-35ef-49de-929d-81071731cbdd',
  },
};

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/XRequestId' } };

class DocumentParts {
  private readonly schemas = new JsonSchemas();
  private readonly responses: Record<string, object> = {};

  constructor(private readonly scopes: Scopes) {}

  get components(): object {
    return { schemas: this.schemas.named, responses: this.responses, headers: HEADERS };
  }

  operation(operationId: string, operation: Operation): object {
    const { tag, summary, description } = operation;
    return {
      operationId,
      tags: [tag],
      summary,
      description,
      security: this.security(operation),
      parameters: this.parameters(operation),
      requestBody: this.requestBody(operation),
      responses: this.responsesOf(operation),
    };
  }

  private security({ access, spansSpaces }: Operation): readonly object[] | undefined {
    if (access === 'public') return [];
    const needed = [this.scopes[access], spansSpaces && this.scopes.allSpaces];
    const scopes = needed.filter((scope) => typeof scope === 'string');
    return scopes.length === 0 ? undefined : [{ accessToken: scopes }];
  }

  private parameters(operation: Operation): readonly object[] {
    const { path, query, requestHeaders } = operation;
    return [
      ...this.fields(PATH_PARAMETERS, 'input')
        .filter(([name]) => path.split('/').includes(`:${name}`))
        .map(([name, field]) => ({ name, in: 'path', ...field })),
      ...this.fields(query, 'input').map(([name, field]) => ({ name, in: 'query', ...field })),
      ...[requestHeaders, takesSpaceHeader(operation) ? spaceHeader : undefined].flatMap((headers) =>
        this.fields(headers, 'input').map(([name, field]) => ({ name, in: 'header', ...field })),
      ),
    ];
  }

  private headers(headers: z.ZodObject | undefined): object {
    return Object.fromEntries(this.fields(headers, 'output'));
  }

  /** Parameters or headers: their descriptions are not those of schemas. */
  private fields(object: z.ZodObject | undefined, io: 'input' | 'output'): ReadonlyArray<[string, object]> {
    return Object.entries(object?.shape ?? {}).map(([name, type]) => {
      const { description, ...schema } = this.schemas.of(type as z.ZodType, io);
      return [name, { description, required: type._zod.optin !== 'optional', schema }];
    });
  }

  private requestBody({ json, form }: Operation): object | undefined {
    if (json !== undefined) return this.jsonBody(json);
    if (form === undefined) return undefined;
    const file = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };
    const schema = {
      type: 'object',
      required: ['file'],
      properties: {
        file: { ...file, description: form.description },
        metadata: {
          ...this.schemas.of(form.metadata, 'input'),
          description:
            'Recorded together with the image; if it is refused, so is the upload. A title, description, alternative text or tags that are missing here are taken from the file; null keeps those of the file out.',
        },
      },
    };
    const encoding = { metadata: { contentType: 'application/json' } };
    return { required: true, content: { 'multipart/form-data': { schema, encoding } } };
  }

  private jsonBody(request: JsonRequest): object {
    const { mediaType, schema, maxBytes, example } = { ...JSON_REQUEST, ...request };
    return {
      required: true,
      description: `At most ${maxBytes} bytes.`,
      content: { [mediaType]: { schema: this.schemas.of(schema, 'input'), example } },
    };
  }

  private responsesOf(operation: Operation): object {
    const responses: Record<string, object> = {};
    for (const [status, declared] of Object.entries(operation.responses)) {
      responses[status] = this.response({ cache: declared.json && 'no-store', ...declared });
    }
    for (const { status, name, response } of errorResponsesOf(operation)) {
      this.responses[name] ??= this.response(response);
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
    return responses;
  }

  private response(declared: DeclaredResponse): object {
    const { description, cache, headers } = declared;
    const content = this.content(declared);
    return {
      description,
      headers: {
        ...REQUEST_ID,
        ...(cache && this.headers(z.object({ 'Cache-Control': cacheControlOf(declared, cache) }))),
        ...this.headers(headers),
      },
      content: Object.keys(content).length > 0 ? content : undefined,
    };
  }

  private content({ json, text, bytes = [], events, example }: DeclaredResponse): Record<string, object> {
    return {
      ...(json && { 'application/json': { schema: this.schemas.of(json, 'output'), example } }),
      ...(text && { 'text/plain': { schema: { type: 'string' }, example } }),
      ...(events && { 'text/event-stream': streamOf(events) }),
      ...Object.fromEntries(bytes.map((mediaType) => [mediaType, { schema: BYTES }])),
    };
  }
}

function takesSpaceHeader({ access, spansSpaces }: Operation): boolean {
  return access !== 'public' && spansSpaces !== true;
}

/** JSON is never stored if the request has the header `Space`. */
function cacheControlOf({ json }: DeclaredResponse, cache: string): z.ZodType {
  return json === undefined ? cacheControl(cache) : cacheControl(cache, forbidStoring(cache));
}

const PATH_PARAMETERS = z.object({
  id: z
    .int()
    .min(1)
    .meta({ description: 'The id of the image, in decimal digits without leading zeros.', examples: [1] }),
  name: z.string().meta({
    description: `The name: ${NAME_RULE}.`,
    pattern: NAME_PATTERN.source,
    examples: ['front-page'],
  }),
});

function streamOf({ description, example }: NonNullable<DeclaredResponse['events']>): object {
  return { schema: { type: 'string', description }, example };
}

const BYTES: JsonSchema = { type: 'string', format: 'binary' };
