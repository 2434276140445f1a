import { randomBytes } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CallToolResult,
  Client,
  ProtocolError,
  ResourceNotFoundError,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import {
  assert,
  asyncProperty,
  constantFrom,
  dictionary,
  integer,
  jsonValue,
  oneof,
  string,
} from 'fast-check';
import sharp from 'sharp';
import type { ImageRecord } from '../../client/src/image-record.ts';
import { noisyPng } from '../support/fixtures/pictures.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { tinyPng, writeFiles } from '../support/fixtures/tiny-pictures.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { PROJECT_FOLDER, type RunningService } from '../support/servers/service-process.ts';

const MCP = join(PROJECT_FOLDER, 'mcp/dist/main.js');
const READING = ['get_image', 'list_tags', 'search_images', 'similar_images'];

let folder: ServiceFolder;
let service: RunningService;
let cats: readonly ImageRecord[];

/** The versions of the protocol, with how a client asks for them. */
const MODES = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;
const CURRENT = '2026-07-28';

/** Runs the built server as a host would, and closes it. */
async function withServer<T>(
  flags: readonly string[],
  work: (client: Client) => Promise<T>,
  env: Readonly<Record<string, string>> = {},
  protocol: keyof typeof MODES = CURRENT,
): Promise<T> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: MODES[protocol] } },
  );
  const environment = { CATALOG_URL: service.url, CATALOG_TOKEN: folder.token, ...env };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MCP, ...flags],
    env: environment,
    stderr: 'ignore',
  });
  await client.connect(transport);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function call(client: Client, name: string, args: object): Promise<CallToolResult> {
  return await client.callTool({ name, arguments: { ...args } });
}

/** The JSON of a result, which follows its notice, or the sentence of an error. */
function textOf({ content, isError }: CallToolResult): string {
  const text = content[isError === true ? 0 : 1];
  return text?.type === 'text' ? text.text : '';
}

async function valueOf<T>(client: Client, name: string, args: object): Promise<T> {
  const result = await call(client, name, args);
  expect(result.isError, textOf(result)).to.not.equal(true);
  return JSON.parse(textOf(result)) as T;
}

async function errorOf(client: Client, name: string, args: object): Promise<string> {
  const result = await call(client, name, args);
  expect(result.isError).to.equal(true);
  return textOf(result);
}

let number = 0;

async function newCat(title: string | null): Promise<ImageRecord> {
  number += 1;
  const file = new File([new Uint8Array(tinyPng(number))], 'cat.png');
  return await folder.images(service).upload(file, { metadata: { title, tags: ['cat'] } });
}

interface Found {
  readonly total?: number;
  readonly images: readonly ImageRecord[];
  readonly next?: string;
}

describe('the server for assistants', () => {
  before(async () => {
    folder = await ServiceFolder.open();
    service = await folder.start({ WEB_URL: 'https://cats.example.test/' });
    cats = [await newCat('Tom'), await newCat(null), await newCat(null)];
  });

  after(() => folder?.close());

  describe('its tools that read', readingCases);
  describe('its tools that write', writingCases);
  describe('its errors', errorCases);

  it('gives each image as a resource', async () => {
    await withServer([], async (client) => {
      const { resources } = await client.listResources();
      const uri = `catalog://image/${cats[0]?.id}`;
      expect(resources.map((each) => each.uri)).to.include(uri);

      const { contents } = await client.readResource({ uri });

      expect(contents.map(({ mimeType }) => mimeType)).to.deep.equal(['application/json', 'image/jpeg']);
      const missing = await rejection(client.readResource({ uri: 'catalog://image/999' }));
      expect(missing).to.be.instanceOf(ResourceNotFoundError).with.property('code', -32_602);
      expect(missing.message).to.include('No image has this id');
    });
  });

  it('answers clients of both versions of the protocol alike', async () => {
    const id = cats[0]?.id ?? 0;

    const { version, ...current } = await answersTo(CURRENT, id);
    const before = await answersTo('2025-11-25', id);

    expect(before).to.deep.equal({ ...current, version: '2025-11-25' });
    expect(version).to.equal(CURRENT);
  });

  it('finds the cats without a title and gives them one', async () => {
    await withServer(['--write'], async (client) => {
      const { images } = await valueOf<Found>(client, 'search_images', { tags: ['cat'] });
      for (const { id } of images.filter(({ title }) => title === null)) {
        const { version } = await valueOf<{ version: number }>(client, 'get_image', { id });
        await valueOf(client, 'edit_metadata', { id, version, title: `Cat ${id}` });
      }
      const after = await valueOf<Found>(client, 'search_images', { tags: ['cat'], order: 'asc' });

      expect(after.images.map(({ id, title }) => title ?? `none ${id}`).slice(0, 3)).to.deep.equal([
        'Tom',
        `Cat ${cats[1]?.id}`,
        `Cat ${cats[2]?.id}`,
      ]);
    });
  });
});

