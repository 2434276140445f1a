import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Response } from 'supertest';
import { FILTER_ROWS, WRITTEN_ROWS } from '../../src/domain/image/fields.ts';
import type { Name } from '../../src/domain/name/name.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { FORM_TYPE, fieldPart, filePart, multipart, type Part } from '../support/fixtures/multipart.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import type { ImageRecord } from '../support/http/catalog-client.ts';
import { TestService } from '../support/http/test-service.ts';
import { defaultDocument } from '../support/openapi/default-document.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: ReadonlyArray<{
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly required?: boolean;
  }>;
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: { readonly properties: object } }>>;
  };
}

interface Described extends Operation {
  readonly method: Method;
  readonly path: string;
}

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

function operationsOf(document: object): readonly Described[] {
  const { paths } = document as {
    readonly paths: Readonly<Record<string, Partial<Record<Method, Operation>>>>;
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ ...operation, method, path }];
    }),
  );
}

/** Inputs that name nothing in a catalog. */
const HARMLESS = new Set(
  `
    width height fit format quality download Range If-Range If-Modified-Since If-Unmodified-Since limit
    sort order seed count mediaType createdAfter createdBefore takenAfter takenBefore by wait include
    distance similar renditions ttlSeconds page shiftTaken public X-Content-SHA256
  `
    .trim()
    .split(/\s+/)
    .concat(
      WRITTEN_ROWS.flatMap(([field, { kind }]) => (kind === 'tags' ? [] : [field])),
      FILTER_ROWS.flatMap(([name, { by }]) => (by === 'words' ? [] : [name])),
    ),
);

/** A value of the same length that names something of another space, nothing at all, or something of the own space. */
interface Named {
  readonly foreign: string | number;
  readonly unknown: string | number;
  readonly own: string | number;
}

type Inputs = Readonly<Record<string, string | number>>;

/** What operations need beside the input that is tried. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  editImages: ['ids', 'addTags'],
  lookUpImages: ['sha256'],
  archiveImages: ['ids'],
  makeLinks: ['ids'],
  setName: ['name', 'id'],
};

const ALWAYS: Readonly<Record<string, string>> = { timeline: '?by=day' };

/** Exempt are operations that concern no space, each with its reason. */
const EXEMPT = new Map([
  ['listSpaces', 'concerns all spaces'],
  ['setSpaceLimits', 'concerns all spaces'],
  ['greet', 'needs no token'],
  ['describeApi', 'says the same to everyone'],
  ['makeTickets', 'reads nothing'],
]);

const LISTS = new Set(['ids', 'sha256', 'addTags', 'removeTags', 'tags', 'names']);

const MAKER = 'Zyxmaker';
const LENS = 'Qwxlens';

const ALL_SPACES = 'images:all-spaces';

const SETTINGS = { spaceClaim: 'org', trashDays: 30, scopes: { allSpaces: ALL_SPACES } };

/** Of the running suite: each caller has a catalog that no other has changed. */
let service: TestService;

/** How a caller comes to be in its space, `mine`. */
interface Caller {
  readonly how: string;
  /** Whether its token may act in every space. */
  readonly isWorker: boolean;
  readonly headers: () => Readonly<Record<string, string>>;
}

const CALLERS: readonly Caller[] = [
  {
    how: 'by the claim',
    isWorker: false,
    headers: () => ({ Authorization: `Bearer ${tokenOf('mine')}` }),
  },
  {
    how: 'by the header Space, with the claim of the other space',
    isWorker: true,
    headers: () => ({ Authorization: workerOf({ org: 'theirs' }), Space: 'mine' }),
  },
];

/** A token for all spaces. */
function workerOf(claims: object): string {
  return service.bearerWith({ sub: 'user-of-mine', scope: ALL_SPACES, ...claims });
}
let statements: string[];
let values: Readonly<Record<string, Named>>;
let foreign: ImageRecord;
let foreignTrashed: ImageRecord;
/** What no response in another space may contain. */
let secrets: readonly string[];

function tokenOf(space: string): string {
  return service.token({ sub: `user-of-${space}`, org: space });
}

