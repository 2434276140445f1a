import { availableParallelism } from 'node:os';
import { ContainerModule, type ResolutionContext } from 'inversify';
import { pause } from '../../application/concurrency/pause.ts';
import { type UseCases, useCasesOf } from '../../application/use-cases.ts';
import { resolveAll } from '../resolve-all.ts';
import { TOKENS } from '../tokens.ts';
import { watchedFiles, watchedRenditions } from './watched-port.ts';
import { webhookSendersOf } from './webhook-senders-of.ts';

/** The use cases of requests, and the deliveries of webhooks. */
export const useCasesModule = new ContainerModule(({ bind }) => {
  bind(TOKENS.useCases)
    .toDynamicValue(requestUseCases)
    .onDeactivation(({ prerenderUploads }) => prerenderUploads.stop());
  bind(TOKENS.webhookSenders)
    .toDynamicValue(webhookSendersOf)
    .onDeactivation((senders) => senders.forEach((sender) => sender.stop()));
});

const PAUSE_MS = 20;

function requestUseCases(context: ResolutionContext): UseCases {
  const { config, metrics, changeUseCases } = resolveAll(context, 'config', 'metrics', 'changeUseCases');
  const ports = {
    ...resolveAll(context, 'images', 'metadata', 'names', 'spaces', 'trash', 'keys', 'linkKeys'),
    ...resolveAll(context, 'search', 'timeline', 'similarImages', 'copyCandidates'),
    ...resolveAll(context, 'blobs', 'renditions', 'temporaryFiles', 'recentCleanForms'),
    ...resolveAll(context, 'uploadInspector', 'renditionMaker'),
    ...resolveAll(context, 'addressSeal', 'calendar', 'clock', 'timer', 'uuids', 'log'),
  };
  return useCasesOf(ports, {
    changes: changeUseCases,
    keepsTrash: config.trashDays > 0,
    // A core stays free for a rendition that no client has requested.
    prerender: {
      renditions: config.renditions.prerendered,
      maxOtherWork: Math.min(availableParallelism(), config.renditions.concurrency),
    },
    uploadSlots: {
      slots: config.upload.concurrency,
      sharesBySpace: config.spaceClaim !== undefined,
    },
    pause: (stopped) => pause(ports.timer, PAUSE_MS, stopped),
    watchFiles: (files) => watchedFiles(metrics, files),
    watchRenditions: (made) => watchedRenditions(metrics, made),
  });
}
