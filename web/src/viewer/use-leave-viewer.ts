import { useLeave } from '../view-state/use-leave.ts';

const CLOSED = { image: undefined };

/** Closes the viewer. */
export function useLeaveViewer(image: number | undefined): () => void {
  return useLeave(image !== undefined, CLOSED);
}
