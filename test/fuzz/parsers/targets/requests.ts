import { bearerToken, decodeToken } from '../../../../src/adapters/http/auth/bearer-token.ts';
import { fileQuery } from '../../../../src/adapters/http/bytes/file-query.ts';
import { parseRange } from '../../../../src/adapters/http/bytes/parse-range.ts';
import { RequestError } from '../../../../src/adapters/http/errors/request-error.ts';
import { cursorsOf, listingOf, listQuery } from '../../../../src/adapters/http/listing/list-query.ts';
import { editBody, metadataPatch } from '../../../../src/adapters/http/metadata/metadata-body.ts';
import { ListCursors } from '../../../../src/adapters/http/paging/list-cursors.ts';
import { parseJson } from '../../../../src/adapters/http/request/parse-json.ts';
import { readQuery } from '../../../../src/adapters/http/request/read-query.ts';
import { hasTag, matches } from '../../../../src/adapters/http/request/validators.ts';
import { parseTraceParent } from '../../../../src/adapters/http/telemetry/trace-parent.ts';
import { InvalidMetadata } from '../../../../src/domain/errors.ts';
import { checkPatch } from '../../../../src/domain/image/check-patch.ts';
import { editMetadata } from '../../../../src/domain/image/edit-metadata.ts';
import { NO_METADATA } from '../../../../src/domain/image/image-metadata.ts';
import { checkEdit } from '../../../../src/domain/image/metadata-edit.ts';
import { renditionIn, requestedRendition } from '../../../../src/domain/image/rendition.ts';
import { Shuffle } from '../../../../src/domain/image/shuffle.ts';
import { linkedFileName, parseLinkedFile } from '../../../../src/domain/link/linked-file.ts';
import type { SearchPlace } from '../../../../src/domain/ports/records/image-search.ts';
import { COMMON_SPACE } from '../../../../src/domain/space/space.ts';
import { newImage } from '../../../support/fixtures/new-image.ts';
import { declaring, guarantee, guaranteeSame, type ParserTarget, utf8 } from './parser-target.ts';

const ETAG = `"${'a'.repeat(64)}"`;
const MAX_HEADER = 8 * 1024;