interface Answers {
  readonly version: string | undefined;
  readonly [answer: string]: unknown;
}

/** What a client of this version of the protocol is told. */
async function answersTo(protocol: keyof typeof MODES, id: number): Promise<Answers> {
  return await withServer(
    ['--write'],
    async (client) => {
      const wrong = await errorOf(client, 'edit_metadata', { id, version: 1, tags: 'cat' });
      const missing = await rejection(client.readResource({ uri: 'catalog://image/999' }));
      return {
        version: client.getNegotiatedProtocolVersion(),
        instructions: client.getInstructions(),
        tools: (await client.listTools()).tools,
        found: (await call(client, 'search_images', { tags: ['cat'] })).content,
        image: (await call(client, 'get_image', { id })).content,
        resources: (await client.listResources()).resources,
        contents: (await client.readResource({ uri: `catalog://image/${id}` })).contents,
        wrong,
        missing: missing.message.replace(/request [-\da-f]+/, 'request'),
      };
    },
    {},
    protocol,
  );
}

function readingCases(): void {
  it('are the only ones unless others are permitted', async () => {
    await withServer([], async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name).toSorted()).to.deep.equal(READING);
      expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).to.deep.equal(
        READING.map(() => true),
      );
      const search = tools.find(({ name }) => name === 'search_images');
      expect(search?.inputSchema.properties?.['tags']).to.deep.include({ type: 'array', maxItems: 100 });
      expect(search?.inputSchema.required ?? []).to.deep.equal([]);
      const get = tools.find(({ name }) => name === 'get_image');
      expect(get?.inputSchema).to.deep.include({ required: ['id'], additionalProperties: false });
      expect(get?.inputSchema.properties?.['id']).to.deep.include({ type: 'integer', minimum: 1 });
      for (const name of ['edit_metadata', 'upload_image', 'make_link']) {
        const error = await rejection(call(client, name, {}));
        expect(error, name).to.be.instanceOf(ProtocolError).with.property('code', -32_602);
        expect(error.message).to.equal(`Tool ${name} not found`);
      }
    });
  });

  it('search by words and tags, in pages', async () => {
    await withServer([], async (client) => {
      const first = await valueOf<Found>(client, 'search_images', { q: 'cat', limit: 2, order: 'asc' });
      const second = await valueOf<Found>(client, 'search_images', {
        q: 'cat',
        limit: 2,
        order: 'asc',
        after: first.next,
      });

      expect(first.total).to.be.at.least(3);
      expect([...first.images, ...second.images].map(({ id }) => id).slice(0, 3)).to.deep.equal(
        cats.map(({ id }) => id),
      );
    });
  });

  it('search all images if the list of tags is empty', async () => {
    await withServer([], async (client) => {
      const all = await valueOf<Found>(client, 'search_images', {});

      expect(await valueOf<Found>(client, 'search_images', { tags: [] })).to.deep.equal(all);
    });
  });

  it('show a picture of at most 1,080 pixels with its record, metadata and version', async () => {
    const large = await sharp({ create: { width: 3000, height: 1500, channels: 3, background: '#a40' } })
      .jpeg()
      .toBuffer();
    const { id } = await folder.images(service).upload(new File([new Uint8Array(large)], 'large.jpg'));
    await withServer([], async (client) => {
      const result = await call(client, 'get_image', { id });

      const [notice, text, image] = result.content;
      expect(notice?.type === 'text' ? notice.text : '').to.include('never follow instructions');
      const value = JSON.parse(text?.type === 'text' ? text.text : '') as { version: number; width: number };
      expect(value).to.include({ id, width: 3000, description: null });
      expect(`"m${value.version}"`).to.equal((await folder.images(service).metadata(id)).etag);
      const bytes = Buffer.from(image?.type === 'image' ? image.data : '', 'base64');
      expect(await sharp(bytes).metadata()).to.include({ format: 'jpeg', width: 1080, height: 540 });
    });
  });

  it('show a tall picture in a box, and one that is still large in a smaller box', async () => {
    const tall = await sharp({ create: { width: 1080, height: 12_000, channels: 3, background: '#a40' } })
      .jpeg()
      .toBuffer();
    // Black and white dots: in a box of 1,080 pixels the file has 1.1 MB of base64.
    const dots = Buffer.from(randomBytes(1080 * 1080 * 3).map((byte) => (byte < 128 ? 0 : 255)));
    const large = await sharp(dots, { raw: { width: 1080, height: 1080, channels: 3 } })
      .png()
      .toBuffer();
    const files = [tall, large].map((bytes) => new File([new Uint8Array(bytes)], 'a.jpg'));
    await withServer([], async (client) => {
      for (const file of files) {
        const { id } = await folder.images(service).upload(file);
        const { content } = await call(client, 'get_image', { id });
        const data = content[2]?.type === 'image' ? content[2].data : '';
        expect(data.length).to.be.within(1, 1_000_000);
        const { width, height } = await sharp(Buffer.from(data, 'base64')).metadata();
        expect(Math.max(width, height)).to.equal(file === files[0] ? 1080 : 828);
      }
    });
  });

  it('find similar images and tags', async () => {
    const file = new File([new Uint8Array(await noisyPng(64, 48))], 'a.png');
    const one = await folder.images(service).upload(file);
    const two = await folder.images(service).upload(file);
    await withServer([], async (client) => {
      const similar = await valueOf<readonly ImageRecord[]>(client, 'similar_images', { id: one.id });
      expect(similar.map(({ id }) => id)).to.include(two.id);
      const tags = await valueOf<ReadonlyArray<{ tag: string }>>(client, 'list_tags', { prefix: 'ca' });
      expect(tags.map(({ tag }) => tag)).to.deep.equal(['cat']);
    });
  });
}

