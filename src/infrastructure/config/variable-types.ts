import * as z from 'zod';
import { isSentHeader } from '../../adapters/http/response/is-sent-header.ts';
import { formatOf } from '../../domain/image/format-of.ts';
import { INPUT_FORMATS, MEDIA_TYPES } from '../../domain/image/media-type.ts';
import { DEFAULT_QUALITY, type Rendition, type RenditionFormat } from '../../domain/image/rendition.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be a URL such as https://tenant.example.com/';
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname)) return undefined;
  return 'must be an https URL (http is for loopback hosts only)';
}

export const secureUrl = z.string().superRefine((text, check) => {
  const problem = urlProblem(text);
  if (problem !== undefined) check.addIssue({ code: 'custom', message: problem });
});

/** Collectors are often reached without TLS, beside the service. */
export const collector = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http or https URL such as http://127.0.0.1:4318',
  );

export const idpDomain = secureUrl.refine(
  (text) => !URL.canParse(text) || (text.endsWith('/') && !/[?#]/.test(text)),
  'must end with a slash, as in https://tenant.example.com/',
);

/** An address to which paths are appended. */
export const publicUrl = z
  .string()
  .refine(
    isPublicUrl,
    'must be an http or https URL with a slash at its end, without user, query and fragment, as in https://images.example.com/',
  )
  .transform((text) => new URL(text).href);

function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text) || !text.endsWith('/') || /[?#]/.test(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

/** `Number` alone also accepts '', ' 1 ', '1e3' and '0x10'. */
export function integer(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** In seconds; the setting is in ms. */
export function seconds(min: number, max: number, usual: number): z.ZodType<number> {
  return inMs(integer(min, max).default(usual), 1000);
}

export const DAY_MS = 24 * 60 * 60_000;

/** In days; the setting is in ms. */
export function days(min: number, max: number, usual: number): z.ZodType<number> {
  return inMs(integer(min, max).default(usual), DAY_MS);
}

function inMs(type: z.ZodType<number>, unitMs: number): z.ZodType<number> {
  return type.transform((value) => value * unitMs);
}

export const origins = z
  .string()
  .default('*')
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine(
    (list) => list.every((origin) => (origin === '*' ? list.length === 1 : isOrigin(origin))),
    'must be * or origins such as https://app.example.com, separated by commas',
  )
  .transform((list): '*' | readonly string[] => (list[0] === '*' ? '*' : list));

function isOrigin(text: string): boolean {
  // Wildcards have no meaning in an origin: an asterisk would be a host name that never matches.
  return URL.canParse(text) && new URL(text).origin === text && !text.includes('*');
}

/** A proxy may drop headers with other characters. */
export const tagHeader = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header such as Cache-Tag, Surrogate-Key or xkey')
  .refine((name) => !isSentHeader(name), 'must not be a header that the service itself sends');

const DEFAULT_SIZES = '16,32,48,64,96,128,256,320,384,480,640,750,828,1080,1200,1920,2048,3840';

/** Largest side in pixels of a WebP file (https://developers.google.com/speed/webp/faq). */
const MAX_SIZE = 16_383;

export const sizes = z
  .string()
  .default(DEFAULT_SIZES)
  .transform((text) => text.split(/[ ,]+/).filter((size) => size !== ''))
  .refine(
    (list) =>
      list.length > 0 && list.every((size) => /^[1-9]\d{0,4}$/.test(size) && Number(size) <= MAX_SIZE),
    `must be whole numbers from 1 to ${MAX_SIZE}, separated by commas`,
  )
  .transform((list) => [...new Set(list.map(Number))].sort((a, b) => a - b));

const PRERENDERED = /^([1-9]\d{0,4}):(jpeg|png|webp|avif)$/;

/** Each is `<width>:<format>`. The empty text names none. */
export const prerendered = z
  .string()
  .transform((text) => [...new Set(text.split(/[ ,]+/).filter((part) => part !== ''))])
  .refine(
    (list) => list.every((part) => PRERENDERED.test(part)),
    'must be renditions such as 320:webp, separated by commas, or empty for none',
  )
  .transform((list) => list.map(renditionOf));

function renditionOf(text: string): Rendition & { readonly width: number } {
  const [, width, format] = PRERENDERED.exec(text) ?? [];
  return { width: Number(width), fit: 'inside', format: format as RenditionFormat, quality: DEFAULT_QUALITY };
}

/** In the order of the domain. */
export const inputFormats = z
  .string()
  .default('jpeg,png')
  .transform((text) => text.split(',').map((format) => format.trim()))
  .refine(
    (list) => list.every((format) => INPUT_FORMATS.some((known) => known === format)),
    `must be some of ${INPUT_FORMATS.join(', ')}, separated by commas`,
  )
  .transform((list) => MEDIA_TYPES.filter((type) => list.includes(formatOf(type))));

const MAX_WEBHOOKS = 10;

/** As they are written: each is the name of an endpoint. Messages do not repeat them, because they may hold a password. */
export const webhookUrls = z
  .string()
  .transform((text) => text.split(',').map((url) => url.trim()))
  .refine(
    (urls) => urls.length <= MAX_WEBHOOKS && urls.every(isWebhookUrl),
    `must be at most ${MAX_WEBHOOKS} http or https URLs without a fragment, separated by commas`,
  )
  .refine((urls) => new Set(urls).size === urls.length, 'must not name a URL twice');

function isWebhookUrl(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && isEncoded(username + password);
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** Standard Webhooks 1.0, "Signature scheme". One group for all endpoints, or one for each. */
export const webhookSecrets = z
  .string()
  .transform((text) => text.split(',').map((group) => group.split(' ').filter((secret) => secret !== '')))
  .refine(
    (groups) => groups.every((group) => group.length > 0 && group.every(isWebhookSecret)),
    'must be secrets of whsec_ and the base64 of 24 to 64 bytes, separated by spaces; groups of several endpoints by commas',
  );

function isWebhookSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_(.+)$/.exec(text) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  return length >= 24 && length <= 64 && Buffer.from(base64, 'base64').toString('base64') === base64;
}

/** RFC 6749, section 3.3. */
export const scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be one scope, without spaces')
  .optional();

/** RFC 7519, section 4: any text. */
export const claimName = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must be the name of a claim, without control characters');

/** RFC 6749, section 3.3: separated by spaces. OpenID Connect requires `openid`. */
export const openIdScope = z
  .string()
  .transform((text) => text.split(' ').filter((token) => token !== ''))
  .refine(
    (tokens) => tokens.every((token) => scope.safeParse(token).success) && tokens.includes('openid'),
    'must be scopes separated by spaces, with openid among them',
  )
  .transform((tokens) => tokens.join(' '));

/** RFC 6749, appendix A.1. */
export const clientId = z.string().regex(/^[\x20-\x7e]+$/, 'must be printable ASCII characters');

export const title = z
  .string()
  .regex(/^\P{Cc}{1,40}$/u, 'must be 1 to 40 characters, without control characters');

/** Strict, so that a misspelt `true` is an error and not `false`. */
export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true');

/** `listen` has the option in Node.js 22.12 and later. Elsewhere than on Linux, the kernel does not share connections out. */
export const reusePort = flag.refine(
  (isOn) => !isOn || canReusePorts(process.platform, process.versions.node),
  'must be false here: several processes on one port need Linux and Node.js 22.12 or later',
);

export function canReusePorts(platform: string, version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return platform === 'linux' && (major > 22 || (major === 22 && minor >= 12));
}

/** Only characters without a special meaning in URIs and in nginx's configuration. */
export const internalPrefix = z
  .string()
  .regex(
    /^(?!\/api\/)(?:\/[\w-][\w.-]*)+\/$/,
    'must be a path with a slash at both ends that is not of the API, as in /_blobs/',
  )
  .optional();

/** An IANA name. An offset such as +02:00 knows no summer time. */
export const timeZone = z
  .string()
  .refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), 'must be an IANA name such as Europe/Berlin');

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export const port = integer(0, 65_535);

export function oneOf<Word extends string>(...words: readonly Word[]) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

export const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent');

/** Whether it is the first of two words. */
export function isFirstOf(first: string, second: string) {
  return oneOf(first, second).transform((word) => word === first);
}
