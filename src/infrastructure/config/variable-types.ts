import * as z from 'zod';
import { isSentHeader } from '../../adapters/http/response/is-sent-header.ts';
import { formatOf } from '../../domain/image/format-of.ts';
import { INPUT_FORMATS, MEDIA_TYPES } from '../../domain/image/media-type.ts';
import { DEFAULT_QUALITY, type Rendition, type RenditionFormat } from '../../domain/image/rendition.ts';
import { parsedText } from './parsed-text.ts';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A URL as it is written. */
function url(isRight: (parsed: URL, text: string) => boolean, message: string): z.ZodType<string, string> {
  return z.string().refine((text) => URL.canParse(text) && isRight(new URL(text), text), message);
}

function isHttp({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname));
}

/** Paths are appended to it. */
function isBase(text: string): boolean {
  return text.endsWith('/') && !/[?#]/.test(text);
}

const LOOPBACK_ONLY = '(http is for loopback hosts only)';

export const secureUrl = url(
  isSecure,
  `must be an https URL such as https://tenant.example.com/keys ${LOOPBACK_ONLY}`,
);

/**
 * A URL that every reader of an environment file takes as it is written. `URL` alone drops line feeds, and percent-encodes quotes
 * and other characters.
 */
export const plainUrl = z
  .string()
  .regex(
    /^[\w:/?[\]@!&()*+,;=.~%-]+$/,
    'must be a URL without spaces, control characters, quotes, backslashes, dollar signs and fragments',
  );

/** Collectors are often reached without TLS, beside the service. */
export const collector = url(isHttp, 'must be an http or https URL such as http://127.0.0.1:4318');

/** Entra ID writes `{tenantid}` into the discovery document of `common`. The claim `iss` has the id of a tenant instead. */
function namesTenant(text: string): boolean {
  return !/[{}]|%7[bd]/i.test(text);
}

const NAMES_TENANT =
  'must name the tenant: replace the braces and what stands in them by its id, as in the claim iss of its tokens';

export const idpDomain = url(
  (parsed, text) => isSecure(parsed) && isBase(text),
  `must be an https URL with a slash at its end, as in https://tenant.example.com/ ${LOOPBACK_ONLY}`,
).refine(namesTenant, NAMES_TENANT);

export const idpIssuer = z.string().refine(namesTenant, NAMES_TENANT);

export const publicUrl = url(
  (parsed, text) => isHttp(parsed) && isBase(text) && parsed.username + parsed.password === '',
  'must be an http or https URL with a slash at its end, without user, query and fragment, as in https://images.example.com/',
).transform((text) => new URL(text).href);

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

function withCommas(text: string): readonly string[] {
  return text.split(',').map((item) => item.trim());
}

function withSpaces(text: string): readonly string[] {
  return text.trim().split(/ +/);
}

/** Each of them once. */
function words(text: string): readonly string[] {
  return [...new Set(text.split(/[ ,]+/).filter((word) => word !== ''))];
}

/** The message is one for all items, because it names none of them. */
function list<T>(
  split: (text: string) => readonly string[],
  items: z.ZodType<readonly T[]>,
  message: string,
): z.ZodType<readonly T[], string> {
  return parsedText((text) => items.safeParse(split(text)).data, message);
}

const ORIGINS = 'must be * or origins such as https://app.example.com, separated by commas';

// Wildcards have no meaning in an origin: an asterisk would be a host name that never matches.
const origin = url((parsed, text) => parsed.origin === text && !text.includes('*'), ORIGINS);

export const origins = z
  .union([z.literal('*'), list(withCommas, z.array(origin), ORIGINS)], ORIGINS)
  .default('*');

const CONNECT_ORIGINS = `must be origins such as https://auth.example.com, separated by spaces ${LOOPBACK_ONLY}`;

/** Hosts of URLs may have semicolons, which would end the directive of the policy. */
const connectOrigin = url(
  (parsed, text) => isSecure(parsed) && parsed.origin === text && /^[\w:/.[\]-]+$/.test(text),
  CONNECT_ORIGINS,
);

export const connectOrigins = list(withSpaces, z.array(connectOrigin), CONNECT_ORIGINS);

/** RFC 8707, section 2: an absolute URI without a fragment. */
export const resource = url(
  (_parsed, text) => /^[\x21\x22\x24-\x7e]+$/.test(text),
  'must be an absolute URI without a fragment, such as https://images.example.com/ or urn:example:images',
);

/** A proxy may drop headers with other characters. */
export const tagHeader = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header such as Cache-Tag, Surrogate-Key or xkey')
  .refine((name) => !isSentHeader(name), 'must not be a header that the service itself sends');

const DEFAULT_SIZES = '16,32,48,64,96,128,256,320,384,480,640,750,828,1080,1200,1920,2048,3840';

/** Largest side in pixels of a WebP file (https://developers.google.com/speed/webp/faq). */
const MAX_SIZE = 16_383;

export const sizes = list(
  words,
  z.array(integer(1, MAX_SIZE)).min(1),
  `must be whole numbers from 1 to ${MAX_SIZE}, separated by commas`,
)
  .transform((sides) => sides.toSorted((a, b) => a - b))
  .prefault(DEFAULT_SIZES);

const RENDITIONS = 'must be renditions such as 320:webp, separated by commas, or empty for none';

/** `<width>:<format>` */
const rendition = z
  .string()
  .regex(/^[1-9]\d{0,4}:(?:jpeg|png|webp|avif)$/, RENDITIONS)
  .transform((text): Rendition & { readonly width: number } => {
    const [width, format] = text.split(':');
    return {
      width: Number(width),
      fit: 'inside',
      format: format as RenditionFormat,
      quality: DEFAULT_QUALITY,
    };
  });

export const prerendered = list(words, z.array(rendition), RENDITIONS);

/** In the order of the domain. */
export const inputFormats = list(
  withCommas,
  z.array(z.enum(INPUT_FORMATS)),
  `must be some of ${INPUT_FORMATS.join(', ')}, separated by commas`,
)
  .transform((formats) => MEDIA_TYPES.filter((type) => formats.includes(formatOf(type))))
  .prefault('jpeg,png');

const MAX_WEBHOOKS = 10;

const WEBHOOKS = `must be at most ${MAX_WEBHOOKS} http or https URLs without a fragment, separated by commas`;

const webhookUrl = url(
  (parsed, text) => isHttp(parsed) && !text.includes('#') && isEncoded(parsed.username + parsed.password),
  WEBHOOKS,
);

/** As they are written: each is the name of an endpoint. Messages do not repeat them, because they may hold a password. */
export const webhookUrls = list(withCommas, z.array(webhookUrl).max(MAX_WEBHOOKS), WEBHOOKS).refine(
  (urls) => new Set(urls).size === urls.length,
  'must not name a URL twice',
);

function isEncoded(text: string): boolean {
  return succeeds(() => decodeURIComponent(text));
}

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

const SECRETS =
  'must be secrets of whsec_ and the base64 of 24 to 64 bytes, separated by spaces; groups of several endpoints by commas';

const secret = z.string().refine(isWebhookSecret, SECRETS);

/** Standard Webhooks 1.0, "Signature scheme". One group for all endpoints, or one for each. */
export const webhookSecrets = list(withCommas, z.array(list(withSpaces, z.array(secret), SECRETS)), SECRETS);

function isWebhookSecret(text: string): boolean {
  const [, base64 = ''] = /^whsec_(.+)$/.exec(text) ?? [];
  const bytes = Buffer.from(base64, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64;
}

/** RFC 6749, section 3.3. */
const scopeToken = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be one scope, without spaces');

export const scope = scopeToken.optional();

/** RFC 7519, section 4: any text. With a slash at its begin it is a JSON Pointer (RFC 6901). */
export const claimName = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'must be the name of a claim, without control characters')
  .refine(
    (text) => !text.startsWith('/') || /^(?:[^~]|~[01])*$/.test(text),
    'begins with a slash, so it must be a JSON Pointer such as /o/id: write ~0 for ~ and ~1 for / in a name',
  );

/** RFC 6749, section 3.3. OpenID Connect requires `openid`. */
export const openIdScope = list(
  withSpaces,
  z.array(scopeToken).refine((tokens) => tokens.includes('openid')),
  'must be scopes separated by spaces, with openid among them',
).transform((tokens) => tokens.join(' '));

/** RFC 6749, appendix A.1. */
export const clientId = z.string().regex(/^[\x20-\x7e]+$/, 'must be printable ASCII characters');

export const title = z
  .string()
  .regex(/^\P{Cc}{1,40}$/u, 'must be 1 to 40 characters, without control characters');

/** systemd.exec(5), "StateDirectory": absolute paths with colons between them. The first one is the state of the service. */
export const stateFolder = z
  .string()
  .transform((paths) => paths.split(':').find((path) => path.startsWith('/')));

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
  return succeeds(() => new Intl.DateTimeFormat('en-US', { timeZone: name }));
}

const portNumber = integer(0, 65_535);

/** https://kubernetes.io/docs/tutorials/services/connect-applications-service/#environment-variables */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\/[\w.:[\]-]{1,100}$/;

export const port = z.string().transform((text, check): number => {
  const { success, data, error } = portNumber.safeParse(text);
  if (success) return data;
  const message = String(error.issues[0]?.message);
  const link = `${message}, and is ${text}: Kubernetes sets it for a Service of that name. Set enableServiceLinks: false in the pod`;
  check.addIssue({ code: 'custom', message: SERVICE_LINK.test(text) ? link : message });
  return z.NEVER;
});

export function oneOf<Word extends string>(...words: readonly Word[]) {
  return z.enum(words, `must be one of ${words.join(', ')}`);
}

export const logLevel = oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent');

/** Whether it is the first of two words. */
export function isFirstOf(first: string, second: string) {
  return oneOf(first, second).transform((word) => word === first);
}
