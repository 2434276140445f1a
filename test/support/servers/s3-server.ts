import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Location } from '../../../src/adapters/s3/parse-s3-url.ts';
import { skipAloud } from '../skipped/skip-aloud.ts';
import { CephCluster, findCephPrograms } from './ceph-cluster.ts';
import { PROJECT_FOLDER } from './service-process.ts';

/** Where `npm run test:s3-server` puts the programs. */
const FETCHED = join(PROJECT_FOLDER, 'node_modules/.cache/ceph');
const REGION = 'us-east-1';

/** A real S3 server for the tests: the one of the environment, or one that the tests start. */
export class S3Server {
  private readonly client: S3Client;

  constructor(
    readonly endpoint: string,
    /** The environment variables with the credentials. */
    readonly environment: Readonly<Record<string, string>>,
    /** The cluster that the tests have started; `undefined` for another server, which must not be killed. */
    readonly cluster: CephCluster | undefined,
  ) {
    Object.assign(process.env, environment);
    this.client = new S3Client({
      endpoint,
      region: REGION,
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
    });
  }

  async makeBucket(): Promise<S3TestBucket> {
    const name = `image-catalog-${randomUUID()}`;
    await this.client.send(new CreateBucketCommand({ Bucket: name }));
    return {
      name,
      location: this.locationOf(name),
      url: this.urlOf(name),
      remove: async () => await this.removeBucket(name),
    };
  }

  locationOf(bucket: string, prefix = 'catalog/'): S3Location {
    return {
      bucket,
      prefix,
      endpoint: this.endpoint,
      region: REGION,
      forcePathStyle: true,
      checksums: 'required',
    };
  }

  /** For `BLOB_STORE_URL`. */
  urlOf(bucket: string): string {
    return `s3://${bucket}/catalog?endpoint=${encodeURIComponent(this.endpoint)}&region=${REGION}&forcePathStyle=true`;
  }

  private async removeBucket(name: string): Promise<void> {
    // A server that the tests have started is removed as a whole.
    if (this.cluster !== undefined) return;
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.client }, { Bucket: name })) {
      await Promise.all(
        Contents.map(({ Key }) => this.client.send(new DeleteObjectCommand({ Bucket: name, Key }))),
      );
    }
    await this.client.send(new DeleteBucketCommand({ Bucket: name }));
  }
}

export interface S3TestBucket {
  readonly name: string;
  readonly location: S3Location;
  /** For `BLOB_STORE_URL`. */
  readonly url: string;
  readonly remove: () => Promise<void>;
}

let starting: Promise<S3Server | undefined> | undefined;

/** The one S3 server of this run; `undefined` if none is available. */
export async function sharedS3Server(): Promise<S3Server | undefined> {
  starting ??= start();
  return await starting;
}

/** The same server, started by the first test that needs it. Skips the test with a message if none is available. */
export async function s3ServerFor(test: Mocha.Context): Promise<S3Server> {
  return (
    (await sharedS3Server()) ??
    skipAloud(test, 'no S3 server: run "npm run test:s3-server" once, or set S3_TEST_ENDPOINT')
  );
}

async function start(): Promise<S3Server | undefined> {
  const { S3_TEST_ENDPOINT: endpoint, S3_TEST_PREFIX: prefix } = process.env;
  if (endpoint !== undefined && endpoint !== '') return new S3Server(endpoint, namedCredentials(), undefined);
  const programs = findCephPrograms(prefix ?? FETCHED) ?? findCephPrograms('');
  if (programs === undefined) return undefined;
  const cluster = await CephCluster.start(programs);
  const { accessKeyId, secretAccessKey } = cluster;
  const credentials = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  return new S3Server(cluster.endpoint, credentials, cluster);
}

function namedCredentials(): Readonly<Record<string, string>> {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