async function picture(maker: string, lens: string): Promise<Buffer> {
  return withExif(
    await jpegPicture(40, 30),
    exifBlock({ image: { 0x010f: maker }, photo: { 0xa434: lens } }),
  );
}

async function uploadTo(space: string, parts: readonly Part[], headers: object = {}): Promise<Response> {
  return await service
    .post(parts)
    .set('Authorization', `Bearer ${tokenOf(space)}`)
    .set(headers as Record<string, string>);
}

async function readAs(space: string, path: string): Promise<Response> {
  return await service.anonymous('get', path).set('Authorization', `Bearer ${tokenOf(space)}`);
}

/** Into the trash. */
async function deleteIn(space: string, name: string): Promise<ImageRecord> {
  const { body } = await uploadTo(space, [filePart(await noisyPng(23, 20), name)]);
  const image = body as ImageRecord;
  const deletion = service.anonymous('delete', `/api/image/${image.id}`);
  await deletion.set('Authorization', `Bearer ${tokenOf(space)}`).expect(204);
  return image;
}

/** Fills both spaces, and names what is in them. */
async function fill(): Promise<void> {
  // Ids of several digits, which are part of no other number in a response.
  await service.storage.images.reserveIds(700_000);
  const metadata = (tag: string): Part =>
    fieldPart('metadata', JSON.stringify({ title: `${tag}word`, tags: [tag] }));
  const first = await uploadTo(
    'theirs',
    [filePart(await picture(MAKER, LENS), 'secretname.jpg'), metadata('secrettag')],
    {
      'Idempotency-Key': 'the-key-of-theirs',
    },
  );
  await uploadTo('theirs', [filePart(await noisyPng(21, 20), 'more.png')]);
  foreign = first.body as ImageRecord;
  const own = (await uploadTo('mine', [filePart(await noisyPng(20, 20), 'mine.png'), metadata('mytag')]))
    .body as ImageRecord;
  await uploadTo('mine', [filePart(await noisyPng(22, 20), 'mine.png')]);
  foreignTrashed = await deleteIn('theirs', 'secretgone.png');
  await deleteIn('theirs', 'secretgone.png');
  const ownTrashed = await deleteIn('mine', 'mine.png');
  await service.container
    .get(TOKENS.names)
    .in('theirs' as Space)
    .set('their-name' as Name, foreign.id, {});
  await service.container
    .get(TOKENS.names)
    .in('mine' as Space)
    .set('my-own-nam' as Name, own.id, {});
  const [listing, copies, trash, changes] = [
    await readAs('theirs', '/api/images?limit=1'),
    await readAs('theirs', '/api/images/copies?limit=1'),
    await readAs('theirs', '/api/trash?limit=1'),
    await readAs('theirs', '/api/changes?limit=1'),
  ];
  const [cursor, copiesCursor, trashCursor] = [listing, copies, trash].map(nextCursorIn) as [
    string,
    string,
    string,
  ];
  const place = (changes.body as { readonly next: string }).next;
  const named = (theirs: string | number, unknown: string | number, mine: string | number): Named => ({
    foreign: theirs,
    unknown,
    own: mine,
  });
  const id = named(foreign.id, 799_999, own.id);
  const trashed = named(foreignTrashed.id, 799_998, ownTrashed.id);
  const sha256 = named(foreign.sha256, 'e'.repeat(64), own.sha256);
  const tag = named('secrettag', 'nonesuchs', 'mytag');
  values = {
    id,
    ids: id,
    sha256,
    tags: tag,
    addTags: tag,
    removeTags: tag,
    prefix: named('secret', 'nonesu', 'my'),
    q: named('secretname', 'nonesuches', 'mine'),
    camera: named(MAKER, 'Nonemake', 'x'),
    lens: named(LENS, 'Nonelen', 'x'),
    createdBy: named('user-of-theirs', 'user-of-nobody', 'user-of-mine'),
    'listImages after': named(cursor, 'A'.repeat(cursor.length), ''),
    'listCopies after': named(copiesCursor, 'A'.repeat(copiesCursor.length), ''),
    'listTrash after': named(trashCursor, 'A'.repeat(trashCursor.length), ''),
    'restoreImage id': trashed,
    'eraseImage id': trashed,
    names: named('their-name', 'nobodys-na', 'my-own-nam'),
    name: named('their-name', 'nobodys-na', 'my-own-nam'),
    'listNames prefix': named('their', 'nobod', 'my-ow'),
    'listNames after': named('their-name', 'nobodys-na', 'my-own-nam'),
    'listChanges after': named(place, place, place),
    'Last-Event-ID': named(place, place, place),
    'If-Match': named(`"${foreign.sha256}"`, `"${'e'.repeat(64)}"`, `"${own.sha256}"`),
    'If-None-Match': named(`"${foreign.sha256}"`, `"${'e'.repeat(64)}"`, `"${own.sha256}"`),
    Space: named('theirs', 'nobody', 'mine'),
    'Idempotency-Key': named('the-key-of-theirs', 'a-key-of-nobody-1', 'my-own-key-to-use'),
  };
  secrets = [
    'secret',
    'user-of-theirs',
    'theirs',
    foreign.sha256,
    foreign.filename.slice(0, 36),
    foreign.thumbhash,
    MAKER,
    LENS,
  ];
}

