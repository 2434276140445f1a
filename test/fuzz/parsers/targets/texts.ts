import { EntryNames } from '../../../../src/domain/archive/entry-names.ts';
import { InvalidMetadata, InvalidOriginalName } from '../../../../src/domain/errors.ts';
import { parseTags } from '../../../../src/domain/image/check-patch.ts';
import { originalFileName } from '../../../../src/domain/image/original-file-name.ts';
import { parseOriginalName } from '../../../../src/domain/image/parse-original-name.ts';
import { renditionFileName } from '../../../../src/domain/image/rendition.ts';
import { Calendar } from '../../../../src/domain/image/time/calendar.ts';
import { cameraTime } from '../../../../src/domain/image/time/camera-time.ts';
import { formatCaptureTime } from '../../../../src/domain/image/time/capture-time.ts';
import { formatPeriod } from '../../../../src/domain/image/time/format-period.ts';
import { parseCaptureTime } from '../../../../src/domain/image/time/parse-capture-time.ts';
import { utf8Length } from '../../../../src/domain/image/utf8-length.ts';
import { changedTags } from '../../../../src/domain/image/words/changed-tags.ts';
import { fold } from '../../../../src/domain/image/words/fold.ts';
import { keywordTags } from '../../../../src/domain/image/words/tags.ts';
import { indexWords, searchWords } from '../../../../src/domain/image/words/words.ts';
import { newImage } from '../../../support/fixtures/new-image.ts';
import { declaring, guarantee, guaranteeSame, type ParserTarget, utf8 } from './parser-target.ts';

const LETTERS = 'ß ﷺ ½ e\u0301 \u0301 İ ς ł 日本 がㇰ 한 \u{1f408} \ufeff \u0085 ǅ'.split(' ');

/** One tag a line. */
export const tags: ParserTarget = {
  tokens: [...LETTERS, ',', '\n', ' ', '\0'],
  seeds: ['Tabby\ntabby\nBlack cat\nstraße'],
  maxBytes: 8 * 1024,
  sources: ['/tags.ts', '/fold.ts', '/image-metadata.ts'],
  run: (input) => {
    const lines = utf8(input).split('\n');
    const ofFile = keywordTags(lines);
    guaranteeSame(parseTags(ofFile, 'tags'), ofFile, 'keywords become tags');
    const given = declaring([InvalidMetadata], () => parseTags(lines, 'tags'));
    if (given === undefined) return;
    guaranteeSame(parseTags(given, 'tags'), given, 'tags are canonical');
    guarantee(changedTags(given, { add: [], remove: given }).length === 0, 'tags can be removed');
    guaranteeSame(changedTags(given, { add: given.map(fold), remove: [] }), given, 'a twin changes nothing');
  },
};

export const words: ParserTarget = {
  tokens: [...LETTERS, 'IMG_2041.JPG', 'camelCase', '1a', ' '],
  seeds: ['Black CAT 日本語の猫 IMG_2041.jpg straße 한국어'],
  maxBytes: 8 * 1024,
  sources: ['/words.ts', '/fold.ts'],
  run: (input) => {
    const text = utf8(input);
    const indexed = [...indexWords([text])];
    // A query has at most 200 characters.
    for (const word of searchWords(Array.from(text).slice(0, 200).join(''))) {
      guarantee(
        word !== '' && word.normalize('NFKD').toLowerCase() === word.normalize('NFKD'),
        'a word is folded',
      );
    }
    if (text.length > 200) return;
    for (const word of searchWords(text)) {
      guarantee(
        indexed.some((known) => known.startsWith(word)),
        'a text finds its image',
      );
    }
  },
};

/** One name a line. */
export const names: ParserTarget = {
  tokens: [...LETTERS, '/', '\\', '..', '.', '.jpg', '.PNG', '\n', '\u0001', ' (2)', ':', 'a'.repeat(100)],
  seeds: ['cat.jpg\nCAT.JPG\ncat (2).jpg\n..\\x.html\nstraße.jpeg\nSTRASSE.jpeg'],
  maxBytes: 4 * 1024,
  sources: ['/original-file-name.ts', '/entry-names.ts'],
  run: (input) => {
    const parsed = utf8(input)
      .split('\n')
      .map((line) => declaring([InvalidOriginalName], () => parseOriginalName(line)));
    const mediaType = input.length % 2 === 0 ? 'image/jpeg' : 'image/png';
    const images = parsed.flatMap((originalName) =>
      originalName === undefined ? [] : [newImage({ originalName, mediaType })],
    );
    const names = new EntryNames();
    const entries = images.map((image) => names.nameOf(image));
    for (const name of [
      ...images.map(originalFileName),
      ...images.map((image) => renditionFileName(image, 'avif')),
      ...entries,
    ]) {
      guarantee(utf8Length(name) <= 255, 'names have at most 255 bytes');
      guarantee(!/[/\\\p{Cc}]/u.test(name) && name !== '..', 'names are no paths');
    }
    for (const name of entries) {
      guarantee(name.normalize('NFC') === name, 'entries are in NFC');
    }
    guarantee(new Set(entries.map((name) => name.toUpperCase())).size === entries.length, 'entries differ');
  },
};

const ZONES = ['UTC', 'Europe/Berlin', 'America/Sao_Paulo', 'Pacific/Apia'].map((zone) => new Calendar(zone));

/** The lines are those of a camera; the first is also one of a client. */
export const times: ParserTarget = {
  tokens: [
    ...'2026-01-31T12:00:00 .123456 Z +14:00 -14:00 0001 9999 -12-31 24 60 \n'.split(' '),
    '2026:01:31 12:00:00',
  ],
  seeds: [
    '2026:01:31 12:00:00\n5\n+02:00\n2026:01:31',
    '2026-01-31T12:00:00.5+02:00',
    '0001-01-01T00:00:00Z',
  ],
  maxBytes: 1_000,
  sources: ['/src/domain/image/time/'],
  run: (input) => {
    const [first = '', originalFraction, originalOffset, gpsDate] = utf8(input).split('\n');
    const gpsTime = [(input[0] ?? 0) % 25, (input[1] ?? 0) % 61, (input[2] ?? 0) / 4];
    const ofCamera = cameraTime({ original: first, originalFraction, originalOffset, gpsDate, gpsTime });
    for (const text of [first, ofCamera ?? '']) {
      const time = parseCaptureTime(text);
      guarantee(text === first || text === '' || time !== undefined, 'a camera time is a time');
      if (time === undefined) continue;
      guaranteeSame(parseCaptureTime(formatCaptureTime(time)), time, 'a time is what it was');
      for (const zone of ZONES) {
        const day = zone.dayOf(zone.instantOf(time));
        guarantee(zone.endOf('day', day) > zone.instantOf(time), 'a day ends behind its times');
        guarantee(/^-?\d+-\d\d-\d\d$/.test(formatPeriod('day', day)), 'a day can be written');
      }
    }
  },
};