export const headers: ParserTarget = {
  tokens: [
    ...'bytes= 0- -5 , W/ * eyJhbGciOiJub25lIn0. eyJleHAiOjF9.'.split(' '),
    ETAG,
    'Bearer ',
    '\t',
    '00-',
  ],
  seeds: [
    'bytes=0-4',
    `W/${ETAG}, "b"`,
    'Bearer eyJhbGciOiJub25lIn0.eyJleHAiOjF9.YQ',
    `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  ],
  maxBytes: MAX_HEADER,
  sources: ['parse-range.ts', 'validators.ts', 'bearer-token.ts', 'trace-parent.ts'].map(
    (file) => `/${file}`,
  ),
  run: (input) => {
    const text = Buffer.from(input).toString('latin1');
    const size = 1 + (input.length % 3) * 1_000_000;
    checkRange(parseRange(text, size), size);
    hasTag(text, ETAG);
    matches(text, ETAG);
    decodeToken(bearerToken(text) ?? text);
    guarantee((parseTraceParent(text)?.traceId.length ?? 32) === 32, 'a trace id has 32 digits');
  },
};

function checkRange(range: ReturnType<typeof parseRange>, size: number): void {
  if (range === undefined || range === 'unsatisfiable') return;
  const { start, end } = range;
  guarantee(Number.isInteger(start) && Number.isInteger(end), 'a range is exact');
  guarantee(start >= 0 && start <= end && end < size, 'a range is within the blob');
}

export const listing: ParserTarget = {
  tokens: [
    ...'limit= after= sort=taken sort=random order=desc seed= count=true mediaType=image%2Fpng & , + % 0000'.split(
      ' ',
    ),
    ...'q= tags= createdAfter= takenBefore= 2026-01-31T12:00:00.123Z %2B02:00 2024-02-29 %CC%81 %E6%97%A5'.split(
      ' ',
    ),
    `sha256=${'a'.repeat(64)}`,
  ],
  seeds: [
    'limit=5&sort=taken&order=desc&count=true&createdAfter=2026-01-31T12:00:00Z&q=black+cat&tags=tabby,sofa',
    `sort=random&seed=a&mediaType=image/png&sha256=${'A'.repeat(64)}&takenBefore=2026-01-31t12:00:00+02:00`,
  ],
  maxBytes: MAX_HEADER,
  sources: ['/filters.ts', '/list-query.ts', '/list-cursors.ts', '/read-query.ts', '/fold.ts', '/words.ts'],
  run: (input) => {
    const query = declaring([RequestError], () => readQuery(utf8(input), listQuery));
    if (query === undefined) return;
    const { filter, sort } =
      declaring([RequestError], () => listingOf(COMMON_SPACE, query)) ??
      listingOf(COMMON_SPACE, { ...query, after: undefined });
    for (const time of [filter.createdAfter, filter.createdBefore, filter.takenAfter, filter.takenBefore]) {
      guarantee(time === undefined || Number.isFinite(time.getTime()), 'times are valid');
    }
    guarantee(filter.words?.length !== 0 && filter.tags?.length !== 0, 'filters are not empty');
    const place = sort.by === 'random' ? { by: sort.by, power: 3, position: 2 } : placeBy(sort.by);
    guaranteeSame(
      listingOf(COMMON_SPACE, { ...query, after: cursorsOf(COMMON_SPACE, query).encode(place) }).after,
      place,
      'a cursor leads back',
    );
  },
};

function placeBy(by: 'created' | 'taken') {
  return by === 'created' ? { by, id: 7 } : { by, time: -1, id: 7 };
}

/** The input is the place; clients can make the digest, too. */
export const cursor: ParserTarget = {
  tokens: ['t-1.', 'r53.', 'r0.', '.', '999999999999999', '-', '\n'],
  seeds: ['5', 't-1.5', 'r3.2'],
  maxBytes: 1_000,
  sources: ['/list-cursors.ts', '/shuffle.ts'],
  run: (input) => {
    const cursors = new ListCursors(['all']);
    const decode = (text: string): SearchPlace | undefined =>
      (['created', 'taken', 'random'] as const)
        .map((by) => declaring([RequestError], () => cursors.decode(text, by)))
        .find((found) => found !== undefined);
    const made = Buffer.from(cursors.encode({ by: 'created', id: 1 }), 'base64url').subarray(1);
    const place = decode(Buffer.concat([input, made]).toString('base64url'));
    decode(Buffer.from(input).toString('latin1'));
    if (place === undefined) return;
    guaranteeSame(decode(cursors.encode(place)), place, 'a place is canonical');
    if (place.by !== 'random' || place.power > 53) return;
    const shuffle = new Shuffle('seed', place.power);
    const position = place.position % shuffle.size;
    guarantee(shuffle.positionOf(shuffle.at(position)) === position, 'a shuffle can be undone');
  },
};

const SIZES = [320, 640, 1280];
const FILE_QUERY = fileQuery(SIZES);

export const rendition: ParserTarget = {
  tokens: 'width=320 height=640 fit=cover format=auto format=png quality=80 download=true & %00'.split(' '),
  seeds: ['width=320&height=640&fit=contain&format=webp&quality=80&download=false', 'format=auto'],
  maxBytes: MAX_HEADER,
  sources: ['/file-query.ts', '/rendition.ts', '/linked-file.ts', '/read-query.ts'],
  run: (input) => {
    const query = declaring([RequestError], () => readQuery(utf8(input), FILE_QUERY));
    if (query === undefined) return;
    const { format, ...others } = query;
    const image = { ...newImage(), focus: { x: 0.5, y: 0.125 } };
    const made =
      format === 'auto' ? renditionIn('webp', others) : requestedRendition(image, { ...others, format });
    const name = linkedFileName({ rendition: made, isDownload: query.download === 'true' });
    const parsed = parseLinkedFile(name);
    guarantee(parsed !== undefined && linkedFileName(parsed) === name, 'a link can name each rendition');
  },
};

const JSON_TOKENS = [...'{ } [ ] " : , null 1e400 e\u0301'.split(' '), '\\u0000', '\\ud800'];

export const patch: ParserTarget = {
  tokens: [
    ...'"title": "description": "tags": "takenAt": "2026-01-31T12:00:00+02:00" "focus":{"x":0.5,"y":0.125} \\r\\n'.split(
      ' ',
    ),
    ...JSON_TOKENS,
  ],
  seeds: [
    '{"title":"Cat","description":"a\\r\\nb","tags":["Tabby","tabby"],"takenAt":"2026-01-31T12:00:00+02:00","focus":{"x":0.5,"y":1}}',
    '{"title":null,"description":null,"tags":null,"takenAt":null}',
  ],
  maxBytes: 8 * 1024,
  sources: [
    '/metadata-body.ts',
    '/parse-json.ts',
    '/image-metadata.ts',
    '/capture-time.ts',
    '/tags.ts',
    '/focus.ts',
  ],
  run: (input) => {
    const checked = declaring([RequestError, InvalidMetadata], () =>
      checkPatch(parseJson(input, metadataPatch)),
    );
    if (checked !== undefined) guaranteeSame(checkPatch(checked), checked, 'checked values are canonical');
  },
};

const DATED = { ...NO_METADATA, tags: ['Tabby'], ownTakenAt: '2026-01-31T12:00:00.000+02:00' };

export const edit: ParserTarget = {
  tokens: [
    ...'"ids":[1] "addTags": "removeTags": "shiftTaken": -P1DT1H30M PT +P36500D'.split(' '),
    ...JSON_TOKENS,
  ],
  seeds: [
    '{"ids":[1,2],"addTags":["cat"],"removeTags":["TABBY"],"title":"a","description":null,"shiftTaken":"-P1DT1H30M"}',
  ],
  maxBytes: 8 * 1024,
  sources: ['/metadata-body.ts', '/parse-json.ts', '/metadata-edit.ts', '/image-ids.ts', '/tags.ts'],
  run: (input) => {
    declaring([RequestError, InvalidMetadata], () => {
      const checked = checkEdit(parseJson(input, editBody));
      const { title, description, tags, ownTakenAt } = editMetadata(DATED, checked);
      guaranteeSame(
        checkPatch({ title, description, tags, takenAt: ownTakenAt }),
        { title, description, tags, takenAt: ownTakenAt },
        'edited values are canonical',
      );
    });
  },
};
