import * as z from 'zod';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
/** Safe in keys everywhere; `.` and `..` are not safe in paths. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9!_.*'()-]+)*\/?$/;

const PARAMETERS = ['endpoint', 'region', 'forcePathStyle', 'checksums'];

const endpoint = z
  .string()
  .refine(isEndpoint, 'must have an endpoint such as https://s3.example.com')
  .transform((text) => (URL.canParse(text) ? new URL(text).href.replace(/\/$/, '') : text));

const parameters = z.strictObject(
  {
    /** Default: AWS in the region. */
    endpoint: endpoint.optional(),
    /** Default: environment or profile. */
    region: z
      .string()
      .regex(/^[a-z0-9-]+$/, 'must have a region such as eu-central-1')
      .optional(),
    /** `https://server/bucket/key` instead of `https://bucket.server/key`. */
    forcePathStyle: z
      .enum(['false', 'true'], 'must have forcePathStyle as one of false, true')
      .default('false')
      .transform((text) => text === 'true'),
    /** `always` also sends a checksum, which some servers refuse or ignore. */
    checksums: z
      .enum(['required', 'always'], 'must have checksums as one of required, always')
      .default('required'),
  },
  {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `must have no parameter but ${PARAMETERS.join(', ')}` : undefined,
  },
);

/** The SDK finds credentials itself: environment, profile, web identity, instance. */
export interface S3Location extends z.output<typeof parameters> {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

/** Parses `s3://<bucket>/<prefix>?endpoint=…`. Adds issues to `check` if invalid. */
export function parseS3Url(text: string, check: z.RefinementCtx): S3Location | undefined {
  const problem = problemOf(text);
  if (problem !== undefined) {
    check.addIssue({ code: 'custom', message: problem });
    return undefined;
  }
  const { hostname, searchParams } = new URL(text);
  const parsed = parameters.safeParse(Object.fromEntries(searchParams));
  if (!parsed.success) {
    for (const { message } of parsed.error.issues) check.addIssue({ code: 'custom', message });
    return undefined;
  }
  const prefix = pathIn(text).slice(1).replace(/[^/]$/, '$&/');
  return { bucket: hostname, prefix, ...parsed.data };
}

function problemOf(text: string): string | undefined {
  if (!URL.canParse(text)) return 'must be s3://<bucket>/<prefix>?endpoint=…&region=…';
  const { hostname, searchParams, username, password, port, hash } = new URL(text);
  if (username !== '' || password !== '') {
    return 'must have no credentials in it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile';
  }
  if (!BUCKET.test(hostname) || port !== '' || hash !== '') {
    return 'must name a bucket: 3 to 63 lower-case letters, digits, dots and hyphens, as in s3://my-bucket/catalog';
  }
  if (!PATH.test(pathIn(text))) {
    return "must have a prefix made of letters, digits and !_.*'()-, between single slashes, without . and ..";
  }
  const repeated = [...searchParams.keys()].find((name) => searchParams.getAll(name).length > 1);
  return repeated === undefined ? undefined : `must have ${repeated} no more than once`;
}

/** The path as it is written: `URL` resolves `..`, and the sweeper must not work on an unexpected prefix. */
function pathIn(url: string): string {
  return /^s3:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? '';
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username + password + search + hash === '';
}
