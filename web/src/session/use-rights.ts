import { useStore } from '../base/use-store.ts';
import { type Rights, rightsOf } from './rights.ts';
import { useConfig } from './use-config.ts';
import { useSession } from './use-session.ts';

/** What cannot be done is not offered. */
export function useRights(): Rights {
  const config = useConfig();
  const session = useSession();
  return rightsOf(config, useStore(session.granted));
}
