import { useService } from '../contexts/service.ts';
import { useStore } from '../store.ts';
import { type Rights, rightsOf } from './rights.ts';

/** What cannot be done is not offered. */
export function useRights(): Rights {
  const { config, session } = useService();
  return rightsOf(config, useStore(session.granted));
}
