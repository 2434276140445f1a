import { RequestError } from '../../../../src/adapters/http/errors/request-error.ts';
import { linksBody } from '../../../../src/adapters/http/links/links-body.ts';
import { parseJson } from '../../../../src/adapters/http/request/parse-json.ts';
import { InvalidMetadata } from '../../../../src/domain/errors.ts';
import { parseBlobKey } from '../../../../src/domain/image/blob-key.ts';
import { parsePageTitle } from '../../../../src/domain/image/check-patch.ts';
import { linkExpiry } from '../../../../src/domain/link/link-expiry.ts';
import { linkedFileName, parseLinkedFile } from '../../../../src/domain/link/linked-file.ts';
import {
  pagePath,
  pagePayload,
  parsePage,
  parsePagePayload,
} from '../../../../src/domain/link/shared-page.ts';
import { linkPath, parseLink } from '../../../../src/domain/link/signed-link.ts';
import { namedLinkPath, parseNamedLink } from '../../../../src/domain/link/signed-named-link.ts';
import { newImage } from '../../../support/fixtures/new-image.ts';
import { declaring, guarantee, guaranteeSame, type ParserTarget, utf8 } from './parser-target.ts';

const MAC = 'A'.repeat(43);

/** Paths of links and pages. Each has one spelling. */
export const links: ParserTarget = {
  tokens: [...'d/ n/ s/ / original -download 320xauto-inside-q75.jpg lossless.png -cover- 9'.split(' '), MAC],
  seeds: [
    `d/7/320xauto-inside-q75.jpg/1900000000/${MAC}`,
    `d/7/320x320-cover-500x125-q75.webp/1900000000/${MAC}`,
    `d/7/original-download/1900000000/${MAC}`,
    `n/7/hero.jpg/original/1900000000/${MAC}`,
    `s/AB/1/${MAC}`,
  ],
  maxBytes: 4 * 1024,
  sources: [
    '/linked-file.ts',
    '/signed-link.ts',
    '/signed-named-link.ts',
    '/name.ts',
    '/shared-page.ts',
    '/rendition.ts',
  ],
  run: (input) => {
    const path = utf8(input);
    const [kind, first = '', second = '', third = '', fourth = '', ...more] = path.split('/');
    const link = parseLink({ id: first, fileName: second, expiry: third, mac: fourth });
    if (kind === 'd' && link !== undefined && more.length === 0) {
      guarantee(linkPath(link) === path && Number.isSafeInteger(link.id), 'a link has one spelling');
    }
    const [mac = '', ...rest] = more;
    const named = parseNamedLink({ number: first, name: second, fileName: third, expiry: fourth, mac });
    if (kind === 'n' && named !== undefined && rest.length === 0) {
      guarantee(namedLinkPath(named) === path, 'a link to a name has one spelling');
    }
    const file = parseLinkedFile(second);
    guarantee(file === undefined || linkedFileName(file) === second, 'a rendition has one spelling');
    const page = parsePage({ payload: first, expiry: second, mac: third });
    if (kind === 's' && page !== undefined && path.split('/').length === 4) {
      guarantee(pagePath(page) === path, 'a page has one spelling');
    }
  },
};

const BODY = linksBody([320, 640]);
const UUID = parseBlobKey('01234567-89ab-4def-8123-456789abcdef');
const NOW = new Date('2026-01-31T12:00:00Z');

/** What the body of a request asks for, and the page that is made of it. */
export const page: ParserTarget = {
  tokens:
    '{ } [ ] , "ids":[1] "page":{"title":null} "title":" \u{1f408} 9007199254740991 "ttlSeconds":60'.split(
      ' ',
    ),
  seeds: [
    '{"ids":[1,9007199254740991],"renditions":[{"width":320,"format":"webp"},{}],"ttlSeconds":60,"page":{"title":"Cats"}}',
    '{"names":["hero","a.b_c-1"],"renditions":[{"width":320,"format":"webp","download":true}]}',
  ],
  maxBytes: 8 * 1024,
  sources: ['/links-body.ts', '/image-ids.ts', '/parse-json.ts', '/src/domain/link/'],
  run: (input) => {
    declaring([RequestError, InvalidMetadata], () => {
      const body = parseJson(input, BODY);
      guarantee(
        linkExpiry(NOW, body.ttlSeconds) * 1000 >= NOW.getTime() + body.ttlSeconds * 1000,
        'a link lives',
      );
      const { ids } = body;
      if (body.page === undefined || ids === undefined) return;
      const title = parsePageTitle(body.page.title);
      const images = ids.map((id) => ({ ...newImage({ uuid: UUID }), id, createdAt: NOW }));
      if (ids.some((id) => !Number.isSafeInteger(id))) return;
      const payload = pagePayload(title, images);
      const parsed = parsePagePayload(payload);
      guarantee(parsePage({ payload, expiry: '1', mac: MAC }) !== undefined, 'a page has a short path');
      guaranteeSame(
        [parsed.title, parsed.images.map(({ id }) => id)],
        [title, ids],
        'a page says what it is',
      );
    });
  },
};
