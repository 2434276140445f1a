import { expect } from 'chai';
import type { Test } from 'supertest';
import { JSON_REQUEST, type Operation } from '../../src/adapters/http/route/operation.ts';
import { type OperationId, operationsOf } from '../../src/adapters/http/routes.ts';
import { parseConfig } from '../../src/infrastructure/config/config.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { refusalOf } from '../support/http/refusal-of.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';
import { documentOf } from '../support/openapi/default-document.ts';
import type { RequestSchema } from '../support/openapi/request-schema.ts';

const SCOPES = { read: 'images:read', write: 'images:write', delete: 'images:delete' } as const;
/** Besides that of the route. */
const ALL_SPACES = 'images:all-spaces';
const NO_IDS = "0 -1 +1 01 1.0 1e3 0x1 abc 1%20 %00 %ff 1%0a %D9%A1 1'--".split(' ');
const NO_NAMES = ['.cat', '..', 'a%20b', 'a%2Fb', 'caf%C3%A9', '%zz', 'a'.repeat(129), 'a+b', '%00'];
/** Also such as the database cannot have, and one that a number cannot hold. */
const UNKNOWN_IDS = [
  '999999',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775808',
  '9'.repeat(400),
];

interface Needs {
  /** `undefined`: the operation needs no token. */
  readonly scope: keyof typeof SCOPES | undefined;
  readonly needsNoSpace?: true;
  /** Needs the scope for all spaces too, and no space. */
  readonly spansSpaces?: true;
  readonly changesCatalog?: true;
}

const READ: Needs = { scope: 'read' };
const WRITE: Needs = { scope: 'write', changesCatalog: true };
const DELETE: Needs = { scope: 'delete', changesCatalog: true };

/** As the contract says it. */
const NEEDS: Readonly<Record<OperationId, Needs>> = {
  greet: { scope: undefined, needsNoSpace: true },
  describeApi: { scope: 'read', needsNoSpace: true },
  uploadImage: WRITE,
  listImages: READ,
  timeline: READ,
  lookUpImages: READ,
  listChanges: READ,
  archiveImages: READ,
  makeLinks: READ,
  makeTickets: { scope: 'write' },
  getImage: READ,
  getImageFile: READ,
  deleteImage: DELETE,
  listTrash: READ,
  restoreImage: DELETE,
  eraseImage: DELETE,
  getMetadata: READ,
  patchMetadata: WRITE,
  editImages: WRITE,
  listTags: READ,
  listNames: READ,
  getName: READ,
  setName: WRITE,
  deleteName: WRITE,
  getNameFile: READ,
  getUsage: READ,
  findSimilar: READ,
  listCopies: READ,
  listSpaces: { scope: 'read', needsNoSpace: true, spansSpaces: true },
  setSpaceLimits: { scope: 'write', needsNoSpace: true, spansSpaces: true, changesCatalog: true },
};

type Method = 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';
type Route = readonly [id: OperationId, operation: Operation];

const config = parseConfig({ IDP_DOMAIN: 'https://tenant.example.com/', IDP_AUDIENCE: 'images' });
const ROUTES = Object.entries(operationsOf({ ...config, redirects: false, links: true })) as Route[];
const TEMPLATES = [...new Set(ROUTES.map(([, { path }]) => path))];

interface Described {
  readonly parameters?: ReadonlyArray<{
    readonly name: string;
    readonly in: string;
    readonly schema: RequestSchema;
  }>;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: RequestSchema; readonly example: object }>>;
  };
}

const { paths } = documentOf({ UPLOAD_MAX_BYTES: '200000' }) as {
  paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
};

const SETTINGS = { webUrl: 'https://cats.example.com/', spaceClaim: 'org' };

const service = startFor('all', () =>
  TestService.start({ ...SETTINGS, scopes: { ...SCOPES, allSpaces: ALL_SPACES } }),
);
const readOnly = startFor('all', () =>
  TestService.start({ ...SETTINGS, readOnly: true, scopes: { allSpaces: ALL_SPACES } }),
);
let image: string;

/** Of something that is there. */
function addressOf({ path }: Operation): string {
  const address = path.replace(':id', image).replace(':name', 'hero');
  if (path.endsWith('/limits')) return `${address}?space=a`;
  return path.endsWith('/timeline') ? `${address}?by=day` : address;
}