function nextCursorIn({ headers }: Response): string {
  const query = /\?([^>]*)>; rel="next"/.exec(String(headers['link']))?.[1];
  return new URLSearchParams(query).get('after') ?? '';
}

function valueOf({ operationId }: Described, name: string): Named | undefined {
  return values[`${operationId} ${name}`] ?? values[name];
}

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function requestOf(operation: Described, inputs: Inputs): Sent {
  const query = new URLSearchParams((ALWAYS[operation.operationId] ?? '').slice(1));
  const headers: Record<string, string> = {};
  let { path } = operation;
  const known = new Set<string>();
  for (const { name, in: place } of operation.parameters ?? []) {
    known.add(name);
    const value = inputs[name];
    if (value === undefined) continue;
    if (place === 'path') path = path.replace(`{${name}}`, String(value));
    else if (place === 'query') query.set(name, String(value));
    else headers[name] = String(value);
  }
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  if (type !== undefined) headers['Content-Type'] = type;
  const fields = Object.entries(inputs).filter(([name]) => !known.has(name));
  const body = Object.fromEntries(fields.map(([name, value]) => [name, LISTS.has(name) ? [value] : value]));
  return {
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    headers,
    body: type && JSON.stringify(body),
  };
}

interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly statements: readonly string[];
}

/** With what was asked for replaced, so that outcomes can be compared. */
async function outcomeOf(
  operation: Described,
  inputs: Inputs,
  { headers: ofCaller }: Caller,
): Promise<Outcome> {
  const { path, headers, body } = requestOf(operation, inputs);
  statements = [];
  const request = service
    .anonymous(operation.method, path)
    .set({ ...ofCaller(), ...headers, 'X-Request-Id': 'the-same' })
    .serialize(() => body ?? '')
    .buffer(true);
  const response = await (body === undefined ? request : request.send(Buffer.from(body)));
  const asked = Object.values(inputs).map(String);
  const hide = (text: string): string =>
    asked.reduce(
      (rest, value) => rest.replaceAll(value, '…').replaceAll(encodeURIComponent(value), '…'),
      text,
    );
  const shown = Object.entries(response.headers as Record<string, unknown>)
    .filter(([name]) => name !== 'date')
    .map(([name, value]) => [name, hide(String(value))]);
  return {
    status: response.status,
    headers: Object.fromEntries(shown),
    text: hide(response.text ?? ''),
    statements,
  };
}

/** Inputs of an operation by name. */
function inputsOf({ parameters = [], requestBody }: Described): readonly string[] {
  const schemas = Object.values(requestBody?.content ?? {}).map(({ schema }) =>
    Object.keys(schema.properties),
  );
  return [...parameters.map(({ name }) => name), ...schemas.flat()];
}

const operations = operationsOf(defaultDocument());
const ofSpaces = operations.filter(({ operationId }) => !EXEMPT.has(operationId));