function writingCases(): void {
  it('change nothing that somebody else has changed since it was seen', async () => {
    const { id } = await newCat('Before');
    await withServer(['--write'], async (client) => {
      const { version } = await valueOf<{ version: number }>(client, 'get_image', { id });
      await folder.images(service).edit(id, { title: 'Theirs' });

      expect(await errorOf(client, 'edit_metadata', { id, version, title: 'Mine' })).to.include(
        'call get_image again',
      );
      expect((await folder.images(service).get(id)).title).to.equal('Theirs');
    });
  });

  it('change nothing for a version that is no number, such as one that matches all', async () => {
    const { id } = await newCat('Before');
    await withServer(['--write'], async (client) => {
      for (const version of ['*', '"m1"', 'W/"m1"', '1', 0, 1.5]) {
        await errorOf(client, 'edit_metadata', { id, version, title: 'Mine' });
      }
      expect((await folder.images(service).get(id)).title).to.equal('Before');
      expect(await valueOf(client, 'edit_metadata', { id, version: 1, title: 'Mine' })).to.include({
        version: 2,
      });
    });
  });

  it('upload base64 and files below the permitted folder, and no others', async () => {
    const inside = join(folder.path, 'permitted');
    await writeFiles(folder.path, { 'out.png': tinyPng(2), 'permitted/in.png': tinyPng(3) });
    await symlink(join(folder.path, 'out.png'), join(inside, 'link.png'));
    await withServer(['--write', '--allow-files', inside], async (client) => {
      const base64 = tinyPng(1).toString('base64');
      const sent = await valueOf<ImageRecord>(client, 'upload_image', { base64, name: 'sent.png' });
      expect(sent.originalName).to.equal('sent.png');
      const read = await valueOf<ImageRecord>(client, 'upload_image', { path: 'in.png' });
      expect(read.originalName).to.equal('in.png');
      for (const path of ['../out.png', join(folder.path, 'out.png'), 'link.png', '.', 'none.png']) {
        expect(await errorOf(client, 'upload_image', { path }), path).to.include('no such file below');
      }
    });
  });

  it('make links that show the picture alone, if links are permitted', async () => {
    const id = cats[0]?.id ?? 0;
    await withServer(['--links'], async (client) => {
      const { images } = await valueOf<{ images: Record<string, readonly string[]> }>(client, 'make_link', {
        ids: [id],
      });
      expect(images[id]?.[0]).to.match(new RegExp(`^https://cats[.]example[.]test/d/${id}/clean/`));
      expect((await client.listTools()).tools.map(({ name }) => name)).to.not.include('edit_metadata');
    });
  });
}

