import { z } from 'zod';
import type { S3Location } from '../adapters/s3/s3-location.ts';

/** Where blobs or renditions are kept. */
export type StoreLocation =
  | { readonly kind: 'file'; readonly path: string }
  | ({ readonly kind: 's3' } & S3Location);

/** `file:<path>` or `s3://bucket/prefix?endpoint=…`. */
export const storeUrl = z.string().transform((text, check): StoreLocation => {
  try {
    return text.startsWith('s3:') ? parseS3Url(text) : { kind: 'file', path: parsePath('file', text) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    check.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

/** `file:./data/blobs` is relative to the working directory, `file:///var/lib/x` and `file:/var/lib/x` are not. */
export function pathUrl(scheme: string, example: string): z.ZodType<string, string> {
  return z.string().transform((text, check) => {
    try {
      return parsePath(scheme, text);
    } catch {
      check.addIssue({ code: 'custom', message: `must be ${scheme}:<path>, as in ${example}` });
      return z.NEVER;
    }
  });
}

/** What is wrong with a URL, to be said behind the name of its variable. Never with a password in it. */
class Problem extends Error {}

function parsePath(scheme: string, text: string): string {
  if (!new RegExp(`^${scheme}:(?!//[^/]).`).test(text))
    throw new Problem(
      'must be file:<path>, as in file:./data/blobs, or s3://<bucket>/<prefix>?endpoint=…&region=…',
    );
  return text.slice(scheme.length + 1).replace(/^\/\/(?=\/)/, '');
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Of characters that are safe in keys everywhere; `.` and `..` are not safe in paths. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9!_.*'()-]+)*\/?$/;

function parseS3Url(text: string): StoreLocation {
  if (!URL.canParse(text)) throw new Problem('must be s3://<bucket>/<prefix>?endpoint=…&region=…');
  const { hostname, searchParams, username, password, port, hash } = new URL(text);
  if (username !== '' || password !== '')
    throw new Problem(
      'must have no credentials in it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile',
    );
  if (!BUCKET.test(hostname) || port !== '' || hash !== '')
    throw new Problem(
      'must name a bucket: 3 to 63 lower-case letters, digits, dots and hyphens, as in s3://my-bucket/catalog',
    );
  const path = pathIn(text);
  if (!PATH.test(path))
    throw new Problem(
      "must have a prefix made of letters, digits and !_.*'()-, between single slashes, without . and ..",
    );
  const prefix = path.slice(1).replace(/[^/]$/, '$&/');
  return { kind: 's3', bucket: hostname, prefix, ...parseParameters(searchParams) };
}

/** As it is written: `URL` resolves `..`, and whose blobs are swept must not be a surprise. */
function pathIn(url: string): string {
  return /^s3:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? '';
}

const PARAMETERS = ['endpoint', 'region', 'forcePathStyle', 'checksums'];

function parseParameters(parameters: URLSearchParams): Omit<S3Location, 'bucket' | 'prefix'> {
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name)) throw new Problem(`must have no parameter but ${PARAMETERS.join(', ')}`);
    if (parameters.getAll(name).length > 1) throw new Problem(`must have ${name} no more than once`);
  }
  return {
    endpoint: endpointIn(parameters),
    region: regionIn(parameters),
    forcePathStyle: oneOf(parameters, 'forcePathStyle', ['false', 'true']) === 'true',
    checksums: oneOf(parameters, 'checksums', ['required', 'always']),
  };
}

function endpointIn(parameters: URLSearchParams): string | undefined {
  const text = parameters.get('endpoint');
  if (text === null) return undefined;
  const problem = new Problem('must have an endpoint such as https://s3.example.com');
  if (!URL.canParse(text)) throw problem;
  const { protocol, username, password, search, hash, href } = new URL(text);
  if (!['http:', 'https:'].includes(protocol) || username + password + search + hash !== '') throw problem;
  return href.replace(/\/$/, '');
}

function regionIn(parameters: URLSearchParams): string | undefined {
  const text = parameters.get('region') ?? undefined;
  if (text !== undefined && !/^[a-z0-9-]+$/.test(text))
    throw new Problem('must have a region such as eu-central-1');
  return text;
}

/** The first one where nothing is said. */
function oneOf<const T extends string>(
  parameters: URLSearchParams,
  name: string,
  values: readonly [T, ...T[]],
): T {
  const text = parameters.get(name) ?? values[0];
  const value = values.find((known) => known === text);
  if (value === undefined) throw new Problem(`must have ${name} as one of ${values.join(', ')}`);
  return value;
}