function addressWith(operation: Operation, query: string): string {
  const address = addressOf(operation);
  if (!address.includes('?')) return `${address}?${query}`;
  const [name] = query.split('=');
  return address.includes(`?${name}=`) ? address.replace(/\?.*/, `?${query}`) : `${address}&${query}`;
}

function methodsOf(path: string): readonly Method[] {
  const methods = ROUTES.filter(([, operation]) => operation.path === path).map(([, { method }]) => method);
  return methods.includes('get') ? ['head', ...methods] : methods;
}

function send(method: Method, address: string, claims: object = {}, to = service): Test {
  const scope = [...Object.values(SCOPES), ALL_SPACES].join(' ');
  return to.anonymous(method, address).set('Authorization', to.bearerWith({ scope, org: 'a', ...claims }));
}

before(async () => {
  const upload = service.anonymous('post', '/api/upload').attach('file', await noisyPng(20, 20), 'cat.png');
  const { body } = await upload.set('Authorization', service.bearerWith({ org: 'a', scope: SCOPES.write }));
  image = String((body as { id: number }).id);
  await send('put', '/api/names/hero').set('Content-Type', 'application/json').send(`{"id":${image}}`);
});

for (const [id, operation] of ROUTES) {
  describe(`The route of ${id}`, () => {
    access(operation, NEEDS[id]);
    requests(operation);
    if (operation.json !== undefined) jsonBodies(operation, operation.json);
  });
}

function access(operation: Operation, { scope, needsNoSpace, spansSpaces, changesCatalog }: Needs): void {
  const { method } = operation;

  it(scope === undefined ? 'needs no token' : 'needs a token', async () => {
    const response = await service.anonymous(method, addressOf(operation));
    expect(response.status).to.equal(scope === undefined ? 200 : 401);
    if (scope !== undefined) expect(response.headers['www-authenticate']).to.equal('Bearer');
  });

  if (scope === undefined) return;

  it(`needs the scope ${SCOPES[scope]} and no other, and says so`, async () => {
    const others = Object.values(SCOPES).filter((other) => other !== SCOPES[scope]);
    const refused = send(method, addressOf(operation), { scope: others.join(' ') });
    expect(refusalOf(await refused)).to.deep.equal([403, 'insufficient_scope']);
    expect((await refused).headers['www-authenticate']).to.include(`scope="${SCOPES[scope]}"`);
    const own = spansSpaces ? `${SCOPES[scope]} ${ALL_SPACES}` : SCOPES[scope];
    const { status } = await send(method, addressWith(operation, 'unknown=1'), { scope: own });
    expect(status).to.equal(400);
  });

  if (spansSpaces) {
    it('needs the scope for all spaces, and takes no header Space', async () => {
      const refused = send(method, addressOf(operation), { scope: SCOPES[scope] });
      expect(refusalOf(await refused)).to.deep.equal([403, 'insufficient_scope']);
      expect((await refused).headers['www-authenticate']).to.include(`scope="${ALL_SPACES}"`);
      const named = send(method, addressOf(operation)).set('Space', 'a');
      expect(refusalOf(await named)).to.deep.equal([400, 'invalid_request']);
    });
  }

  it(needsNoSpace ? 'needs no space' : 'needs a space', async () => {
    const withoutSpace = send(method, addressOf(operation), { org: 7 });
    if (needsNoSpace) expect((await withoutSpace).status).to.be.oneOf([200, 415]);
    else expect(refusalOf(await withoutSpace)).to.deep.equal([403, 'space_missing']);
  });

  it(changesCatalog ? 'is refused while the catalog is read-only' : 'works read-only', async () => {
    const { status, text, headers } = await send(method, addressOf(operation), {}, readOnly);
    if (!changesCatalog) {
      expect(status).not.to.equal(503);
      return;
    }
    expect([status, (JSON.parse(text) as { code: string }).code]).to.deep.equal([503, 'read_only']);
    expect(headers['retry-after']).to.match(/^[1-9]\d*$/);
  });
}

