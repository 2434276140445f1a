/** Pictures of an edit that can be undone: each costs two requests, where the edit takes one for all. */
export const MOST_UNDONE = 500;
