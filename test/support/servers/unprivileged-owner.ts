import { spawnSync } from 'node:child_process';

/** The user that must run the server, because it rejects root. */
export type Owner = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** For servers that should not run as root. `undefined` if there is no user but root. */
export function unprivilegedOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((what) =>
    Number(spawnSync('id', [what, 'nobody']).stdout?.toString() || NaN),
  );
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid: uid ?? 0, gid: gid ?? 0 } : undefined;
}
