import type { Command } from './command-line/command.ts';

/** In the order of the help. The service does not load what only maintenance uses. */
export const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  demo: async () => (await import('./demo.ts')).demo,
  init: async () => (await import('./init/init.ts')).init,
  doctor: async () => (await import('./doctor.ts')).doctor,
  migrate: async () => (await import('./migrate.ts')).migrate,
  verify: async () => (await import('./verify.ts')).verify,
  reindex: async () => (await import('./reindex.ts')).reindex,
  sweep: async () => (await import('./sweep.ts')).sweep,
  'rotate-link-key': async () => (await import('./rotate-link-key.ts')).rotateLinkKey,
  changes: async () => (await import('./changes.ts')).changes,
  webhooks: async () => (await import('./webhooks.ts')).webhooks,
  spaces: async () => (await import('./spaces.ts')).spaces,
  import: async () => (await import('./import/import-folder.ts')).importFolder,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  export: async () => (await import('./export-catalog.ts')).exportCatalog,
  transfer: async () => (await import('./transfer/transfer.ts')).transfer,
};
