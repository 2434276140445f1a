import type Router from '@koa/router';
import type { ServiceIdentifier } from 'inversify';
import type { Knex } from 'knex';
import type Koa from 'koa';
import type { LimitFunction } from 'p-limit';
import type { Logger } from 'pino';
import type { BlobStore } from '../domain/ports/blob-store.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ImageInspector } from '../domain/ports/image-inspector.ts';
import type { ImageRepository } from '../domain/ports/image-repository.ts';
import type { StagingArea } from '../domain/ports/staging-area.ts';
import type { UuidGenerator } from '../domain/ports/uuid-generator.ts';
import type { Config } from './config.ts';

/** Names of what has no class of its own to be named by. Typed: a factory that gets the wrong ones does not compile. */
export const TOKENS = {
  config: Symbol.for('Config') as ServiceIdentifier<Config>,
  log: Symbol.for('Logger') as ServiceIdentifier<Logger>,
  knex: Symbol.for('Knex') as ServiceIdentifier<Knex>,
  clock: Symbol.for('Clock') as ServiceIdentifier<Clock>,
  uuids: Symbol.for('UuidGenerator') as ServiceIdentifier<UuidGenerator>,
  images: Symbol.for('ImageRepository') as ServiceIdentifier<ImageRepository>,
  blobs: Symbol.for('BlobStore') as ServiceIdentifier<BlobStore>,
  staging: Symbol.for('StagingArea') as ServiceIdentifier<StagingArea>,
  inspector: Symbol.for('ImageInspector') as ServiceIdentifier<ImageInspector>,
  decodeLimit: Symbol.for('DecodeLimit') as ServiceIdentifier<LimitFunction>,
  routes: Symbol.for('Routes') as ServiceIdentifier<Router>,
  app: Symbol.for('App') as ServiceIdentifier<Koa>,
  managementApp: Symbol.for('ManagementApp') as ServiceIdentifier<Koa>,
} as const;
