import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import type * as z from 'zod';
import type { LinksOptions } from '../../client/src/catalog-client.ts';
import type { ImageRecord } from '../../client/src/image-record.ts';
import type { LinkRendition, ListQuery, Rendition } from '../../client/src/queries.ts';
import type { FileQuerySchema } from '../../src/adapters/http/bytes/file-query.ts';
import type { LinksBodySchema } from '../../src/adapters/http/links/links-body.ts';
import type { listQuery } from '../../src/adapters/http/listing/list-query.ts';
import type { ImageView } from '../../src/adapters/http/record/image-view.ts';

const MAX_GZIPPED_BYTES = 6 * 1024;

/** Compiles only if both have the same fields, nested ones included. */
type SameFields<Client, Service> = [FieldsOf<Client>, FieldsOf<Service>] extends [
  FieldsOf<Service>,
  FieldsOf<Client>,
]
  ? true
  : {
      readonly onlyInClient: Exclude<FieldsOf<Client>, FieldsOf<Service>>;
      readonly missing: Exclude<FieldsOf<Service>, FieldsOf<Client>>;
    };

/** `a`, `b`, `b.c`, …; elements of arrays are not looked into. */
type FieldsOf<T> = {
  [Name in keyof T & string]-?: NonNullable<T[Name]> extends
    | readonly unknown[]
    | string
    | number
    | boolean
    | Date
    ? Name
    : Name | `${Name}.${FieldsOf<NonNullable<T[Name]>>}`;
}[keyof T & string];

type FileQueryInput = z.input<FileQuerySchema>;
type LinksInput = z.input<LinksBodySchema>;
type LinkInput = NonNullable<LinksInput['renditions']>[number];
type ListQueryInput = z.input<typeof listQuery>;

describe('the types of the client', () => {
  it('are those of the service', () => {
    const record: SameFields<ImageRecord, ImageView> = true;
    const rendition: SameFields<Rendition, Omit<FileQueryInput, 'download'>> = true;
    const list: SameFields<ListQuery, Omit<ListQueryInput, 'count'>> = true;
    const link: SameFields<LinkRendition, LinkInput> = true;
    const links: SameFields<Omit<LinksOptions, 'signal'>, Omit<LinksInput, 'ids'>> = true;

    expect([record, rendition, list, link, links]).to.deep.equal([true, true, true, true, true]);
  });

  it('accept what the service sends', () => {
    const read = (view: Omit<ImageView, 'mediaType'>): Omit<ImageRecord, 'mediaType'> => view;

    expect(read).to.be.a('function');
  });

  it('allow the values that the service takes', () => {
    const formats = (format: NonNullable<Rendition['format']>): FileQueryInput['format'] => format;
    const orders = (order: NonNullable<ListQuery['order']>): ListQueryInput['order'] => order;

    expect([formats('auto'), orders('desc')]).to.deep.equal(['auto', 'desc']);
  });
});

describe('the package of the client', () => {
  it(`has at most ${MAX_GZIPPED_BYTES} bytes in a page, minified and compressed`, async () => {
    const { outputFiles } = await build({
      entryPoints: [pathOf('src/browser.ts')],
      bundle: true,
      format: 'esm',
      minify: true,
      target: 'es2022',
      write: false,
    });
    const [bundle] = outputFiles;
    const bytes = gzipSync(bundle?.contents ?? '', { level: 9 }).length;

    console.log(`      ${bytes} bytes`);
    expect(bytes).to.be.within(1, MAX_GZIPPED_BYTES);
  });

  it('depends on no other package', async () => {
    const manifest = JSON.parse(await readFile(pathOf('package.json'), 'utf8')) as object;

    expect(manifest).to.not.have.any.keys('dependencies', 'peerDependencies', 'optionalDependencies');
  });

  it('uses nothing of Node.js in a page', async () => {
    const { metafile } = await build({
      entryPoints: [pathOf('src/browser.ts')],
      bundle: true,
      metafile: true,
      platform: 'browser',
      format: 'esm',
      write: false,
    });

    expect(Object.keys(metafile.inputs).filter((path) => !path.startsWith('client/src/'))).to.deep.equal([]);
  });
});

function pathOf(path: string): string {
  return fileURLToPath(new URL(`../../client/${path}`, import.meta.url));
}