function requests(operation: Operation): void {
  const { method, path } = operation;

  it('refuses a query parameter that it does not have', async () => {
    for (const query of ['unknown=1', '=1', 'LIMIT=1']) {
      const refused = send(method, addressWith(operation, query));
      expect(refusalOf(await refused), query).to.deep.equal([400, 'invalid_request']);
    }
  });

  if (path.includes(':id')) {
    const about = (id: string): Test => {
      const request = send(method, path.replace(':id', id));
      return operation.json === undefined
        ? request
        : request.set('Content-Type', operation.json.mediaType ?? JSON_REQUEST.mediaType).send('{}');
    };

    it('refuses ids that are none, and finds no image of an unknown one', async () => {
      for (const none of NO_IDS) {
        expect(refusalOf(await about(none)), none).to.deep.equal([400, 'invalid_request']);
      }
      for (const unknown of UNKNOWN_IDS) {
        expect(refusalOf(await about(unknown)), unknown).to.deep.equal([404, 'image_not_found']);
      }
    });
  }

  if (path.includes(':name')) {
    it('refuses names that are none, naming the parameter', async () => {
      for (const none of NO_NAMES) {
        const { status, text } = await send(method, path.replace(':name', none)).buffer(true);
        expect([status, text.includes('name')], none).to.deep.equal([400, true]);
      }
    });
  }

  for (const { name, values } of invalidParametersOf(operation)) {
    it(`refuses values that "${name}" cannot have, naming it`, async () => {
      for (const value of values) {
        const { status, text } = await send(method, addressWith(operation, `${name}=${value}`)).buffer(true);
        expect([status, text.includes(`\\"${name}\\"`)], String(value)).to.deep.equal([400, true]);
      }
    });
  }

  if (method !== 'get') return;

  it('returns the headers of GET and no body for HEAD', async () => {
    const [get, head] = await Promise.all(
      (['get', 'head'] as const).map((either) =>
        send(either, addressOf(operation)).set({ 'Accept-Encoding': 'identity', 'X-Request-Id': 'a' }),
      ),
    );
    for (const name of ['date', 'transfer-encoding']) {
      delete get?.headers[name];
      delete head?.headers[name];
    }
    expect([get?.status, head?.status, head?.text]).to.deep.equal([200, 200, undefined]);
    expect(head?.headers).to.deep.equal(get?.headers);
  });
}

function describedAs({ path, method }: Operation): Described {
  return paths[path.replace(/:(\w+)/g, '{$1}')]?.[method] ?? {};
}

/** Of query parameters. */
function invalidParametersOf(
  operation: Operation,
): ReadonlyArray<{ name: string; values: ReadonlyArray<string | number> }> {
  const { parameters = [] } = describedAs(operation);
  return parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => ({ name, values: [...invalidTextsOf(schema), `1&${name}=1`] }));
}

function invalidTextsOf({
  type,
  format,
  minimum,
  maximum,
  minLength,
  maxLength = 200,
  ...schema
}: RequestSchema): ReadonlyArray<string | number> {
  if (type === 'integer' && minimum !== undefined) return [minimum - 1, (maximum ?? 1) + 1, '', '1.5', '01'];
  if (format === 'date-time') return ['', '2026-01-31'];
  return schema.enum === undefined && type !== 'boolean'
    ? [...(minLength === 0 ? [] : ['']), ','.repeat(maxLength + 1)]
    : ['', 'nothing', '3'];
}

/** An alternative text of blanks says that the picture is decorative. */
const MAY_BE_BLANK: readonly string[] = ['alt'];

/** Of a field of a JSON body. */
function invalidValuesOf(
  { type, items, properties = {}, anyOf, ...schema }: RequestSchema,
  field = '',
): readonly unknown[] {
  if (anyOf !== undefined) return invalidValuesOf(anyOf[0] ?? {}).filter((value) => value !== null);
  if (items !== undefined) {
    const { minItems = 0, maxItems } = schema;
    const tooMany = maxItems === undefined ? [] : [Array<unknown>(maxItems + 1).fill(validValueOf(items))];
    const inside = invalidValuesOf(items).map((value) => [value]);
    return [null, 'x', ...(minItems > 0 ? [[]] : []), ...tooMany, ...inside];
  }
  if (type === 'object') {
    const inside = Object.entries(properties).flatMap(([name, property]) =>
      invalidValuesOf(property, name).map((value) => ({ [name]: value })),
    );
    return [null, 'x', { unknown: 1 }, ...inside];
  }
  if (type === 'integer') return ['1', 1.5, null, ...outsideOf(schema)];
  if (type === 'boolean' || type === 'number') return ['1', null];
  const text = MAY_BE_BLANK.includes(field) ? 'a\nb' : ' ';
  return [7, schema.enum === undefined ? text : 'auto', ...(Array.isArray(type) ? [] : [null])];
}

function outsideOf({ enum: listed, minimum = 0, maximum }: RequestSchema): readonly number[] {
  if (listed !== undefined) return [1];
  return [minimum - 1, ...(maximum === undefined ? [] : [maximum + 1])];
}