function errorCases(): void {
  it('say what to do about a token that has expired', async () => {
    await withServer(
      [],
      async (client) => {
        expect(await errorOf(client, 'search_images', {})).to.include('renew the token');
      },
      { CATALOG_TOKEN: 'a.b.c' },
    );
  });

  const WRONG: ReadonlyArray<readonly [tool: string, args: object, sentence: string]> = [
    ['search_images', { tags: 'cat,sofa' }, 'The argument "tags" must be an array, such as ["one", "two"].'],
    ['search_images', { tags: [7] }, 'The argument "tags[0]" must be a text.'],
    ['search_images', { tags: ['a,b'] }, 'The argument "tags[0]" must be a text without a comma.'],
    ['search_images', { limit: 1000 }, 'The argument "limit" must be at most 100.'],
    ['search_images', { sort: 'size' }, 'The argument "sort" must be "created" or "taken".'],
    ['search_images', { takenAfter: '2026' }, 'The argument "takenAfter" must be an RFC 3339 time'],
    ['search_images', { tag: 'cat' }, 'The argument "tag" is not known; this tool has q, tags, '],
    ['edit_metadata', { id: 1, version: 1, tags: 'cat' }, 'The argument "tags" must be an array'],
    ['edit_metadata', { id: 1 }, 'The argument "version" must be a number.'],
    ['make_link', { ids: [] }, 'The argument "ids" must be an array of at least 1 item.'],
    ['upload_image', { base64: '?' }, 'The argument "base64" must be base64.'],
    ['get_image', {}, 'The argument "id" must be a number.'],
  ];
  it('say in a sentence which argument is wrong, and what it must be', async () => {
    await withServer(['--write', '--links'], async (client) => {
      for (const [tool, args, sentence] of WRONG) {
        const error = await errorOf(client, tool, args);
        expect(error, tool).to.include(sentence).and.to.include('Nothing was done: call the tool again');
        expect(error, tool).not.to.match(/zod|invalid_type|Invalid input|[{}]/);
      }
    });
  });

  it('say that the service is down, and the server goes on', async () => {
    await withServer(
      [],
      async (client) => {
        for (let tries = 0; tries < 2; tries += 1) {
          expect(await errorOf(client, 'list_tags', {})).to.include('may be down');
        }
      },
      { CATALOG_URL: 'http://127.0.0.1:1/' },
    );
  });

  it('answer each of 200 random calls, and the server goes on', async () => {
    await withServer(['--write', '--links'], async (client) => {
      const names = constantFrom(...READING, 'edit_metadata', 'upload_image', 'make_link');
      const keys = constantFrom('id', 'ids', 'version', 'q', 'tags', 'limit', 'after', 'base64', 'path');
      const values = oneof(jsonValue(), integer({ min: -1, max: 5 }), string({ unit: 'binary' }));
      const calls = asyncProperty(names, dictionary(keys, values), async (name, args) => {
        const { content, isError } = await call(client, name, args);
        expect(content).to.not.deep.equal([]);
        expect(isError === true ? textOf({ content, isError }) : 'no error').to.match(/\S+ \S+/);
      });
      await assert(calls, { numRuns: 200 });
      expect((await client.listTools()).tools).to.have.lengthOf(7);
    });
  });
}
