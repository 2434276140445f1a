import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import Koa, { type Context } from 'koa';
import { fileQuery, QUALITIES, renditionOf } from '../../src/adapters/http/bytes/file-query.ts';
import { RequestError } from '../../src/adapters/http/errors/request-error.ts';
import { readQuery } from '../../src/adapters/http/request/read-query.ts';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import { type Rendition, renditionMediaType } from '../../src/domain/image/rendition.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { NO_SUMMARY } from '../support/fixtures/no-summary.ts';

const SIZES = [16, 64, 320, 3840];
const QUERY = fileQuery(SIZES);
const FITS = 'inside, cover or contain';
const FORMATS = 'jpeg, png, webp, avif or auto';
const BOTH_SIDES = 'inside where width or height is not given';

const koa = new Koa();

/** Of a GET with this `Accept`. */
function context(accept?: string): Context {
  const request = new IncomingMessage(new Socket());
  if (accept !== undefined) request.headers.accept = accept;
  return koa.createContext(request, new ServerResponse(request));
}

function image(facts: Partial<CatalogImage> = {}): CatalogImage {
  return {
    ...newImage({ width: 400, height: 200 }),
    id: 1,
    createdAt: new Date(0),
    createdBy: null,
    ...NO_SUMMARY,
    ...facts,
  };
}

function rendition(query: string, { of = image(), ctx = context() } = {}): ReturnType<typeof renditionOf> {
  return renditionOf(ctx, of, readQuery(query, QUERY));
}

function refusalOf(work: () => unknown): RequestError {
  try {
    work();
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
  return expect.fail('not refused');
}

describe('The query of a rendition', () => {
  it('has every side and quality that is documented', () => {
    for (const side of SIZES) {
      expect(rendition(`width=${side}&height=${side}`)).to.include({ width: side, height: side });
    }
    for (const quality of QUALITIES) {
      expect(rendition(`format=jpeg&quality=${quality}`)).to.include({ quality });
    }
  });

  it('means the same in another order and with explicit defaults', () => {
    for (const query of [
      'width=64&quality=75',
      'quality=75&width=64',
      'fit=inside&width=64',
      'format=jpeg&width=64',
    ]) {
      expect(rendition(query), query).to.deep.equal(rendition('width=64'));
    }
  });

  it('is that of the original if it asks for no other picture', () => {
    for (const query of ['', 'download=true', 'download=false']) {
      expect(rendition(query), query).to.equal(undefined);
    }
  });

  it('has the format of the original by default', () => {
    expect(rendition('width=64')).to.include({ format: 'jpeg' });
    expect(rendition('width=64', { of: image({ mediaType: 'image/png' }) })).to.include({ format: 'png' });
  });

  const REFUSED: ReadonlyArray<readonly [name: string, values: readonly string[], message: string]> = [
    [
      'width',
      ['100', '0', '-64', '064', '64.0', '%2B64', '64px', '', '99999999999999999999', 'constructor'],
      'one of 16, 64, 320, 3840',
    ],
    ['height', ['65', '1e2'], 'one of 16, 64, 320, 3840'],
    ['fit', ['fill', 'INSIDE'], FITS],
    ['format', ['gif', 'jpg', ''], FORMATS],
    ['quality', ['0', '72', '105', '75.0'], `one of ${QUALITIES.join(', ')}`],
    ['download', ['yes'], 'true or false'],
    ['fit', ['cover', 'contain', 'cover&width=64', 'contain&height=64'], BOTH_SIDES],
  ];
  for (const [name, values, message] of REFUSED) {
    it(`is refused if ${name} is not ${message.slice(0, 60)}`, () => {
      for (const value of values) {
        const refusal = refusalOf(() => rendition(`${name}=${value}`));
        expect(refusal.message, value).to.equal(`Query parameter "${name}" must be ${message}`);
      }
    });
  }

  it('is refused with parameters that it does not have, and with one given twice', () => {
    for (const [query, name] of [
      ['w=64', 'w'],
      ['Width=64', 'Width'],
      ['width=64&width=64', 'width'],
    ] as const) {
      expect(refusalOf(() => rendition(query)).message).to.include(`"${name}"`);
    }
  });
});

describe('A rendition that is larger than its format allows', () => {
  const wide = image({ mediaType: 'image/png', width: 20_000, height: 200 });
  const large = image({ mediaType: 'image/png', width: 4_200, height: 4_100 });

  for (const [query, of, limit] of [
    ['format=webp', wide, '16383'],
    ['format=avif', wide, '16383'],
    ['format=webp', large, '16800000'],
    ['format=avif', large, '8300000'],
    ['format=avif&width=3840', large, '8300000'],
  ] as const) {
    it(`is refused with ${query}, naming width and the limit of ${limit}`, () => {
      const { code, message } = refusalOf(() => rendition(query, { of }));

      expect(code).to.equal('invalid_request');
      expect(message).to.include('width').and.include(limit);
    });
  }

  for (const [query, of, format] of [
    ['format=auto', wide, 'png'],
    ['format=auto', large, 'png'],
    ['format=auto&width=3840', large, 'webp'],
  ] as const) {
    it(`has the next format with ${query}: ${format}`, () => {
      const ctx = context('image/avif,image/webp,*/*');

      expect(rendition(query, { of, ctx })).to.include({ format });
    });
  }
});

describe('A rendition with format=auto', () => {
  const ROWS: ReadonlyArray<readonly [accept: string | undefined, mediaType: string]> = [
    [undefined, 'image/jpeg'],
    ['*/*', 'image/jpeg'],
    ['image/*', 'image/jpeg'],
    ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'image/avif'],
    ['image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5', 'image/webp'],
    ['image/webp,*/*', 'image/webp'],
    ['image/avif', 'image/avif'],
    ['image/webp;q=1, image/avif;q=0.1', 'image/avif'],
    ['image/jpeg', 'image/jpeg'],
    ['image/jpeg, image/webp;q=0.2', 'image/webp'],
    ['image/avif;q=0, image/webp', 'image/webp'],
    ['image/avif;q=0, image/webp;q=0, image/*', 'image/jpeg'],
    ['image/*, image/jpeg;q=0', 'image/webp'],
    ['image/*, image/jpeg;q=0, image/webp;q=0', 'image/avif'],
  ];
  for (const [accept, mediaType] of ROWS) {
    it(`is ${mediaType} for a JPEG and Accept: ${accept ?? '(none)'}`, () => {
      const ctx = context(accept);
      const { format } = rendition('width=64&format=auto', { ctx }) as Rendition;

      expect(renditionMediaType(format)).to.equal(mediaType);
      expect(ctx.response.get('Vary')).to.equal('Accept');
    });
  }

  it('is a PNG for a PNG if Accept names no smaller format', () => {
    const ctx = context('image/png,image/*;q=0.8');

    expect(rendition('format=auto', { of: image({ mediaType: 'image/png' }), ctx })).to.include({
      format: 'png',
    });
  });

  for (const accept of [
    'image/png',
    'application/json',
    'text/html',
    'image/*;q=0',
    'image/gif, image/avif;q=0',
  ]) {
    it(`is refused with 406 for a JPEG and Accept: ${accept}`, () => {
      const ctx = context(accept);

      expect(refusalOf(() => rendition('format=auto', { ctx })).code).to.equal('not_acceptable');
      expect(ctx.response.get('Vary')).to.equal('Accept');
    });
  }
});