function validValueOf({ type }: RequestSchema): unknown {
  if (type === 'object') return {};
  return type === 'integer' ? 1 : 'f'.repeat(64);
}

function jsonBodies(operation: Operation, json: NonNullable<Operation['json']>): void {
  const { mediaType, maxBytes } = { ...JSON_REQUEST, ...json };
  const { method } = operation;

  const body = (text: string, headers: Record<string, string> = {}): Test =>
    send(method, addressOf(operation))
      .set({ 'Content-Type': mediaType, ...headers })
      .send(text);

  it('refuses a body of another type, of none, and one that is compressed', async () => {
    const others = [
      body('{}', { 'Content-Type': 'text/plain' }),
      body('{}', { 'Content-Encoding': 'gzip' }),
      send(method, addressOf(operation)),
    ];
    for (const other of others) expect(refusalOf(await other)).to.deep.equal([415, 'unsupported_media_type']);
  });

  it(`refuses a body of more than ${maxBytes} bytes`, async () => {
    expect(refusalOf(await body(' '.repeat(maxBytes + 1)))).to.deep.equal([413, 'request_too_large']);
    expect(refusalOf(await body(' '.repeat(maxBytes)))).to.deep.equal([400, 'invalid_request']);
  });

  it('refuses a body that is no JSON object, and a field that it does not know', async () => {
    for (const text of ['', '{', '[]', 'null', '{"unknown":1}']) {
      expect(refusalOf(await body(text)), text).to.deep.equal([400, 'invalid_request']);
    }
  });

  const { schema = {}, example = {} } = describedAs(operation).requestBody?.content[mediaType] ?? {};
  const needed = Object.fromEntries(
    Object.entries(example).filter(([name]) => ['id', 'ids', 'sha256', 'addTags'].includes(name)),
  );
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    it(`refuses values that "${name}" cannot have, naming it`, async () => {
      for (const value of invalidValuesOf(field, name)) {
        const { status, text: message } = await body(JSON.stringify({ ...needed, [name]: value }));
        const what = JSON.stringify(value).slice(0, 80);
        expect([status, message.includes(`\\"${name}`)], `${what}: ${message}`).to.deep.equal([400, true]);
      }
    });

    if ((field.anyOf?.[0] ?? field).items !== undefined) {
      it(`says what one of "${name}" must be`, async () => {
        const { text: message } = await body(JSON.stringify({ ...needed, [name]: [true] }));
        expect(message).to.match(
          /\[0\]\\" must be (?!an array)(?:an? |the id of an image|text"|\d+ hexadecimal digits)/,
        );
      });
    }

    const { maxItems, items = {} } = field;
    if (maxItems === undefined) continue;
    it(`takes ${maxItems} ${name}`, async () => {
      const most = Array<unknown>(maxItems).fill(validValueOf(items));
      expect((await body(JSON.stringify({ ...needed, [name]: most }))).status).not.to.equal(400);
    });
  }
}

describe('The paths', () => {
  for (const path of TEMPLATES) {
    it(`${path} allows ${methodsOf(path).join(', ').toUpperCase()} alone`, async () => {
      const all: readonly Method[] = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
      for (const method of all.filter((other) => !methodsOf(path).includes(other))) {
        const { status, headers } = await send(method, path.replace(':id', '1').replace(':name', 'a'));
        const allowed = String(headers['allow']).toLowerCase().split(', ');
        expect([method, status]).to.deep.equal([method, 405]);
        expect(allowed).to.have.members(methodsOf(path));
      }
    });

    it(`${path} answers the preflight of any origin without a token`, async () => {
      for (const method of methodsOf(path)) {
        const { status, headers } = await service
          .anonymous('options', path.replace(':id', '1').replace(':name', 'a'))
          .set({ Origin: 'https://app.example.com', 'Access-Control-Request-Method': method.toUpperCase() });
        expect([status, headers['access-control-allow-origin']]).to.deep.equal([204, '*']);
        expect(headers['access-control-allow-methods']).to.include(method.toUpperCase());
      }
    });

    it(`${path} is another path with a slash at its end, and in another case`, async () => {
      const address = path.replace(':id', '1').replace(':name', 'a');
      for (const other of path === '/' ? ['//'] : [`${address}/`, address.toUpperCase()]) {
        expect(refusalOf(await send('get', other)), other).to.deep.equal([404, 'not_found']);
        expect((await service.anonymous('get', other)).status).to.equal(401);
      }
    });
  }
});