function casesOf(caller: Caller): void {
  before(async () => {
    service = await TestService.start(SETTINGS);
    await fill();
    const { knex, reader } = service.container.get(TOKENS.database);
    for (const connection of new Set<Knex>([knex, reader])) {
      connection.on('query', ({ sql }: { readonly sql: string }) => statements?.push(sql));
    }
  });

  after(() => service.stop());

  it('is tried with every input of every operation', () => {
    const uploads = ['file', 'metadata'];
    const unknown = ofSpaces.flatMap((operation) =>
      inputsOf(operation)
        .filter(
          (name) => !HARMLESS.has(name) && valueOf(operation, name) === undefined && !uploads.includes(name),
        )
        .map((name) => `${operation.operationId}: ${name}`),
    );

    expect(unknown).to.deep.equal([]);
  });

  for (const operation of ofSpaces.filter(({ operationId }) => operationId !== 'uploadImage')) {
    const { operationId } = operation;
    const tried = inputsOf(operation)
      .filter((name) => !HARMLESS.has(name))
      // A caller without the scope gets 403 for each space; one with the scope is in the space that the header names.
      .filter((name) => name !== 'Space' || !caller.isWorker);
    const hasId = tried.includes('id');
    const hasName = operation.path.includes('{name}');

    for (const name of tried) {
      it(`${operationId} does not tell it from what is nowhere, by "${name}"`, async () => {
        const needed = REQUIRED[operationId] ?? [];
        const others = Object.fromEntries(
          needed
            .filter((other) => other !== name)
            .map((other) => [other, valueOf(operation, other)?.own ?? '']),
        );
        const inputs = (kind: 'foreign' | 'unknown'): Inputs => ({
          ...others,
          ...(hasId && { id: values['id']?.[kind] ?? 0 }),
          ...(hasName && { name: values['name']?.[kind] ?? '' }),
          [name]: valueOf(operation, name)?.[kind] ?? '',
        });

        const found = await outcomeOf(operation, inputs('foreign'), caller);
        expect(found).to.deep.equal(await outcomeOf(operation, inputs('unknown'), caller));
        expect(secrets.filter((secret) => found.text.includes(secret))).to.deep.equal([]);
      });
    }

    if (tried.length > 0 && (hasId || hasName || operation.requestBody !== undefined)) continue;
    it(`${operationId} shows nothing of it`, async () => {
      const { status, text } = await outcomeOf(operation, {}, caller);

      expect(status).to.equal(200);
      expect(secrets.filter((secret) => text.includes(secret))).to.deep.equal([]);
    });
  }

  it('uploadImage neither replays its key nor reports its pictures', async () => {
    const bytes = await picture(MAKER, LENS);
    const headers = { 'Idempotency-Key': 'the-key-of-theirs' };
    const parts = [
      filePart(bytes, 'cat.jpg'),
      fieldPart('metadata', JSON.stringify({ tags: ['SecretTag'] })),
    ];
    const response = await service
      .anonymous('post', '/api/upload?similar=report')
      .set({ ...headers, ...caller.headers() })
      .set('Content-Type', FORM_TYPE)
      .serialize(() => multipart(parts) as unknown as string)
      .send(multipart(parts));

    const { id, similar, tags } = response.body as ImageRecord & {
      readonly similar: readonly unknown[];
    };
    expect([response.status, similar, tags]).to.deep.equal([201, [], ['SecretTag']]);
    expect(response.headers).not.to.have.property('idempotency-replayed');
    expect(id).not.to.equal(foreign.id);
  });

  it('is as it was', async () => {
    const { body } = await readAs('theirs', `/api/image/${foreign.id}`);

    expect(body).to.deep.equal(foreign);
    const trash = (await readAs('theirs', '/api/trash')).body as ReadonlyArray<{
      readonly image: ImageRecord;
    }>;
    expect(trash.map(({ image }) => image)).to.deep.include(foreignTrashed);
  });
}

for (const caller of CALLERS) {
  describe(`what is in another space, for a caller in its own space ${caller.how}`, () => casesOf(caller));
}
